import type { Worker } from 'node:worker_threads';
import { ServiceError } from '../../../contract/errors.ts';
import type { ListPage, SearchPage } from '../../../domain/ports/list-query.ts';
import { FairQueue } from '../../threads/fair-queue.ts';
import { closeThread } from '../../threads/start-thread.ts';
import type { LogPortion } from '../log/read-log.ts';
import { createSignals, type Signals, signalCancelled, signalOthersWait } from './deadline.ts';
import type { QueryRequest, QueryResult, QueryThreadRole } from './query-thread.ts';
import type { QueryWorkers } from './query-workers.ts';

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

export interface QueryQueueOptions {
  readonly threads: number;
  /** Queries that a thread has at once, the one that runs included. */
  readonly slots: number;
  /** Queries that may wait; for one project half as many. */
  readonly maxWaiting: number;
  readonly maxWaitMs: number;
  readonly workers: QueryWorkers;
  /** What its threads are for. */
  readonly role: Omit<QueryThreadRole, 'signals'>;
  readonly onResult: (result: QueryResult, waiting: WaitingQuery) => void;
  /** Brings the indexes up to date for the queries of a project. */
  readonly catchUp: (projectKey: string) => Promise<void>;
}

interface Entry {
  readonly projectKey: string;
  readonly waiting: WaitingQuery;
  readonly waitsUntilMs: number;
  /** Cancels it, whether it is waiting or running. Undefined without a signal. */
  onAbort: (() => void) | undefined;
  thread: QueryThread | undefined;
  slot: number;
}

/** How often queries are checked for having waited too long. */
const expiryMs = 100;

const refusal = (message: string) => new ServiceError('OverCapacity', message, {}, { 'retry-after': '1' });
const full = () => refusal('Too many queries are waiting. Try again.');
const waitedTooLong = () => refusal('The query has waited too long for others. Try again.');

/** A queue in which projects take turns, with the threads that run its queries. */
export class QueryQueue {
  readonly #options: QueryQueueOptions;
  readonly #waiting = new FairQueue<Entry>();
  readonly #threads: readonly QueryThread[];
  #isDispatchScheduled = false;
  #isClosed = false;
  #expiry: NodeJS.Timeout | undefined;

  constructor(options: QueryQueueOptions) {
    this.#options = options;
    this.#threads = Array.from(
      { length: options.threads },
      () =>
        new QueryThread(options, {
          onResults: (results) => this.#receive(results),
          onFailed: (entries, error) => this.#fail(entries, error),
        }),
    );
  }

  /** Adds a query. Its result is passed to `onResult`, or it is rejected. */
  add(waiting: WaitingQuery): void {
    const { signal, projectKey } = waiting;
    const { maxWaiting, maxWaitMs } = this.#options;
    const isFull =
      this.#isClosed || this.#waiting.size >= maxWaiting || this.#waiting.sizeOf(projectKey) >= maxWaiting / 2;
    if (signal?.aborted || isFull) {
      waiting.reject(signal?.aborted ? signal.reason : full());
      return;
    }
    const waitsUntilMs = performance.now() + maxWaitMs;
    const entry: Entry = { projectKey, waiting, waitsUntilMs, onAbort: undefined, thread: undefined, slot: 0 };
    if (signal) {
      entry.onAbort = () => this.#cancel(entry);
      signal.addEventListener('abort', entry.onAbort);
    }
    this.#waiting.add(entry);
    this.#startExpiry();
    if (this.#isDispatchScheduled) return;
    // The queries of one turn of the event loop are sent together.
    this.#isDispatchScheduled = true;
    setImmediate(() => {
      this.#isDispatchScheduled = false;
      this.#dispatch();
    });
  }

  readonly waiting = (): number => this.#waiting.size;

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { waiting } of this.#waiting.remove(() => true)) waiting.reject(full());
    clearInterval(this.#expiry);
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  /** Assigns waiting queries to threads with free slots, the thread with the fewest queries first. */
  #dispatch(): void {
    while (this.#waiting.size > 0) {
      const thread = this.#threads.reduce((least, other) => (other.running < least.running ? other : least));
      if (thread.running >= this.#options.slots) break;
      thread.assign(this.#waiting.take()!);
    }
    for (const thread of this.#threads) {
      thread.send();
      signalOthersWait(thread.signals, this.#waiting.size > 0 || thread.running > 1);
    }
  }

  #receive(results: readonly (readonly [QueryResult, Entry])[]): void {
    const notStarted: Entry[] = [];
    const behind: Entry[] = [];
    for (const [result, entry] of results) {
      const { waiting } = entry;
      if (('notStarted' in result || 'behind' in result) && !waiting.signal?.aborted) {
        ('behind' in result ? behind : notStarted).push(entry);
        continue;
      }
      stopListening(entry);
      if (!waiting.signal?.aborted) this.#options.onResult(result, waiting);
    }
    for (const each of Map.groupBy(behind, (entry) => entry.projectKey).values()) this.#catchUp(each);
    this.#putBack(notStarted);
    this.#dispatch();
  }

  #putBack(entries: readonly Entry[]): void {
    if (this.#isClosed) for (const { waiting } of entries) waiting.reject(full());
    else if (entries.length > 0) this.#waiting.putBack(entries);
  }

  async #catchUp(entries: readonly Entry[]): Promise<void> {
    try {
      await this.#options.catchUp(entries[0]!.projectKey);
      const now = performance.now();
      const late = entries.filter(({ waitsUntilMs }) => waitsUntilMs < now);
      for (const entry of late) this.#refuse(entry);
      // Those whose clients have left meanwhile are not among the waiting ones, where they would be removed.
      this.#putBack(entries.filter((entry) => !late.includes(entry) && !entry.waiting.signal?.aborted));
      this.#startExpiry();
      this.#dispatch();
    } catch (error) {
      for (const entry of entries) {
        stopListening(entry);
        entry.waiting.reject(error);
      }
    }
  }

  #fail(entries: readonly Entry[], error: Error): void {
    for (const entry of entries) {
      // Its slot will be that of another query, which the client of this one must not cancel.
      stopListening(entry);
      entry.waiting.reject(error);
    }
    // The waiting ones go to the next thread.
    this.#dispatch();
  }

  #cancel(entry: Entry): void {
    const { waiting, thread, slot } = entry;
    waiting.reject(waiting.signal!.reason);
    if (thread) signalCancelled(thread.signals, slot, true);
    else this.#waiting.remove((each) => each === entry);
  }

  #refuse(entry: Entry): void {
    stopListening(entry);
    entry.waiting.reject(waitedTooLong());
  }

  #startExpiry(): void {
    this.#expiry ??= setInterval(() => this.#expire(), expiryMs).unref();
  }

  #expire(): void {
    const now = performance.now();
    const expired = this.#waiting.size === 0 ? [] : this.#waiting.remove(({ waitsUntilMs }) => waitsUntilMs < now);
    for (const entry of expired) this.#refuse(entry);
    if (this.#waiting.size > 0) return;
    clearInterval(this.#expiry);
    this.#expiry = undefined;
  }
}

function stopListening({ waiting, onAbort }: Entry): void {
  if (onAbort) waiting.signal!.removeEventListener('abort', onAbort);
}

interface QueryThreadEvents {
  readonly onResults: (results: readonly (readonly [QueryResult, Entry])[]) => void;
  /** The thread died with these queries; the next query starts another. */
  readonly onFailed: (entries: readonly Entry[], error: Error) => void;
}

/** One thread with its queries. It starts with its first query. */
class QueryThread {
  readonly signals: Signals;
  readonly #role: QueryThreadRole;
  readonly #workers: QueryWorkers;
  readonly #events: QueryThreadEvents;
  readonly #freeSlots: number[];
  readonly #running = new Map<number, Entry>();
  #worker: Worker | undefined;
  #unsent: QueryRequest[] = [];

  constructor({ role, slots, workers }: QueryQueueOptions, events: QueryThreadEvents) {
    this.signals = createSignals(slots);
    this.#role = { ...role, signals: this.signals };
    this.#workers = workers;
    this.#freeSlots = Array.from({ length: slots }, (_, slot) => slot);
    this.#events = events;
  }

  /** The number of queries that it has. */
  get running(): number {
    return this.#running.size;
  }

  #started(): Worker {
    if (this.#worker) return this.#worker;
    const worker = this.#workers.take(this.#role);
    worker.on('message', (results: readonly QueryResult[] | 'ready') => {
      // The queries of a thread that failed are rejected; results that it still sends are ignored.
      if (results === 'ready' || this.#worker !== worker) return;
      this.#events.onResults(results.flatMap((result) => this.#release(result)));
    });
    worker.on('error', (error) => this.#fail(error as Error));
    this.#worker = worker;
    return worker;
  }

  #release(result: QueryResult): readonly (readonly [QueryResult, Entry])[] {
    const entry = this.#running.get(result.slot);
    if (!entry) return [];
    this.#running.delete(result.slot);
    this.#freeSlots.push(result.slot);
    entry.thread = undefined;
    return [[result, entry]];
  }

  #fail(error: Error): void {
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
