import type { ResourceStore } from './resource-store.ts';

/** What bulk work needs of a store. */
export type BulkStore = Pick<ResourceStore, 'get' | 'getByKey' | 'commitAll' | 'groupSize'>;

/** A store in a thread of bulk work: it reads there, and commits by the thread of the store. */
export interface ThreadStore {
  readonly store: BulkStore;
  /** To be called when nothing is read or committed any more. */
  close(): Promise<void>;
}

/** One end of a channel between threads: a `MessagePort`. */
export interface ThreadPort {
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  unref(): void;
  close(): void;
}

/** A thread: a `Worker`. */
export interface BulkThread {
  postMessage(message: unknown, ports: unknown): void;
  once(event: 'error', listener: (error: Error) => void): unknown;
  once(event: 'exit', listener: () => void): unknown;
}

/** What the module of `BulkThreads` exports as `openThreadStore`. The port leads to `serve`. */
export type OpenThreadStore = (data: unknown, port: ThreadPort) => ThreadStore;

/** How threads for bulk work reach a store, so that what it costs holds up no other request (decision 179). */
export interface BulkThreads {
  /** Starts a thread; `ports` are those in its data. */
  start(file: URL, workerData: unknown, ports: readonly ThreadPort[]): BulkThread;
  /** The address of a module with `openThreadStore`, and plain data for it. */
  readonly module: string;
  readonly data: unknown;
  /** Commits for the thread at the other end, until the port is closed. */
  serve(port: ThreadPort): void;
}
