import { availableParallelism } from 'node:os';
import { ServiceError } from '../../contract/errors.ts';
import { DamagedData } from '../../domain/damaged-data.ts';
import { errorOfCopy } from '../../domain/error-copy.ts';
import type { ListPage, ListQuery, SearchPage } from '../../domain/ports/list-query.ts';
import type { ResourceStore } from '../../domain/ports/resource-store.ts';
import type { Predicate } from '../../domain/predicate/ast.ts';
import type { SearchQuery } from '../../domain/search/query/query.ts';
import type { LogPortion, LogQuery } from '../../record/row/log-query.ts';
import { noteRun } from '../../telemetry/slow-queries.ts';
import type { StoreMetrics } from '../../telemetry/store-metrics.ts';
import { FairQueue } from '../../threads/fair-queue.ts';
import type { Answer, Query, QueryResult, QueryThreadOptions } from './query-messages.ts';
import { type QueryJob, QueryWorker, settle } from './query-worker.ts';

export interface QueryPoolOptions extends Omit<QueryThreadOptions, 'signals'> {
  /** The file that its threads begin with. */
  readonly thread: URL;
  /** At least 2: the first one is for short queries alone. Default: one for each core, at most 8. Each starts when it is needed. */
  readonly threads?: number;
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
  /** Has them leave out those of the rows that are damaged. */
  setAside(rows: readonly number[]): Promise<void>;
}

/** Resolves when a query of a project may run; undefined where it may at once. */
export type BeginQuery = Indexes['beginQuery'];

/** Queries that may wait; more are refused. For one project half as many. */
const maxWaiting = 2000;

const defaultThreads = () => Math.min(Math.max(availableParallelism(), 2), 8);

/** How often queries are checked for having taken too long. */
const sweepMs = 100;

/** A query is answered or refused after twice its processor time plus this. */
const extraMs = 500;

/** Advice for the client about a timeout. */
const hints = {
  list: 'Add a condition that an index supports (equality, in and contains on any path; ranges and sorts on system fields, the fields of ArrayTestType and the declared paths), or ask with withTotal=false.',
  search: 'Ask for fewer words or locales, fewer facets, or less fuzziness.',
} as const;

const refusal = (message: string) => new ServiceError('OverCapacity', message, {}, { 'retry-after': '1' });
const full = () => refusal('Too many queries are waiting. Try again.');
const waitedTooLong = () => refusal('The query has waited too long for others. Try again.');
const ranTooLong = () => refusal('The machine is too busy for the query. Try again.');

/**
 * The threads in which lists, existence checks and searches run, so that none of them delays point reads and writes:
 *
 * 1. Projects take turns, and within a project the order of arrival holds.
 * 2. A query begins as a short one. If it exceeds its share of the processor while others wait, it is stopped and begins again as
 *    a long one, which is not stopped.
 * 3. The first thread runs short queries only. The others run long ones, one at a time, before short ones.
 * 4. A query that has used its processor time is refused with 400. One that has neither used it nor been answered at its deadline is
 *    refused with 503, whether it waits or runs.
 */
export class QueryPool implements Pick<ResourceStore, 'list' | 'search' | 'exists'> {
  readonly #options: QueryPoolOptions;
  readonly #short = new FairQueue<QueryJob>();
  readonly #long = new FairQueue<QueryJob>();
  /** They wait until the indexes have caught up. */
  readonly #behind = new Set<QueryJob>();
  readonly #workers: readonly QueryWorker[];
  #isDispatchScheduled = false;
  #isClosed = false;
  #isWarm = false;
  #sweep: NodeJS.Timeout | undefined;

  /** Starts no thread: see `warm`. */
  constructor(options: QueryPoolOptions) {
    const { thread, threads = defaultThreads(), metrics, indexes: _, ...ofThread } = options;
    this.#options = options;
    this.#workers = Array.from({ length: threads }, () => new QueryWorker(thread, ofThread, this));
    metrics.recordWaiting('short', () => this.#short.size);
    metrics.recordWaiting('long', () => this.#long.size);
  }

  /** `begin`: what the query waits for, unless for all that was acknowledged before. */
  list(asked: ListQuery, signal?: AbortSignal, begin?: BeginQuery): Promise<ListPage> {
    return this.#run({ kind: 'list', asked }, signal, begin);
  }

  exists(
    projectKey: string,
    where: readonly Predicate[],
    staged: boolean,
    signal?: AbortSignal,
    begin?: BeginQuery,
  ): Promise<boolean> {
    return this.#run({ kind: 'exists', asked: { projectKey, where, staged } }, signal, begin);
  }

  search(asked: SearchQuery, signal?: AbortSignal, begin?: BeginQuery): Promise<SearchPage> {
    return this.#run({ kind: 'search', asked }, signal, begin);
  }

  /** A portion of what the log has. Needs no index. */
  log(asked: LogQuery): Promise<LogPortion> {
    return this.#run({ kind: 'changes', asked }, undefined, () => undefined);
  }

  /** Starts a thread for the first query; resolves when it is ready. */
  async warm(): Promise<void> {
    await this.#workers[0]!.start();
    this.#isWarm = true;
  }

  /** True when `warm` has resolved. */
  readonly isWarm = (): boolean => this.#isWarm;

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#sweep);
    for (const job of this.#removeWaiting(() => true)) settle(job, () => job.reject(full()));
    await Promise.all(this.#workers.map((worker) => worker.close()));
  }

  #run<T extends Answer>(query: Query, signal: AbortSignal | undefined, begin?: BeginQuery): Promise<T> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    const { projectKey } = query.asked;
    const behind = begin ? begin(projectKey) : this.#options.indexes.beginQuery(projectKey);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const job: QueryJob = {
      ...{ projectKey, query, signal, reject, arrivedMs: performance.now() },
      resolve: resolve as QueryJob['resolve'],
      onAbort: () => this.#cancel(job, signal!.reason),
      ...{ isLong: false, isRepeated: false, isSettled: false, worker: undefined, slot: 0 },
    };
    signal?.addEventListener('abort', job.onAbort);
    if (behind) this.#addAfter(behind, [job]);
    else this.#add(job);
    return promise;
  }

  #add(job: QueryJob): void {
    if (job.isSettled) return;
    const queue = job.isLong ? this.#long : this.#short;
    const ofProject = this.#short.sizeOf(job.projectKey) + this.#long.sizeOf(job.projectKey);
    if (this.#isClosed || this.#short.size + this.#long.size >= maxWaiting || ofProject >= maxWaiting / 2) {
      settle(job, () => job.reject(full()));
      return;
    }
    queue.add(job);
    this.#startSweep();
    if (this.#isDispatchScheduled) return;
    // The queries of one turn of the event loop are sent together.
    this.#isDispatchScheduled = true;
    setImmediate(() => {
      this.#isDispatchScheduled = false;
      this.#dispatch();
    });
  }

  async #addAfter(caughtUp: Promise<void>, jobs: readonly QueryJob[]): Promise<void> {
    for (const job of jobs) this.#behind.add(job);
    this.#startSweep();
    try {
      await caughtUp;
      for (const job of jobs) this.#add(job);
    } catch (error) {
      for (const job of jobs) settle(job, () => job.reject(error));
    } finally {
      for (const job of jobs) this.#behind.delete(job);
    }
  }

  /** Assigns waiting queries to threads with room for them; starts another thread where that is not enough. */
  #dispatch(): void {
    if (this.#isClosed) return;
    const [first, ...others] = this.#workers;
    for (const worker of others) {
      if (this.#long.size > 0 && worker.isReady && worker.running === 0) worker.assign(this.#long.take()!);
    }
    // While long queries wait, the threads for them take no short ones.
    const forShort = this.#long.size > 0 ? [first!] : this.#workers;
    while (this.#short.size > 0) {
      let least: QueryWorker | undefined;
      for (const worker of forShort) if (worker.hasRoom && !(least && least.running <= worker.running)) least = worker;
      if (!least) break;
      least.assign(this.#short.take()!);
    }
    const isEnough = this.#short.size + this.#long.size === 0 || this.#workers.some(({ isStarting }) => isStarting);
    const next = isEnough ? undefined : this.#workers.find(({ isReady }) => !isReady);
    void next?.start();
    for (const worker of this.#workers) worker.send(this.#short.size > 0);
  }

  /** A thread has started. */
  onReady(): void {
    this.#dispatch();
  }

  /** What has come of queries of a thread. */
  onResults(results: readonly (readonly [QueryResult, QueryJob])[]): void {
    const behind: QueryJob[] = [];
    for (const [result, job] of results) {
      if ('behind' in result) behind.push(job);
      else this.#receive(result, job);
    }
    for (const [projectKey, jobs] of Map.groupBy(behind, (job) => job.projectKey)) {
      void this.#addAfter(this.#options.indexes.catchUp(projectKey), jobs);
    }
    this.#dispatch();
  }

  /** A thread has died with these queries. The waiting ones go to the next thread. */
  onFailed(jobs: readonly QueryJob[], error: unknown): void {
    for (const job of jobs) settle(job, () => job.reject(error));
    this.#dispatch();
  }

  /** A thread could not start. Where none runs, the next would fare alike: the waiting queries get its error. */
  onNotStarted(error: unknown): void {
    if (this.#workers.some(({ isReady }) => isReady)) return;
    for (const job of this.#removeWaiting(() => true)) settle(job, () => job.reject(error));
  }

  #receive(result: QueryResult, job: QueryJob): void {
    if (job.isSettled) return;
    const queue = job.isLong ? 'long' : 'short';
    this.#options.metrics.recordQuery(job.query.kind, queue, result.ms);
    if ('interruption' in result && result.interruption === 'yielded') {
      job.isLong = true;
      this.#add(job);
      return;
    }
    const { ms: ranMs, trace } = result;
    const { kind, asked } = job.query;
    // The query as the caller handed it in.
    const source = kind === 'exists' ? asked.where : asked;
    noteRun(source, { queue, totalMs: performance.now() - job.arrivedMs, ranMs, plan: [], ...trace });
    if ('error' in result) this.#failed(job, errorOfCopy(result.error));
    else settle(job, () => ('answer' in result ? job.resolve(result.answer) : job.reject(this.#timedOut(job.query))));
  }

  /** What a query finds to be damaged is set aside, and the query runs once more without it. */
  #failed(job: QueryJob, error: Error): void {
    const damaged = error instanceof DamagedData ? error.place.rows : undefined;
    const setAside = damaged && this.#options.indexes.setAside(damaged);
    if (setAside && !job.isRepeated) {
      job.isRepeated = true;
      void this.#addAfter(setAside, [job]);
    } else settle(job, () => job.reject(error));
  }

  #timedOut(query: Query): ServiceError {
    const hint = query.kind === 'search' ? hints.search : hints.list;
    return new ServiceError('QueryTimedOut', `The query timed out after ${this.#options.timeoutMs} ms. ${hint}`);
  }

  /** Ends a query, whether it waits or runs. */
  #cancel(job: QueryJob, reason: unknown): void {
    settle(job, () => job.reject(reason));
    if (job.worker) job.worker.cancel(job);
    else this.#removeWaiting((each) => each === job);
  }

  #removeWaiting(isRemoved: (job: QueryJob) => boolean): readonly QueryJob[] {
    return [this.#short, this.#long].flatMap((queue) => (queue.size === 0 ? [] : queue.remove(isRemoved)));
  }

  #startSweep(): void {
    if (!this.#isClosed) this.#sweep ??= setInterval(() => this.#endLate(), sweepMs).unref();
  }

  /** Refuses the queries whose deadline is over. */
  #endLate(): void {
    const last = performance.now() - (2 * this.#options.timeoutMs + extraMs);
    const isLate = (job: QueryJob) => job.arrivedMs < last;
    const waiting = [...this.#removeWaiting(isLate), ...[...this.#behind].filter(isLate)];
    for (const job of waiting) settle(job, () => job.reject(waitedTooLong()));
    const running = this.#workers.flatMap((worker) => worker.jobs());
    for (const job of running) if (!job.isSettled && isLate(job)) this.#cancel(job, ranTooLong());
    if (this.#short.size + this.#long.size + this.#behind.size + running.length > 0) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }
}
