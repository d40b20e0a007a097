import { ServiceError } from '../../../contract/errors.ts';
import { errorOfCopy } from '../../../domain/error-copy.ts';
import type { ListPage, SearchPage } from '../../../domain/ports/list-query.ts';
import { noteRun } from '../../../telemetry/query-runs.ts';
import type { QueryKind, StoreMetrics } from '../../../telemetry/store-metrics.ts';
import type { LogPortion, LogQuery } from '../log/read-log.ts';
import { QueryQueue } from './query-queue.ts';
import type { QueryRequest, QueryResult, QueryThreadOptions } from './query-thread.ts';
import { QueryWorkers, type WaitingQuery } from './query-workers.ts';

/**
 * Lists, existence checks and searches run in threads of their own, so that none of them delays point reads and writes.
 * Every list begins in the short queue, where it may take some milliseconds; if it needs more, it starts again in the
 * long queue with the whole deadline, so that no scan delays an indexed query. Searches have two queues as well, whose
 * threads have the caches of searches: a search that exceeds its share moves to the long one only if others wait.
 */
export interface QueryThreads {
  /** `source`: the query as the caller handed it in, by which its run is noted if it took long. */
  list(
    query: QueryRequest['query'] & { list: unknown },
    signal: AbortSignal | undefined,
    source: object,
    behind: Promise<void> | undefined,
  ): Promise<ListPage>;
  exists(query: QueryRequest['query'] & { exists: unknown }, signal?: AbortSignal, source?: object): Promise<boolean>;
  search(query: QueryRequest['query'] & { search: unknown }, signal?: AbortSignal): Promise<SearchPage>;
  /** A portion of what the log has. Needs no index. */
  log(query: LogQuery): Promise<LogPortion>;
  /** Starts a thread for the first query, whichever that is; resolves when it is ready. */
  warm(): Promise<void>;
  /** True when `warm` has resolved. */
  isWarm(): boolean;
  close(): Promise<void>;
}

export interface QueryThreadsOptions extends Pick<QueryThreadOptions, 'file' | 'maxPageBytes' | 'declaredPaths'> {
  /** Threads for lists, at least 2: the last one is for the long queue. */
  readonly threads: number;
  /** Threads for searches, at least 2: all but the first are for those that take long. */
  readonly searchThreads: number;
  /** Processor time of a query, and the longest time that it waits in a queue. */
  readonly timeoutMs: number;
  readonly metrics: StoreMetrics;
  readonly indexes: Indexes;
}

/** The indexes that the queries read, as far as they may be behind the changes. Implemented by the writer. */
export interface Indexes {
  /**
   * To be called before each query. Where the indexes are known to be behind, resolves when they have every change that
   * was acknowledged before the call.
   */
  beginQuery(projectKey: string): Promise<void> | undefined;
  /** Brings them up to date for queries of a project. Rejects with a ServiceError. */
  catchUp(projectKey: string): Promise<void>;
}

/** Processor time of a list in the short queue: what others behind it may have to wait. */
const shortMs = 10;

/** A list leaves the short queue after this elapsed time as well, since those behind it wait. */
const shortElapsedMs = 30;

/** Processor time that a search always has, even if others wait behind it. */
const searchShareMs = 40;

/** A query has stalled after twice its processor time plus this. */
const stallMs = 500;

/** Queries that a thread has at once in the queues of short ones: while it runs one, the next ones are sent. */
const shortSlots = 64;
const searchSlots = 8;

/** The next searches are sent while one runs only if that is over in a moment: a thread does not hand them back. */
const searchAheadMs = 4;

/** Queries that may wait in a queue; more are refused. For one project half as many. */
const maxWaitingShort = 2000;
const maxWaitingLong = 64;

type Query = QueryRequest['query'];

function kindOf(query: Query): QueryKind {
  if ('list' in query) return 'list';
  if ('search' in query) return 'search';
  return 'log' in query ? 'changes' : 'exists';
}

function keyOf(query: Query): object & { readonly projectKey: string } {
  if ('list' in query) return query.list;
  if ('search' in query) return query.search;
  return 'log' in query ? query.log : query.exists;
}

/** What the client can do about a timeout. */
const hints = {
  list: 'Add a condition that an index supports (equality, in and contains on any path; ranges and sorts on system fields, the fields of ArrayTestType and the declared paths), or ask with withTotal=false.',
  search: 'Ask for fewer words or locales, fewer facets, or less fuzziness.',
} as const;

function overCapacity(message: string): ServiceError {
  return new ServiceError('OverCapacity', message, {}, { 'retry-after': '1' });
}

/** Creates the queues. They take a thread with their first query; once `warm` is called, one is always ready. */
export function createQueryThreads(options: QueryThreadsOptions): QueryThreads {
  const { timeoutMs, metrics, threads, searchThreads, indexes, ...thread } = options;
  const { catchUp } = indexes;
  const workers = new QueryWorkers(thread, threads + searchThreads);
  const elapsedMs = 2 * timeoutMs + stallMs;
  const whole = { usedMs: timeoutMs, elapsedMs, shareMs: Number.POSITIVE_INFINITY, buildMs: searchShareMs };
  const all = { maxWaitMs: timeoutMs, maxBuildWaitMs: elapsedMs, catchUp, workers };
  const short = new QueryQueue({
    ...{
      threads: threads - 1,
      slots: shortSlots,
      maxWaiting: maxWaitingShort,
      onResult: onShort,
      ...all,
    },
    role: {
      isForSearches: false,
      limits: { ...whole, usedMs: Math.min(shortMs, timeoutMs), elapsedMs: shortElapsedMs },
    },
  });
  const long = new QueryQueue({
    ...{ threads: 1, slots: 1, maxWaiting: maxWaitingLong, onResult: onLong, ...all },
    role: { isForSearches: false, limits: whole },
  });
  const search = new QueryQueue({
    ...{
      threads: 1,
      slots: searchSlots,
      aheadMs: searchAheadMs,
      maxWaiting: maxWaitingShort,
      onResult: onSearch,
      ...all,
    },
    role: { isForSearches: true, limits: { ...whole, shareMs: searchShareMs } },
  });
  const longSearch = new QueryQueue({
    ...{ threads: searchThreads - 1, slots: 1, maxWaiting: maxWaitingLong, onResult: onLong, ...all },
    role: { isForSearches: true, limits: whole },
  });
  const queues = [short, search, long, longSearch];
  metrics.recordWaiting('short', short.waiting);
  metrics.recordWaiting('search', search.waiting);
  metrics.recordWaiting('long', () => long.waiting() + longSearch.waiting());

  /** Lists that exceeded their time in the short queue before: they begin in the long queue. */
  const outgrown = new WeakSet<object>();

  function settle(queue: string, result: QueryResult, waiting: WaitingQuery): void {
    const { query, resolve, reject, origin } = waiting;
    if (origin) {
      const { ms: ranMs, trace } = result;
      noteRun(origin.source, { queue, totalMs: performance.now() - origin.arrivedMs, ranMs, plan: [], ...trace });
    }
    if ('page' in result) resolve(result.page);
    else if ('exists' in result) resolve(result.exists);
    else if ('portion' in result) resolve(result.portion);
    else if ('interruption' in result) reject(refusalOf(result.interruption, query));
    else reject('error' in result ? errorOfCopy(result.error) : new Error('The query was not started.'));
  }

  function refusalOf(interruption: string, query: Query): ServiceError {
    // The query did not use its time, so nothing about the query would help.
    if (interruption !== 'outOfTime') return overCapacity('The machine is too busy for the query. Try again.');
    const hint = 'search' in query ? hints.search : hints.list;
    return new ServiceError('QueryTimedOut', `The query timed out after ${timeoutMs} ms. ${hint}`);
  }

  function onShort(result: QueryResult, waiting: WaitingQuery): void {
    metrics.recordQuery(kindOf(waiting.query), 'short', result.ms);
    if ('interruption' in result) {
      if (result.interruption === 'outOfTime') outgrown.add(keyOf(waiting.query));
      long.add(waiting);
    } else settle('short', result, waiting);
  }

  function onSearch(result: QueryResult, waiting: WaitingQuery): void {
    metrics.recordQuery(kindOf(waiting.query), 'search', result.ms);
    if ('interruption' in result && result.interruption === 'yielded') longSearch.add(waiting);
    else settle('search', result, waiting);
  }

  function onLong(result: QueryResult, waiting: WaitingQuery): void {
    metrics.recordQuery(kindOf(waiting.query), 'long', result.ms);
    settle('long', result, waiting);
  }

  function run<T extends ListPage | SearchPage | boolean>(
    query: Query,
    signal: AbortSignal | undefined,
    source: object | undefined,
    behind: Promise<void> | undefined,
  ): Promise<T> {
    const key = keyOf(query);
    const queue = 'search' in query ? search : outgrown.has(key) ? long : short;
    return new Promise<T>((resolve, reject) => {
      const { projectKey } = key;
      const origin = { source: source ?? key, arrivedMs: performance.now() };
      const waiting = { projectKey, query, signal, origin, resolve: resolve as WaitingQuery['resolve'], reject };
      if (behind) behind.then(() => queue.add(waiting), reject);
      else queue.add(waiting);
    });
  }

  function readLog(query: LogQuery): Promise<LogPortion> {
    return new Promise<LogPortion>((resolve, reject) => {
      const { projectKey } = query;
      const waiting = { projectKey, query: { log: query }, signal: undefined, origin: undefined };
      short.add({ ...waiting, resolve: resolve as WaitingQuery['resolve'], reject });
    });
  }

  let isWarm = false;
  return {
    log: readLog,
    list: (query, signal, source, behind) => run<ListPage>(query, signal, source, behind),
    exists: (query, signal, source) => run<boolean>(query, signal, source, indexes.beginQuery(keyOf(query).projectKey)),
    search: (query, signal) => run<SearchPage>(query, signal, undefined, indexes.beginQuery(keyOf(query).projectKey)),
    async warm() {
      await workers.warm();
      isWarm = true;
    },
    isWarm: () => isWarm,
    close: async () => void (await Promise.all([...queues, workers].map((each) => each.close()))),
  };
}
