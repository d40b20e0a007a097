import { parentPort, workerData } from 'node:worker_threads';
import { copyError } from '../../domain/error-copy.ts';
import { isRebuilding } from '../../index/follow/rebuild-mark.ts';
import { warmUpList, warmUpSearch } from '../../index/plan/warm-up.ts';
import { beginTrace, registerFunctions, traceOf } from '../../index/query/functions.ts';
import { compileExists, compileList } from '../../index/query/plan-list.ts';
import { runExists, runList } from '../../index/query/run-list.ts';
import { runSearch } from '../../index/search/search.ts';
import { createSearchCache } from '../../index/search/search-cache.ts';
import { Interrupted, QueryDeadline } from '../../index/threads/deadline.ts';
import type {
  Answer,
  Query,
  QueryRequest,
  QueryResult,
  QueryThreadOptions,
  Trace,
} from '../../index/threads/query-messages.ts';
import { createChangedRows } from '../../record/sqlite/log/changed-rows.ts';
import { LogReader } from '../../record/sqlite/log/read-log.ts';
import { openReadConnection, readError } from '../../sqlite/connection.ts';
import { lastSequence } from '../../sqlite/position.ts';
import { notedFromMs } from '../../telemetry/slow-queries.ts';

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
const cache = createSearchCache(db, createChangedRows(db), { check: () => deadline.checkBuild() });
let logReader: LogReader | undefined;

function execute({ kind, asked }: Query): Answer {
  switch (kind) {
    case 'list':
      return runList(db, compileList(asked, declaredPaths), deadline, maxPageBytes);
    case 'exists':
      return runExists(db, compileExists(asked, declaredPaths), deadline);
    case 'search':
      return runSearch(db, asked, cache, deadline, { maxPageBytes, declaredPaths });
    case 'changes':
      logReader ??= new LogReader(db);
      return logReader.read(asked);
  }
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

/** True if what a mirror has of a project is no state of it as a whole. */
const isPartial = db.prepare('SELECT 1 FROM mirrored WHERE project_key = ? AND complete = 0');
isPartial.setReturnArrays(true);

/** Whether a query may be answered in the snapshot. The log needs no index. */
function mayRun({ kind, asked }: Query, isUpToDate: boolean): boolean {
  return kind === 'changes' || (isUpToDate && isPartial.get(asked.projectKey) === undefined);
}

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
    results.push(mayRun(request.query, isUpToDate) ? run(request) : { slot: request.slot, ms: 0, behind: true });
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
const warmUps: readonly Query[] = [
  { kind: 'search', asked: warmUpSearch },
  { kind: 'list', asked: warmUpList },
  { kind: 'list', asked: { ...warmUpList, sort: [] } },
];
for (const query of warmUps) {
  run({ slot: 0, query, isLong: true });
}
port.postMessage('ready');
