import type { Worker } from 'node:worker_threads';
import type { ListPage, SearchPage } from '../../../domain/ports/list-query.ts';
import { closeThread, startThread } from '../../threads/start-thread.ts';
import type { LogPortion } from '../log/read-log.ts';
import { readError } from '../open/connection.ts';
import { createSignals, type Signals, signalCancelled } from './deadline.ts';
import type { QueryRequest, QueryResult, QueryThreadOptions, QueryThreadRole } from './query-thread.ts';

/** A query that is waiting or running. */
export interface WaitingQuery {
  readonly projectKey: string;
  readonly query: QueryRequest['query'];
  /** Aborted when the result is no longer needed. */
  readonly signal: AbortSignal | undefined;
  /** The query as the caller handed it in, by which its run is noted; undefined where nobody asks how it ran. */
  readonly origin: { readonly source: object; readonly arrivedMs: number } | undefined;
  readonly resolve: (result: ListPage | SearchPage | LogPortion | boolean) => void;
  readonly reject: (error: unknown) => void;
}

/** The same in a queue. */
export interface Entry {
  readonly projectKey: string;
  readonly waiting: WaitingQuery;
  waitsUntilMs: number;
  /** The same once it has to wait for what is built. */
  readonly buildsUntilMs: number;
  /** Cancels it, whether it is waiting or running. Undefined without a signal. */
  onAbort: (() => void) | undefined;
  thread: QueryThread | undefined;
  slot: number;
}

/** What a queue needs for each of its threads. */
export interface QueryThreadSettings {
  /** Queries that a thread has at once, the one that runs included. */
  readonly slots: number;
  /**
   * Fewer where they take long: so many ms of work, by what the last ones took. What a thread has been sent others wait for,
   * whoever's turn it is. Undefined where a thread hands back what it has not begun.
   */
  readonly aheadMs?: number;
  readonly workers: QueryWorkers;
  /** What its threads are for. */
  readonly role: Omit<QueryThreadRole, 'signals'>;
}

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

interface QueryThreadEvents {
  readonly onResults: (results: readonly (readonly [QueryResult, Entry])[]) => void;
  /** What its searches left to it has been built. */
  readonly onBuilt: () => void;
  /** The thread died with these queries; the next query starts another. */
  readonly onFailed: (entries: readonly Entry[], error: unknown) => void;
}

/** The share of the last query in what queries are expected to take. */
const lastShare = 0.25;

/** One thread with its queries. It starts with its first query. */
export class QueryThread {
  readonly signals: Signals;
  readonly #slots: number;
  readonly #aheadMs: number;
  readonly #role: QueryThreadRole;
  readonly #workers: QueryWorkers;
  readonly #events: QueryThreadEvents;
  readonly #freeSlots: number[];
  readonly #running = new Map<number, Entry>();
  #worker: Worker | undefined;
  #unsent: QueryRequest[] = [];
  /** What a query takes, by the last ones. */
  #expectedMs = 0;

  constructor({ role, slots, aheadMs, workers }: QueryThreadSettings, events: QueryThreadEvents) {
    this.signals = createSignals(slots);
    this.#slots = slots;
    this.#aheadMs = aheadMs ?? Number.POSITIVE_INFINITY;
    this.#role = { ...role, signals: this.signals };
    this.#workers = workers;
    this.#freeSlots = Array.from({ length: slots }, (_, slot) => slot);
    this.#events = events;
  }

  /** The number of queries that it has. */
  get running(): number {
    return this.#running.size;
  }

  /** Whether it takes another query: it always has one to run. */
  get hasRoom(): boolean {
    const { size } = this.#running;
    return size === 0 || (size < this.#slots && size * this.#expectedMs < this.#aheadMs);
  }

  #started(): Worker {
    if (this.#worker) return this.#worker;
    const worker = this.#workers.take(this.#role);
    worker.on('message', (results: readonly QueryResult[] | 'ready' | 'built') => {
      // The queries of a thread that failed are rejected; results that it still sends are ignored.
      if (results === 'ready' || this.#worker !== worker) return;
      if (results === 'built') return this.#events.onBuilt();
      this.#events.onResults(results.flatMap((result) => this.#release(result)));
    });
    // Such as one that cannot open the database.
    worker.on('error', (error) => this.#fail(readError(error)));
    this.#worker = worker;
    return worker;
  }

  #release(result: QueryResult): readonly (readonly [QueryResult, Entry])[] {
    const entry = this.#running.get(result.slot);
    if (!entry) return [];
    if (result.ms > 0) this.#expectedMs += lastShare * (result.ms - this.#expectedMs);
    this.#running.delete(result.slot);
    this.#freeSlots.push(result.slot);
    entry.thread = undefined;
    return [[result, entry]];
  }

  #fail(error: unknown): void {
    this.#worker = undefined;
    const failed = [...this.#running.values()];
    for (const slot of this.#running.keys()) this.#freeSlots.push(slot);
    this.#running.clear();
    this.#unsent = [];
    this.#events.onFailed(failed, error);
  }

  /** Assigns a query, which `send` sends. */
  assign(entry: Entry): void {
    const slot = this.#freeSlots.pop()!;
    signalCancelled(this.signals, slot, false);
    entry.thread = this;
    entry.slot = slot;
    this.#running.set(slot, entry);
    this.#unsent.push({ slot, query: entry.waiting.query });
  }

  send(): void {
    if (this.#unsent.length === 0) return;
    const requests = this.#unsent;
    this.#unsent = [];
    this.#started().postMessage(requests);
  }

  close(): Promise<void> {
    return closeThread(this.#worker);
  }
}
