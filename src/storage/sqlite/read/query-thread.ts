import { parentPort, workerData } from 'node:worker_threads';
import { ServiceError } from '../../../contract/errors.ts';
import type { ListPage, SearchPage } from '../../../domain/ports/list-query.ts';
import type { SearchQuery } from '../../../domain/search/query/query.ts';
import { openReadConnection } from '../open/connection.ts';
import { registerFunctions } from '../query/functions.ts';
import type { CompiledList, Selection } from '../query/plan-list.ts';
import { runExists, runList } from '../query/run-list.ts';
import { eagerPolicy, sharedPolicy } from '../search/build-policy.ts';
import { advanceSearchCache, createSearchCache, runSearch, type SearchCache } from '../search/search.ts';
import { warmUpSearch } from '../search/warm-up.ts';
import { clockMs } from '../threads.ts';

/** A query with its time limits, as it is sent to a query thread. */
export interface QueryRequest {
  readonly number: number;
  readonly query: { readonly list: CompiledList } | { readonly exists: Selection } | { readonly search: SearchQuery };
  /** Time from when the thread begins with it. */
  readonly budgetMs: number;
  /** The deadline, by `clockMs`. */
  readonly endsAtMs: number;
}

export type QueryResult = QueryOutcome & { readonly number: number; readonly ms: number };

type QueryOutcome =
  | { readonly page: ListPage | SearchPage }
  | { readonly exists: boolean }
  | { readonly outOfTime: true }
  | { readonly refusal: QueryRefusal }
  | { readonly error: string };

/** A ServiceError as plain data: structured cloning loses classes. */
export interface QueryRefusal {
  readonly code: ServiceError['code'];
  readonly message: string;
  readonly details: ServiceError['details'];
}

export interface QueryThreadOptions {
  readonly file: string;
  readonly maxPageBytes: number;
  readonly declaredPaths: readonly string[];
  readonly queue: 'short' | 'search' | 'long';
}

class OutOfTime extends Error {}

/** Stops a query from inside: SQLite has no other way to be interrupted here. Called for every row that is read. */
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
      if ((calls & 31) === 0) this.checkNow();
    },
    extend(ms: number) {
      endsAt += ms;
    },
    checkNow() {
      if (performance.now() > endsAt) throw new OutOfTime();
    },
  };
}

const port = parentPort;
if (!port) throw new Error('This file is the entry of a worker thread.');
const { file, queue, ...limits } = workerData as QueryThreadOptions;
const deadline = createDeadline();
const db = openReadConnection(file, 8192);
registerFunctions(db, deadline);
let cache: SearchCache | undefined;

/** In the long queue a search waits until all caches it needs are built; in the queue of searches others would, too. */
const policy =
  queue === 'search'
    ? sharedPolicy(() => {
        throw new OutOfTime();
      }, deadline.extend)
    : eagerPolicy(() => deadline.checkNow());

function execute({ query, budgetMs, endsAtMs }: QueryRequest): QueryOutcome {
  const leftMs = endsAtMs - clockMs();
  if (leftMs <= 0) return { outOfTime: true };
  deadline.begin(Math.min(budgetMs, leftMs));
  try {
    if ('list' in query) return { page: runList(db, query.list, deadline, limits.maxPageBytes) };
    if ('exists' in query) return { exists: runExists(db, query.exists, deadline) };
    cache ??= createSearchCache(db, policy);
    return { page: runSearch(db, query.search, cache, deadline, limits) };
  } catch (error) {
    if (error instanceof OutOfTime) return { outOfTime: true };
    if (error instanceof ServiceError) {
      const { code, message, details } = error;
      return { refusal: { code, message, details } };
    }
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function run(request: QueryRequest): QueryResult {
  const begun = performance.now();
  const outcome = execute(request);
  return { ...outcome, number: request.number, ms: performance.now() - begun };
}

if (queue === 'search') run({ number: 0, query: { search: warmUpSearch }, budgetMs: 1000, endsAtMs: clockMs() + 1000 });

port.on('message', (command: readonly QueryRequest[] | 'close') => {
  if (command === 'close') {
    db.close();
    port.close();
    return;
  }
  db.exec('BEGIN');
  let results: QueryResult[] = [];
  let posted = performance.now();
  for (const request of command) {
    results.push(run(request));
    // Quick results are sent together; none of them waits for a slow query behind it.
    if (performance.now() - posted > 2) {
      port.postMessage(results);
      results = [];
      posted = performance.now();
    }
  }
  if (results.length > 0) port.postMessage(results);
  db.exec('COMMIT');
  scheduleAdvance();
});

let scheduled = false;

/** Builds the caches that searches went without, in portions; requests that arrive meanwhile run in between. */
function scheduleAdvance(): void {
  if (!cache || scheduled || queue !== 'search') return;
  scheduled = true;
  setImmediate(() => {
    scheduled = false;
    if (cache && db.isOpen && advanceSearchCache(db, cache)) scheduleAdvance();
  });
}
