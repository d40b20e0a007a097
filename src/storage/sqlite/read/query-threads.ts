import type { Worker } from 'node:worker_threads';
import { ServiceError } from '../../../contract/errors.ts';
import type { ListPage, SearchPage } from '../../../domain/ports/list-query.ts';
import type { QueryKind, StoreMetrics } from '../../../telemetry/store-metrics.ts';
import { clockMs, closeThread, startThread } from '../threads.ts';
import type { QueryRequest, QueryResult, QueryThreadOptions } from './query-thread.ts';

/**
 * Lists, existence checks and searches run in threads of their own, so that none of them delays point reads and writes.
 * There are three queues: every list begins in the short queue with a budget of milliseconds, every search in a queue of
 * its own, whose thread has the caches of searches. A query that exceeds its budget starts again in the long queue with
 * the whole deadline, so that no scan delays an indexed query.
 */
export interface QueryThreads {
  list(query: QueryRequest['query'] & { list: unknown }): Promise<ListPage>;
  exists(query: QueryRequest['query'] & { exists: unknown }): Promise<boolean>;
  search(query: QueryRequest['query'] & { search: unknown }): Promise<SearchPage>;
  close(): Promise<void>;
}

export interface QueryThreadsOptions extends Omit<QueryThreadOptions, 'queue'> {
  /** Threads for lists, at least 2: the last one is for the long queue. Searches have one more. */
  readonly threads: number;
  /** Deadline of a query, waiting included. */
  readonly timeoutMs: number;
  readonly metrics: StoreMetrics;
}

/** Time a query has in the short queue: what others behind it may have to wait. */
const shortBudgetMs = 10;

/**
 * The same for a search. More than for a list: the first searches after a start read documents for what is not cached
 * yet, and to begin them again in the long queue, whose thread has nothing cached either, would take longer still.
 */
const searchBudgetMs = 500;

/** Queries that may wait in a thread of the short queue, and in the long queue; more are refused. */
const maxWaitingShort = 2000;
const maxWaitingLong = 64;

type Query = QueryRequest['query'];

const kindOf = (query: Query): QueryKind => ('list' in query ? 'list' : 'search' in query ? 'search' : 'exists');

interface WaitingQuery {
  readonly query: Query;
  readonly endsAtMs: number;
  readonly queue: 'short' | 'search';
  readonly resolve: (result: ListPage | SearchPage | boolean) => void;
  readonly reject: (error: Error) => void;
}

/** What the client can do about a timeout. */
const hints = {
  short:
    'Add a condition that an index supports (equality, in and contains on any path; ranges and sorts on system fields, the fields of ArrayTestType and the declared paths), or ask with withTotal=false.',
  search:
    'Ask for fewer words or locales, fewer facets, or less fuzziness; or try again, since other searches may have delayed this one.',
} as const;

function timedOut(timeoutMs: number, queue: WaitingQuery['queue']): ServiceError {
  return new ServiceError('QueryTimedOut', `The query timed out after ${timeoutMs} ms. ${hints[queue]}`);
}

function overCapacity(): ServiceError {
  return new ServiceError('OverCapacity', 'Too many queries are waiting. Try again.', {}, { 'retry-after': '1' });
}

/** One thread with the queries whose results are outstanding. It starts with its first query. */
function createQueryThread(
  { file, maxPageBytes, declaredPaths, queue }: QueryThreadOptions,
  onResult: (result: QueryResult, waiting: WaitingQuery) => void,
  onDied: () => void = () => {},
) {
  const waiting = new Map<number, WaitingQuery>();
  let worker: Worker | undefined;
  let unsent: QueryRequest[] = [];
  let last = 0;

  function start(): Worker {
    if (worker) return worker;
    const url = new URL('./query-thread.ts', import.meta.url);
    worker = startThread(url, { file, maxPageBytes, declaredPaths, queue } satisfies QueryThreadOptions);
    worker.on('message', (results: readonly QueryResult[]) => {
      for (const result of results) {
        const query = waiting.get(result.number);
        waiting.delete(result.number);
        if (query) onResult(result, query);
      }
    });
    worker.on('error', (error) => {
      // The next query starts another thread.
      worker = undefined;
      const failed = [...waiting.values()];
      waiting.clear();
      for (const { reject } of failed) reject(error as Error);
      onDied();
    });
    return worker;
  }

  function send(): void {
    const requests = unsent;
    unsent = [];
    start().postMessage(requests);
  }

  return {
    waiting,
    start,
    add(query: WaitingQuery, budgetMs: number): void {
      last += 1;
      waiting.set(last, query);
      if (unsent.length === 0) setImmediate(send);
      unsent.push({ number: last, query: query.query, budgetMs, endsAtMs: query.endsAtMs });
    },
    close: () => closeThread(worker),
  };
}

/** Creates the queues. A thread starts with its first query, the one of searches also by `warm`. */
export function createQueryThreads(options: QueryThreadsOptions): QueryThreads & { warm(): void } {
  const { timeoutMs, metrics } = options;
  const short = Array.from({ length: options.threads - 1 }, () =>
    createQueryThread({ ...options, queue: 'short' }, onShort),
  );
  const searches = createQueryThread({ ...options, queue: 'search' }, onShort);
  const long = createQueryThread({ ...options, queue: 'long' }, onLong, next);
  /** Queries that exceeded their budget in the short queue before: they begin in the long queue. */
  const outgrown = new WeakSet<object>();
  const keyOf = (query: Query): object =>
    'list' in query ? query.list : 'search' in query ? query.search : query.exists;

  /** The thread of the long queue has one query at a time, so that those behind it can still time out. */
  const longQueue: WaitingQuery[] = [];

  function settle(result: QueryResult, waiting: WaitingQuery): void {
    const { resolve, reject } = waiting;
    if ('page' in result) resolve(result.page);
    else if ('exists' in result) resolve(result.exists);
    else if ('outOfTime' in result) reject(timedOut(timeoutMs, waiting.queue));
    else if ('refusal' in result) {
      reject(new ServiceError(result.refusal.code, result.refusal.message, result.refusal.details));
    } else reject(new Error(result.error));
  }

  function onShort(result: QueryResult, waiting: WaitingQuery): void {
    metrics.recordQuery(kindOf(waiting.query), waiting.queue, result.ms);
    if (!('outOfTime' in result)) {
      settle(result, waiting);
      return;
    }
    // A search exceeds its budget also because caches are being built: its own thread has them for the next one.
    if (waiting.queue === 'short') outgrown.add(keyOf(waiting.query));
    addLong(waiting);
  }

  function addLong(waiting: WaitingQuery): void {
    if (waiting.endsAtMs <= clockMs()) {
      waiting.reject(timedOut(timeoutMs, waiting.queue));
      return;
    }
    if (longQueue.length >= maxWaitingLong) {
      waiting.reject(overCapacity());
      return;
    }
    longQueue.push(waiting);
    next();
  }

  function onLong(result: QueryResult, waiting: WaitingQuery): void {
    metrics.recordQuery(kindOf(waiting.query), 'long', result.ms);
    settle(result, waiting);
    next();
  }

  function next(): void {
    while (long.waiting.size === 0) {
      const waiting = longQueue.shift();
      if (!waiting) return;
      const budgetMs = waiting.endsAtMs - clockMs();
      if (budgetMs <= 0) waiting.reject(timedOut(timeoutMs, waiting.queue));
      else long.add(waiting, budgetMs);
    }
  }

  function run<T extends ListPage | SearchPage | boolean>(query: Query): Promise<T> {
    const isSearch = 'search' in query;
    const thread = isSearch
      ? searches
      : short.reduce((least, other) => (other.waiting.size < least.waiting.size ? other : least));
    if (thread.waiting.size >= maxWaitingShort) return Promise.reject(overCapacity());
    return new Promise<T>((resolve, reject) => {
      const waiting: WaitingQuery = {
        query,
        queue: isSearch ? 'search' : 'short',
        endsAtMs: clockMs() + timeoutMs,
        resolve: resolve as WaitingQuery['resolve'],
        reject,
      };
      if (outgrown.has(keyOf(query))) addLong(waiting);
      else thread.add(waiting, Math.min(isSearch ? searchBudgetMs : shortBudgetMs, timeoutMs));
    });
  }

  return {
    list: (query) => run<ListPage>(query),
    exists: (query) => run<boolean>(query),
    search: (query) => run<SearchPage>(query),
    warm: () => void searches.start(),
    async close() {
      for (const { reject } of longQueue.splice(0)) reject(overCapacity());
      await Promise.all([...short, searches, long].map((thread) => thread.close()));
    },
  };
}
