import { parentPort, workerData } from 'node:worker_threads';
import { ServiceError } from '../../contract/errors.ts';
import type { ListPage } from '../../domain/ports.ts';
import { openReadConnection } from './connection.ts';
import { type CompiledExists, type CompiledList, registerFunctions, runExists, runList } from './list.ts';

/** A query with its time, as it crosses to a read thread. */
export interface ReadRequest {
  readonly number: number;
  readonly query: { readonly list: CompiledList } | { readonly exists: CompiledExists };
  /** Time from the moment the thread takes it up. */
  readonly budgetMs: number;
}

export type ReadResult =
  | { readonly number: number; readonly ms: number; readonly page: ListPage }
  | { readonly number: number; readonly ms: number; readonly exists: boolean }
  | { readonly number: number; readonly ms: number; readonly outOfTime: true }
  | { readonly number: number; readonly ms: number; readonly refusal: ReadRefusal }
  | { readonly number: number; readonly ms: number; readonly fault: string };

/** A ServiceError as plain data: classes do not survive the crossing. */
export interface ReadRefusal {
  readonly code: ServiceError['code'];
  readonly message: string;
  readonly details: ServiceError['details'];
}

export interface ReadThreadOptions {
  readonly file: string;
  readonly maxPageBytes: number;
}

class OutOfTime extends Error {}

/** Stops a query from inside: SQLite has no other way to be interrupted here. Called for every row that is looked at. */
function createDeadline() {
  let endsAt = 0;
  let calls = 0;
  return {
    begin(budgetMs: number) {
      endsAt = performance.now() + budgetMs;
      calls = 0;
    },
    check() {
      calls += 1;
      // The clock costs more than the call: every 32nd row is often enough.
      if ((calls & 31) === 0 && performance.now() > endsAt) throw new OutOfTime();
    },
  };
}

const port = parentPort;
if (!port) throw new Error('This file is the entry of a worker thread.');
const { file, maxPageBytes } = workerData as ReadThreadOptions;
const deadline = createDeadline();
const db = openReadConnection(file, 8192);
registerFunctions(db, deadline);

function run({ number, query, budgetMs }: ReadRequest): ReadResult {
  const begun = performance.now();
  const took = () => performance.now() - begun;
  deadline.begin(budgetMs);
  try {
    return 'list' in query
      ? { number, page: runList(db, query.list, deadline, maxPageBytes), ms: took() }
      : { number, exists: runExists(db, query.exists, deadline), ms: took() };
  } catch (error) {
    if (error instanceof OutOfTime) return { number, ms: took(), outOfTime: true };
    if (error instanceof ServiceError) {
      const { code, message, details } = error;
      return { number, ms: took(), refusal: { code, message, details } };
    }
    return { number, ms: took(), fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

port.on('message', (command: readonly ReadRequest[] | 'close') => {
  if (command === 'close') {
    db.close();
    port.close();
    return;
  }
  db.exec('BEGIN');
  let results: ReadResult[] = [];
  let posted = performance.now();
  for (const request of command) {
    results.push(run(request));
    // Quick answers cross together; none of them waits for a slow one behind it.
    if (performance.now() - posted > 2) {
      port.postMessage(results);
      results = [];
      posted = performance.now();
    }
  }
  if (results.length > 0) port.postMessage(results);
  db.exec('COMMIT');
});
