import { parentPort, workerData } from 'node:worker_threads';
import { copyError, type ErrorCopy } from '../../../domain/error-copy.ts';
import type { SearchQuery } from '../../../domain/search/query/query.ts';
import { notedFromMs, type QueryRun } from '../../../telemetry/query-runs.ts';
import { warmUpList, warmUpSearch } from '../../query/warm-up.ts';
import { type LogQuery, LogReader } from '../log/read-log.ts';
import { openReadConnection, readError } from '../open/connection.ts';
import { lastSequence } from '../open/position.ts';
import { isRebuilding } from '../open/rebuilding.ts';
import { beginTrace, registerFunctions, traceOf } from '../query/functions.ts';
import { type CompiledList, compileList, type Selection } from '../query/plan-list.ts';
import { runExists, runList } from '../query/run-list.ts';
import { runSearch } from '../search/search.ts';
import { createSearchCache } from '../search/search-cache.ts';
import { Interrupted, type Interruption, QueryDeadline, type Signals } from './deadline.ts';
import type { Answer } from './query-job.ts';

export type Query =
  | { readonly list: CompiledList }
  | { readonly exists: Selection }
  | { readonly search: SearchQuery }
  | { readonly log: LogQuery };

/** A query as it is sent to a query thread. */
export interface QueryRequest {
  /** Its slot in the thread. */
  readonly slot: number;
  readonly query: Query;
  /** It does not yield. */
  readonly isLong: boolean;
}

export type QueryResult = { readonly slot: number; readonly ms: number; readonly trace?: Trace } & (
  | { readonly answer: Answer }
  | { readonly interruption: Interruption }
  | { readonly error: ErrorCopy }
  /** The indexes are behind the changes in the snapshot: they have to catch up first. */
  | { readonly behind: true }
);

/** How a query ran that took long. */
type Trace = Pick<QueryRun, 'rowsRead' | 'plan'>;

export interface QueryThreadOptions {
  readonly file: string;
  readonly maxPageBytes: number;
  readonly declaredPaths: readonly string[];
  /** Processor time that a query may use. */
  readonly timeoutMs: number;
  readonly signals: Signals;
}

/** Processor time after which a short query yields if others wait: what those may have to wait for it. */
const shareMs = 20;

/** Results are sent together, unless their computation takes longer than this. */
const postedMs = 1;

const port = parentPort;
if (!port) throw new Error('This file is the entry of a worker thread.');
const { file, maxPageBytes, declaredPaths, timeoutMs, signals } = workerData as QueryThreadOptions;
const deadline = new QueryDeadline({ usedMs: timeoutMs, shareMs: Math.min(shareMs, timeoutMs) }, signals);
const db = openReadConnection(file, 8192);
registerFunctions(db, deadline);
const cache = createSearchCache(db, { check: () => deadline.checkBuild() });
let logReader: LogReader | undefined;

function execute(query: Query): Answer {
  if ('list' in query) return runList(db, query.list, deadline, maxPageBytes);
  if ('exists' in query) return runExists(db, query.exists, deadline);
  if ('search' in query) return runSearch(db, query.search, cache, deadline, { maxPageBytes, declaredPaths });
  logReader ??= new LogReader(db);
  return logReader.read(query.log);
}

function run({ slot, query, isLong }: QueryRequest): QueryResult {
  const begun = performance.now();
  const traced = (): { ms: number; trace?: Trace } => {
    const ms = performance.now() - begun;
    return ms < notedFromMs ? { ms } : { ms, trace: traceOf(db) };
  };
  deadline.begin(slot, isLong);
  beginTrace(db);
  try {
    deadline.checkNow();
    return { slot, answer: execute(query), ...traced() };
  } catch (error) {
    if (error instanceof Interrupted) return { slot, interruption: error.interruption, ...traced() };
    return { slot, error: copyError(readError(error)), ...traced() };
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

/** Runs queries in one snapshot. */
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
  let posted = performance.now();
  for (const request of batch) {
    // The log needs no index.
    const isRun = isUpToDate || 'log' in request.query;
    results.push(isRun ? run(request) : { slot: request.slot, ms: 0, behind: true });
    if (performance.now() - posted < postedMs) continue;
    port!.postMessage(results);
    results = [];
    posted = performance.now();
  }
  if (results.length > 0) port!.postMessage(results);
  endSnapshot();
}

port.on('message', (command: readonly QueryRequest[] | 'close') => {
  if (command !== 'close') return runBatch(command);
  db.close();
  port.close();
});

// The first queries of clients must not wait for code to be loaded and statements to be prepared.
for (const query of [
  { search: warmUpSearch },
  { list: compileList(warmUpList, declaredPaths) },
  { list: compileList({ ...warmUpList, sort: [] }, declaredPaths) },
]) {
  run({ slot: 0, query, isLong: true });
}
port.postMessage('ready');
