import type { Worker } from 'node:worker_threads';
import { closeThread, startThread } from '../../threads/start-thread.ts';
import type { QueryThreadOptions, QueryThreadRole } from './query-thread.ts';

/**
 * Starts the threads of all queues. One thread more than are in use is kept warm, for whichever queue needs its next one:
 * so no query waits for a thread to start, and an idle service has one thread rather than one for each queue.
 */
export class QueryWorkers {
  readonly #options: QueryThreadOptions;
  readonly #most: number;
  /** Threads that queues have. */
  #taken = 0;
  #spare: { readonly worker: Worker; readonly ready: Promise<void> } | undefined;
  #keepsSpare = false;

  /** `most`: threads that all queues may have together. */
  constructor(options: QueryThreadOptions, most: number) {
    this.#options = options;
    this.#most = most;
  }

  /** Starts a thread, and from now on always the next one before it is needed; resolves when it is ready, or has died. */
  warm(): Promise<void> {
    this.#keepsSpare = true;
    return this.#startSpare();
  }

  /** A thread for a queue. It may be starting still: what it is sent waits. */
  take(role: QueryThreadRole): Worker {
    const { worker } = this.#spare ?? this.#start();
    this.#spare = undefined;
    this.#taken += 1;
    worker.once('exit', () => {
      this.#taken -= 1;
    });
    worker.postMessage(role);
    if (this.#keepsSpare) void this.#startSpare();
    return worker;
  }

  async close(): Promise<void> {
    this.#keepsSpare = false;
    await closeThread(this.#spare?.worker);
  }

  #startSpare(): Promise<void> {
    if (!this.#spare && this.#taken < this.#most) this.#spare = this.#start();
    return this.#spare?.ready ?? Promise.resolve();
  }

  #start(): { readonly worker: Worker; readonly ready: Promise<void> } {
    const { promise: ready, resolve } = Promise.withResolvers<void>();
    const worker = startThread(new URL('./query-thread.ts', import.meta.url), this.#options);
    worker.once('message', () => resolve());
    const onEnd = () => {
      // The next query starts another one.
      if (this.#spare?.worker === worker) this.#spare = undefined;
      resolve();
    };
    worker.on('error', onEnd);
    worker.on('exit', onEnd);
    return { worker, ready };
  }
}
