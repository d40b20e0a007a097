import { parentPort, workerData } from 'node:worker_threads';
import { ServiceError } from '../../../contract/errors.ts';
import type { ListPage, SearchPage } from '../../../domain/ports/list-query.ts';
import type { SearchQuery } from '../../../domain/search/query/query.ts';
import { openReadConnection } from '../open/connection.ts';
import { type CompiledExists, type CompiledList, registerFunctions, runExists, runList } from '../query/run-list.ts';
import { sharedEffort, wholeEffort } from '../search/build-policy.ts';
import { advanceMemory, createSearchMemory, runSearch, type SearchMemory } from '../search/search.ts';
import { rehearsal } from '../search/warm-up.ts';
import { clockMs } from '../thread/clock.ts';

/** A query with its time, as it crosses to a read thread. */
export interface ReadRequest {
  readonly number: number;
  readonly query:
    | { readonly list: CompiledList }
    | { readonly exists: CompiledExists }
    | { readonly search: SearchQuery };
  /** Time from the moment the thread takes it up. */
  readonly budgetMs: number;
  /** When it is too late to begin, by `clockMs`. */
  readonly endsAtMs: number;
}

export type ReadResult =
  | { readonly number: number; readonly ms: number; readonly page: ListPage | SearchPage }
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
  readonly declaredPaths: readonly string[];
  readonly lane: 'short' | 'search' | 'long';
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
const { file, lane, ...limits } = workerData as ReadThreadOptions;
const deadline = createDeadline();
const db = openReadConnection(file, 8192);
registerFunctions(db, deadline);
let memory: SearchMemory | undefined;

/** In the long lane whoever asks waits for all that a search remembers; in the lane of searches others would, too. */
const effort =
  lane === 'search'
    ? sharedEffort(() => {
        throw new OutOfTime();
      }, deadline.extend)
    : wholeEffort(() => deadline.checkNow());

function answer(query: ReadRequest['query']): { readonly page: ListPage | SearchPage } | { readonly exists: boolean } {
  if ('list' in query) return { page: runList(db, query.list, deadline, limits.maxPageBytes) };
  if ('exists' in query) return { exists: runExists(db, query.exists, deadline) };
  memory ??= createSearchMemory(db, effort);
  return { page: runSearch(db, query.search, memory, deadline, limits) };
}

function run({ number, query, budgetMs, endsAtMs }: ReadRequest): ReadResult {
  const begun = performance.now();
  const took = () => performance.now() - begun;
  const leftMs = endsAtMs - clockMs();
  if (leftMs <= 0) return { number, ms: took(), outOfTime: true };
  deadline.begin(Math.min(budgetMs, leftMs));
  try {
    return { number, ...answer(query), ms: took() };
  } catch (error) {
    if (error instanceof OutOfTime) return { number, ms: took(), outOfTime: true };
    if (error instanceof ServiceError) {
      const { code, message, details } = error;
      return { number, ms: took(), refusal: { code, message, details } };
    }
    return { number, ms: took(), fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

if (lane === 'search') run({ number: 0, query: { search: rehearsal }, budgetMs: 1000, endsAtMs: clockMs() + 1000 });

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
  scheduleAdvance();
});

let scheduled = false;

/** Makes what searches went without, a portion after another; requests that come meanwhile are answered between. */
function scheduleAdvance(): void {
  if (!memory || scheduled || lane !== 'search') return;
  scheduled = true;
  setImmediate(() => {
    scheduled = false;
    if (memory && db.isOpen && advanceMemory(db, memory)) scheduleAdvance();
  });
}
