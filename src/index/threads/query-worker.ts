import type { Worker } from 'node:worker_threads';
import { readError } from '../../sqlite/connection.ts';
import { closeThread, startThread } from '../../threads/start-thread.ts';
import { createSignals, type Signals, signalCancelled, signalOthersWait } from './deadline.ts';
import type { Answer, Query, QueryRequest, QueryResult, QueryThreadOptions } from './query-messages.ts';

/** A query from its arrival until it is settled. */
export interface QueryJob {
  readonly projectKey: string;
  readonly query: Query;
  /** Aborted when the result is no longer needed. */
  readonly signal: AbortSignal | undefined;
  readonly arrivedMs: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
  readonly onAbort: () => void;
  /** It has exceeded its share while others waited. */
  isLong: boolean;
  /** It has met damaged rows, which are set aside. */
  isRepeated: boolean;
  /** Whoever asked has got an answer or an error. */
  isSettled: boolean;
  /** The thread that has it, and its slot there. */
  worker: QueryWorker | undefined;
  slot: number;
}

/** Answers a query or refuses it, unless that is done. */
export function settle(job: QueryJob, by: () => void): void {
  if (job.isSettled) return;
  job.isSettled = true;
  // Its slot will be that of another query, which the client of this one must not cancel.
  job.signal?.removeEventListener('abort', job.onAbort);
  by();
}

interface QueryWorkerEvents {
  onReady(): void;
  onResults(results: readonly (readonly [QueryResult, QueryJob])[]): void;
  /** The thread died with these queries. */
  onFailed(jobs: readonly QueryJob[], error: unknown): void;
  /** The thread died before it was ready, such as one that cannot open the database. */
  onNotStarted(error: unknown): void;
}

/** Queries that a thread has at once: while it runs one, the next ones are sent. */
const slots = 16;

/** Work queued ahead in a thread, in ms, estimated from recent queries. Later queries wait for it regardless of fairness. */
const aheadMs = 2;

/** The share of the last query in what queries are expected to take. */
const lastShare = 0.25;

/** One thread of the pool with its queries, as the main thread sees it. */
export class QueryWorker {
  readonly #thread: URL;
  readonly #options: Omit<QueryThreadOptions, 'signals'>;
  readonly #events: QueryWorkerEvents;
  readonly #signals: Signals = createSignals(slots);
  readonly #freeSlots = Array.from({ length: slots }, (_, slot) => slot);
  readonly #running = new Map<number, QueryJob>();
  #worker: Worker | undefined;
  #started: Promise<void> | undefined;
  #isReady = false;
  #unsent: QueryRequest[] = [];
  #hasLong = false;
  /** The expected time of a query, from recent ones; nothing is sent ahead while it is unknown. */
  #expectedMs = aheadMs;

  /** `thread`: the file that the thread begins with. */
  constructor(thread: URL, options: Omit<QueryThreadOptions, 'signals'>, events: QueryWorkerEvents) {
    this.#thread = thread;
    this.#options = options;
    this.#events = events;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  get isStarting(): boolean {
    return this.#worker !== undefined && !this.#isReady;
  }

  /** The number of queries that it has. */
  get running(): number {
    return this.#running.size;
  }

  /** True if it takes another short query. */
  get hasRoom(): boolean {
    const { size } = this.#running;
    if (!this.#isReady || this.#hasLong) return false;
    return size === 0 || (size < slots && size * this.#expectedMs < aheadMs);
  }

  jobs(): readonly QueryJob[] {
    return [...this.#running.values()];
  }

  /** Starts the thread, if it is not started; resolves when it is ready, or has died. */
  start(): Promise<void> {
    this.#started ??= this.#start();
    return this.#started;
  }

  #start(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const data: QueryThreadOptions = { ...this.#options, signals: this.#signals };
    const worker = startThread(this.#thread, data);
    worker.on('message', (message: readonly QueryResult[] | 'ready') => {
      // The queries of a thread that failed are rejected; results that it still sends are ignored.
      if (this.#worker !== worker) return;
      if (message !== 'ready') {
        this.#events.onResults(message.flatMap((result) => this.#release(result)));
        return;
      }
      this.#isReady = true;
      resolve();
      this.#events.onReady();
    });
    worker.on('error', (error) => {
      if (this.#worker === worker) this.#fail(readError(error));
      resolve();
    });
    worker.on('exit', () => resolve());
    this.#worker = worker;
    return promise;
  }

  #release(result: QueryResult): readonly (readonly [QueryResult, QueryJob])[] {
    const job = this.#running.get(result.slot);
    if (!job) return [];
    if (!job.isLong) this.#expectedMs += lastShare * (result.ms - this.#expectedMs);
    this.#running.delete(result.slot);
    this.#freeSlots.push(result.slot);
    this.#hasLong = false;
    job.worker = undefined;
    return [[result, job]];
  }

  #fail(error: unknown): void {
    const failed = this.jobs();
    const wasReady = this.#isReady;
    this.#worker = undefined;
    this.#started = undefined;
    this.#isReady = false;
    this.#hasLong = false;
    for (const job of failed) {
      job.worker = undefined;
      this.#freeSlots.push(job.slot);
    }
    this.#running.clear();
    this.#unsent = [];
    if (wasReady) this.#events.onFailed(failed, error);
    else this.#events.onNotStarted(error);
  }

  /** Assigns a query, which `send` sends. */
  assign(job: QueryJob): void {
    const slot = this.#freeSlots.pop()!;
    signalCancelled(this.#signals, slot, false);
    job.worker = this;
    job.slot = slot;
    this.#hasLong = job.isLong;
    this.#running.set(slot, job);
    this.#unsent.push({ slot, query: job.query, isLong: job.isLong });
  }

  /** Sends what was assigned. `othersWait`: short queries that no thread has. */
  send(othersWait: boolean): void {
    signalOthersWait(this.#signals, othersWait || this.#running.size > 1);
    if (this.#unsent.length === 0) return;
    const requests = this.#unsent;
    this.#unsent = [];
    this.#worker!.postMessage(requests);
  }

  cancel({ slot }: QueryJob): void {
    signalCancelled(this.#signals, slot, true);
  }

  async close(): Promise<void> {
    await closeThread(this.#worker);
  }
}
