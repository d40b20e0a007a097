import { parentPort, workerData } from 'node:worker_threads';
import { copyError, type ErrorCopy } from '../../../domain/error-copy.ts';
import type { ListPage, SearchPage } from '../../../domain/ports/list-query.ts';
import type { SearchQuery } from '../../../domain/search/query/query.ts';
import { giveMemoryBackAtRest } from '../../../telemetry/memory-at-rest.ts';
import { notedFromMs, type QueryRun } from '../../../telemetry/query-runs.ts';
import { warmUpList, warmUpSearch } from '../../query/warm-up.ts';
import { createLogReader, type LogPortion, type LogQuery, type LogReader } from '../log/read-log.ts';
import { isOutsideFault, openReadConnection, readError } from '../open/connection.ts';
import { lastSequence } from '../open/position.ts';
import { isRebuilding } from '../open/rebuilding.ts';
import { beginTrace, registerFunctions, traceOf } from '../query/functions.ts';
import { type CompiledList, compileList, type Selection } from '../query/plan-list.ts';
import { runExists, runList } from '../query/run-list.ts';
import { createBuildPolicy } from '../search/build-policy.ts';
import { runSearch } from '../search/search.ts';
import { advanceSearchCache, createSearchCache, hasUnfinished, type SearchCache } from '../search/search-cache.ts';
import {
  createDeadline,
  createSignals,
  Interrupted,
  type Interruption,
  type Signals,
  type TimeLimits,
} from './deadline.ts';

/** A query as it is sent to a query thread. */
export interface QueryRequest {
  /** Its slot in the thread. */
  readonly slot: number;
  readonly query:
    | { readonly list: CompiledList }
    | { readonly exists: Selection }
    | { readonly search: SearchQuery }
    | { readonly log: LogQuery };
}

export type QueryResult = { readonly slot: number; readonly ms: number; readonly trace?: Trace } & (
  | { readonly page: ListPage | SearchPage }
  | { readonly exists: boolean }
  | { readonly portion: LogPortion }
  | { readonly interruption: Interruption }
  | { readonly error: ErrorCopy }
  /** The batch has taken so long that the query is handed back, and others may run first. */
  | { readonly notStarted: true }
  /** The indexes are behind the changes in the snapshot: they have to catch up first. */
  | { readonly behind: true }
);

/** How a query ran that took long. */
type Trace = Pick<QueryRun, 'rowsRead' | 'plan'>;

export interface QueryThreadOptions {
  readonly file: string;
  readonly maxPageBytes: number;
  readonly declaredPaths: readonly string[];
}

/** What a thread is for: sent once, before its first queries, when a queue takes it. */
export interface QueryThreadRole {
  readonly limits: TimeLimits;
  readonly signals: Signals;
  readonly isForSearches: boolean;
}

/** After this time the rest of a batch is handed back: queries of other projects may have arrived meanwhile. */
const batchMs = 5;

const port = parentPort;
if (!port) throw new Error('This file is the entry of a worker thread.');
const { file, maxPageBytes, declaredPaths } = workerData as QueryThreadOptions;
const never = Number.POSITIVE_INFINITY;
const deadline = createDeadline({ usedMs: never, elapsedMs: never, shareMs: never, buildMs: never }, createSignals(1));
const db = openReadConnection(file, 8192);
registerFunctions(db, deadline);
let cache: SearchCache | undefined;
let readLog: LogReader | undefined;
let isForSearches = false;
/** Searches wait for what is built between searches. */
let isAwaited = false;

function execute(
  query: QueryRequest['query'],
): { readonly page: ListPage | SearchPage } | { readonly exists: boolean } | { readonly portion: LogPortion } {
  if ('list' in query) {
    return { page: runList(db, query.list, deadline, maxPageBytes) };
  }
  if ('exists' in query) return { exists: runExists(db, query.exists, deadline) };
  if ('log' in query) {
    readLog ??= createLogReader(db);
    return { portion: readLog(query.log) };
  }
  cache ??= createSearchCache(
    db,
    createBuildPolicy(() => deadline.checkBuild()),
  );
  return { page: runSearch(db, query.search, cache, deadline, { maxPageBytes, declaredPaths }) };
}

function run({ slot, query }: QueryRequest): QueryResult {
  const begun = performance.now();
  const took = () => performance.now() - begun;
  const traced = (ms: number): { ms: number; trace?: Trace } => {
    return ms < notedFromMs ? { ms } : { ms, trace: traceOf(db) };
  };
  deadline.begin(slot);
  beginTrace(db);
  try {
    deadline.checkNow();
    return { slot, ...execute(query), ...traced(took()) };
  } catch (error) {
    if (error instanceof Interrupted) {
      if (error.interruption === 'building') isAwaited = true;
      return { slot, ...traced(took()), interruption: error.interruption };
    }
    return { slot, ms: took(), error: copyError(readError(error)) };
  }
}

const upToDate = db.prepare(`SELECT indexed = ${lastSequence} AND NOT ${isRebuilding} FROM store`);
upToDate.setReturnArrays(true);

/** Ends the snapshot. What fails is a read, of which its caller was told; thrown again it would end the thread. */
function endSnapshot(): void {
  try {
    db.exec('COMMIT');
  } catch {
    if (db.isTransaction) db.exec('ROLLBACK');
  }
}

/**
 * Begins a snapshot. Returns whether the indexes have all changes in it: only then their rows are those of the resources. Throws
 * where the disk cannot be read.
 */
function beginSnapshot(): boolean {
  try {
    db.exec('BEGIN');
    return (upToDate.get() as unknown as readonly [number])[0] === 1;
  } catch (error) {
    if (db.isTransaction) endSnapshot();
    throw error;
  }
}

function runBatch(batch: readonly QueryRequest[]): void {
  let isUpToDate: boolean;
  try {
    isUpToDate = beginSnapshot();
  } catch (error) {
    const failed = copyError(readError(error));
    port!.postMessage(batch.map(({ slot }): QueryResult => ({ slot, ms: 0, error: failed })));
    return;
  }
  let results: QueryResult[] = [];
  const begun = performance.now();
  let posted = begun;
  for (const request of batch) {
    // The log needs no index.
    if (!('log' in request.query) && !isUpToDate) {
      results.push({ slot: request.slot, ms: 0, behind: true });
      continue;
    }
    const now = performance.now();
    const isLate = now - begun > batchMs;
    results.push(isLate ? { slot: request.slot, ms: 0, notStarted: true } : run(request));
    // Results of lists, which take microseconds, are sent together; behind a search there may be a long one.
    if (!isLate && (isForSearches || performance.now() - posted > 2)) {
      port!.postMessage(results);
      results = [];
      posted = performance.now();
    }
  }
  if (results.length > 0) port!.postMessage(results);
  endSnapshot();
}

let isScheduled = false;

/** Builds the caches that searches needed and did not have, in portions; queries that arrive meanwhile run in between. */
function scheduleAdvance(): void {
  if (!cache || isScheduled) return;
  isScheduled = true;
  setImmediate(() => {
    isScheduled = false;
    if (cache && db.isOpen && hasUnfinished(cache) && advance(cache)) scheduleAdvance();
    else if (isAwaited) {
      isAwaited = false;
      port!.postMessage('built');
    }
  });
}

/** One portion, in a snapshot of its own; true if there is more to do. If the indexes are behind, the next query goes on. */
function advance(cache: SearchCache): boolean {
  try {
    return beginSnapshot() && advanceSearchCache(db, cache);
  } catch (error) {
    // The next search reads it itself, and says so.
    if (isOutsideFault(error)) return false;
    throw error;
  } finally {
    if (db.isTransaction) endSnapshot();
  }
}

function begin(role: QueryThreadRole): void {
  deadline.serve(role.limits, role.signals);
  isForSearches = role.isForSearches;
  if (!isForSearches) cache = undefined;
}

port.on('message', (command: QueryThreadRole | readonly QueryRequest[] | 'close') => {
  if (command === 'close') {
    db.close();
    port.close();
  } else if ('limits' in command) {
    begin(command);
  } else {
    runBatch(command);
    scheduleAdvance();
  }
});

// The first queries of clients must not wait for code to be loaded and statements to be prepared.
run({ slot: 0, query: { search: warmUpSearch } });
run({ slot: 0, query: { list: compileList(warmUpList, declaredPaths) } });
run({ slot: 0, query: { list: compileList({ ...warmUpList, sort: [] }, declaredPaths) } });
port.postMessage('ready');
giveMemoryBackAtRest();
