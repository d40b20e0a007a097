import { ServiceError } from '../../../contract/errors.ts';
import { FairQueue } from '../../threads/fair-queue.ts';
import { signalCancelled, signalOthersWait } from './deadline.ts';
import type { QueryResult } from './query-thread.ts';
import { type Entry, QueryThread, type QueryThreadSettings, type WaitingQuery } from './query-workers.ts';

export interface QueryQueueOptions extends QueryThreadSettings {
  readonly threads: number;
  /** Queries that may wait; for one project half as many. */
  readonly maxWaiting: number;
  readonly maxWaitMs: number;
  /** How long a search may take in all that waits for what is built for many searches. */
  readonly maxBuildWaitMs: number;
  readonly onResult: (result: QueryResult, waiting: WaitingQuery) => void;
  /** Brings the indexes up to date for the queries of a project. */
  readonly catchUp: (projectKey: string) => Promise<void>;
}

/** How often queries are checked for having waited too long. */
const expiryMs = 100;

const refusal = (message: string) => new ServiceError('OverCapacity', message, {}, { 'retry-after': '1' });
const full = () => refusal('Too many queries are waiting. Try again.');
const waitedTooLong = () => refusal('The query has waited too long for others. Try again.');
const stillBuilding = () => refusal('The search index for this query is still being built. Try again.');

/** A queue in which projects take turns, with the threads that run its queries. */
export class QueryQueue {
  readonly #options: QueryQueueOptions;
  readonly #waiting = new FairQueue<Entry>();
  /** They wait for what a thread is building, so that it is not built for each of them. */
  readonly #building = new FairQueue<Entry>();
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
          onBuilt: () => this.#goOn(),
          onFailed: (entries, error) => this.#fail(entries, error),
        }),
    );
  }

  /** Adds a query. Its result is passed to `onResult`, or it is rejected. */
  add(waiting: WaitingQuery): void {
    const { signal, projectKey } = waiting;
    const { maxWaiting, maxWaitMs, maxBuildWaitMs } = this.#options;
    const ofProject = this.#waiting.sizeOf(projectKey) + this.#building.sizeOf(projectKey);
    const isFull = this.#isClosed || this.waiting() >= maxWaiting || ofProject >= maxWaiting / 2;
    if (signal?.aborted || isFull) {
      waiting.reject(signal?.aborted ? signal.reason : full());
      return;
    }
    const now = performance.now();
    const until = { waitsUntilMs: now + maxWaitMs, buildsUntilMs: now + maxBuildWaitMs };
    const entry: Entry = { projectKey, waiting, ...until, onAbort: undefined, thread: undefined, slot: 0 };
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

  readonly waiting = (): number => this.#waiting.size + this.#building.size;

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { waiting } of this.#removeWaiting(() => true)) waiting.reject(full());
    clearInterval(this.#expiry);
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }

  /** Assigns waiting queries to threads with room for them, the thread with the fewest queries first. */
  #dispatch(): void {
    while (this.#waiting.size > 0) {
      const thread = this.#threads.reduce((least, other) => (other.running < least.running ? other : least));
      if (!thread.hasRoom) break;
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
      if ('interruption' in result && result.interruption === 'building' && !waiting.signal?.aborted) {
        entry.waitsUntilMs = entry.buildsUntilMs;
        this.#building.add(entry);
        this.#startExpiry();
        continue;
      }
      stopListening(entry);
      if (!waiting.signal?.aborted) this.#options.onResult(result, waiting);
    }
    for (const each of Map.groupBy(behind, (entry) => entry.projectKey).values()) this.#catchUp(each);
    this.#putBack(notStarted);
    this.#dispatch();
  }

  /** What searches waited for has been built, or will be begun by another thread. */
  #goOn(): void {
    this.#putBack(this.#building.remove(() => true));
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

  #fail(entries: readonly Entry[], error: unknown): void {
    for (const entry of entries) {
      // Its slot will be that of another query, which the client of this one must not cancel.
      stopListening(entry);
      entry.waiting.reject(error);
    }
    // The waiting ones go to the next thread.
    this.#goOn();
  }

  #cancel(entry: Entry): void {
    const { waiting, thread, slot } = entry;
    waiting.reject(waiting.signal!.reason);
    if (thread) signalCancelled(thread.signals, slot, true);
    else this.#removeWaiting((each) => each === entry);
  }

  #removeWaiting(isRemoved: (entry: Entry) => boolean): readonly Entry[] {
    return [this.#waiting, this.#building].flatMap((queue) => (queue.size === 0 ? [] : queue.remove(isRemoved)));
  }

  #refuse(entry: Entry): void {
    stopListening(entry);
    const { waitsUntilMs, buildsUntilMs } = entry;
    entry.waiting.reject(waitsUntilMs === buildsUntilMs ? stillBuilding() : waitedTooLong());
  }

  #startExpiry(): void {
    this.#expiry ??= setInterval(() => this.#expire(), expiryMs).unref();
  }

  #expire(): void {
    const now = performance.now();
    for (const entry of this.#removeWaiting(({ waitsUntilMs }) => waitsUntilMs < now)) this.#refuse(entry);
    if (this.waiting() > 0) return;
    clearInterval(this.#expiry);
    this.#expiry = undefined;
  }
}

function stopListening({ waiting, onAbort }: Entry): void {
  if (onAbort) waiting.signal!.removeEventListener('abort', onAbort);
}
