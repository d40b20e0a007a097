import type { Worker } from 'node:worker_threads';
import { ServiceError } from '../../../contract/errors.ts';
import type { ListPage, SearchPage } from '../../../domain/ports/list-query.ts';
import type { StoreMetrics } from '../../../telemetry/store-metrics.ts';
import { clockMs } from '../thread/clock.ts';
import { startThread } from '../thread/start-thread.ts';
import type { ReadRequest, ReadResult, ReadThreadOptions } from './query-thread.ts';

/**
 * Lists, existence checks and searches run in threads of their own, so that none of them holds up point reads and
 * writes. There are three lanes: every list begins in the short lane with a budget of milliseconds, every search in its
 * own, where what searches remember is; one that uses its budget up is begun again in the long lane with the whole
 * deadline. So a scan never stands in front of an indexed query.
 */
export interface Readers {
  list(query: ReadRequest['query'] & { list: unknown }): Promise<ListPage>;
  exists(query: ReadRequest['query'] & { exists: unknown }): Promise<boolean>;
  search(query: ReadRequest['query'] & { search: unknown }): Promise<SearchPage>;
  close(): Promise<void>;
}

export interface ReadersOptions extends Omit<ReadThreadOptions, 'lane'> {
  /** Threads for lists, at least 2: the last one is the long lane. Searches have one more. */
  readonly threads: number;
  /** Deadline of a query, waiting included. */
  readonly timeoutMs: number;
  readonly metrics: StoreMetrics;
}

/** Time a query has in the short lane: what others behind it may have to wait. */
const shortBudgetMs = 10;

/**
 * The same for a search. More than for a list: the first ones after a start read documents for what is not remembered
 * yet, and to begin them again in the long lane, which remembers nothing either, would take longer still.
 */
const searchBudgetMs = 500;

/** Queries that may wait in a thread of the short lane, and in the long lane; more are refused. */
const mostShort = 2000;
const mostLong = 64;

type Query = ReadRequest['query'];

interface Waiting {
  readonly query: Query;
  readonly endsAtMs: number;
  readonly lane: 'short' | 'search';
  readonly resolve: (result: ListPage | SearchPage | boolean) => void;
  readonly reject: (error: Error) => void;
}

/** What helps where the time is over. */
const hints = {
  short:
    'Add a condition that an index answers (equality, in and contains on any path; ranges and sorts on system fields, the fields of ArrayTestType and the declared paths), or ask with withTotal=false.',
  search:
    'Ask for fewer words or locales, fewer facets, or less fuzziness; or try again, if others were in front of it.',
} as const;

function timedOut(timeoutMs: number, lane: Waiting['lane']): ServiceError {
  return new ServiceError('QueryTimedOut', `The query timed out after ${timeoutMs} ms. ${hints[lane]}`);
}

function overCapacity(): ServiceError {
  return new ServiceError('OverCapacity', 'Too many queries are waiting. Try again.', {}, { 'retry-after': '1' });
}

/** One thread with the requests it has not answered yet. It starts with its first request. */
class Lane {
  readonly waiting = new Map<number, Waiting>();
  readonly #options: ReadThreadOptions;
  readonly #onResult: (result: ReadResult, waiting: Waiting) => void;
  readonly #onDied: () => void;
  #worker: Worker | undefined;
  #unsent: ReadRequest[] = [];
  #last = 0;

  constructor(
    options: ReadThreadOptions,
    onResult: (result: ReadResult, waiting: Waiting) => void,
    onDied: () => void = () => {},
  ) {
    this.#options = options;
    this.#onResult = onResult;
    this.#onDied = onDied;
  }

  start(): Worker {
    if (this.#worker) return this.#worker;
    const { file, maxPageBytes, declaredPaths, lane } = this.#options;
    const url = new URL('./query-thread.ts', import.meta.url);
    const worker = startThread(url, { file, maxPageBytes, declaredPaths, lane });
    worker.on('message', (results: readonly ReadResult[]) => {
      for (const result of results) {
        const waiting = this.waiting.get(result.number);
        this.waiting.delete(result.number);
        if (waiting) this.#onResult(result, waiting);
      }
    });
    worker.on('error', (error) => this.#fail(error as Error));
    this.#worker = worker;
    return worker;
  }

  /** A read thread that died is replaced with the next request. */
  #fail(error: Error): void {
    this.#worker = undefined;
    const failed = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject } of failed) reject(error);
    this.#onDied();
  }

  add(waiting: Waiting, budgetMs: number): void {
    this.#last += 1;
    this.waiting.set(this.#last, waiting);
    if (this.#unsent.length === 0) setImmediate(() => this.#send());
    this.#unsent.push({ number: this.#last, query: waiting.query, budgetMs, endsAtMs: waiting.endsAtMs });
  }

  #send(): void {
    const requests = this.#unsent;
    this.#unsent = [];
    this.start().postMessage(requests);
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage('close');
    await ended;
  }
}

/** Makes the lanes; their threads start with their first query, that of searches also with `warm`. */
export function createReaders(options: ReadersOptions): Readers & { warm(): void } {
  const { timeoutMs, metrics } = options;
  const short = Array.from({ length: options.threads - 1 }, () => new Lane({ ...options, lane: 'short' }, onShort));
  const searches = new Lane({ ...options, lane: 'search' }, onShort);
  const long = new Lane({ ...options, lane: 'long' }, onLong, next);
  /** Queries that outgrew the short lane before: they hold up nobody there again. */
  const outgrown = new WeakSet<object>();
  const keyOf = (query: Query): object =>
    'list' in query ? query.list : 'search' in query ? query.search : query.exists;

  /** The long lane has one query at its thread at a time, so that those behind it can still run out of time. */
  const queue: Waiting[] = [];

  function settle(result: ReadResult, waiting: Waiting): void {
    const { resolve, reject } = waiting;
    if ('page' in result) resolve(result.page);
    else if ('exists' in result) resolve(result.exists);
    else if ('outOfTime' in result) reject(timedOut(timeoutMs, waiting.lane));
    else if ('refusal' in result) {
      reject(new ServiceError(result.refusal.code, result.refusal.message, result.refusal.details));
    } else reject(new Error(result.fault));
  }

  function onShort(result: ReadResult, waiting: Waiting): void {
    metrics.queried(waiting.lane, result.ms);
    if (!('outOfTime' in result)) {
      settle(result, waiting);
      return;
    }
    // A search is outgrown by what is made meanwhile as well: its own lane has it for the next.
    if (waiting.lane === 'short') outgrown.add(keyOf(waiting.query));
    askLong(waiting);
  }

  function askLong(waiting: Waiting): void {
    if (waiting.endsAtMs <= clockMs()) {
      waiting.reject(timedOut(timeoutMs, waiting.lane));
      return;
    }
    if (queue.length >= mostLong) {
      waiting.reject(overCapacity());
      return;
    }
    queue.push(waiting);
    next();
  }

  function onLong(result: ReadResult, waiting: Waiting): void {
    metrics.queried('long', result.ms);
    settle(result, waiting);
    next();
  }

  function next(): void {
    while (long.waiting.size === 0) {
      const waiting = queue.shift();
      if (!waiting) return;
      const budgetMs = waiting.endsAtMs - clockMs();
      if (budgetMs <= 0) waiting.reject(timedOut(timeoutMs, waiting.lane));
      else long.add(waiting, budgetMs);
    }
  }

  function ask<T extends ListPage | SearchPage | boolean>(query: Query): Promise<T> {
    const isSearch = 'search' in query;
    const lane = isSearch
      ? searches
      : short.reduce((least, other) => (other.waiting.size < least.waiting.size ? other : least));
    if (lane.waiting.size >= mostShort) return Promise.reject(overCapacity());
    return new Promise<T>((resolve, reject) => {
      const waiting: Waiting = {
        query,
        lane: isSearch ? 'search' : 'short',
        endsAtMs: clockMs() + timeoutMs,
        resolve: resolve as Waiting['resolve'],
        reject,
      };
      if (outgrown.has(keyOf(query))) askLong(waiting);
      else lane.add(waiting, Math.min(isSearch ? searchBudgetMs : shortBudgetMs, timeoutMs));
    });
  }

  return {
    list: (query) => ask<ListPage>(query),
    exists: (query) => ask<boolean>(query),
    search: (query) => ask<SearchPage>(query),
    warm: () => void searches.start(),
    async close() {
      for (const { reject } of queue.splice(0)) reject(overCapacity());
      await Promise.all([...short, searches, long].map((lane) => lane.close()));
    },
  };
}
