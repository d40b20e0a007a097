import type { DatabaseSync } from 'node:sqlite';
import { type ListPage, totalOf } from '../../../domain/ports/list-query.ts';
import type { StoreMetrics } from '../../../telemetry/store-metrics.ts';
import { readError } from '../open/connection.ts';
import type { TermList } from '../query/term-list.ts';
import type { RowCache } from './row-cache.ts';
import type { Snapshot } from './snapshot.ts';
import { countUnion, partOfUnion, type TermCounts } from './term-counts.ts';

/**
 * Lists that the main thread runs itself: a message to a query thread and back costs more than they do, and the page need
 * not cross a thread. Only those whose cost is bounded before they run.
 */
export interface MainLists {
  /**
   * The page, of a snapshot after the call; undefined for a list that a query thread has to run. Rejects with
   * `ServiceError` DataCorruption where a row of it is damaged.
   */
  run(list: TermList): Promise<ListPage | undefined> | undefined;
}

/** Each term has a place in the index to be found: a few µs. */
const maxTerms = 8;

/** Longer pages and later ones are left to the threads. */
const maxLimit = 50;
const maxPassed = 1000;

/** Row numbers read beyond a page to learn the total: to begin an expression once more costs as much. */
const countedWithPage = 128;

/**
 * The lists of one turn of the event loop are run one after another, and then their responses sent: in turn with all
 * that a request runs besides, a list took more than twice the time. More than so many are left to the threads.
 */
const maxBatch = 100;

/**
 * After a list that took so long, and read from a disk meanwhile, the next ones go to the query threads for so many times
 * as long: what waits for disks takes a small part of the time of this thread at most. One that only waited for the
 * processor, because the machine is busy, would have waited in a thread as well.
 */
const slowMs = 2;
const pauseFactor = 20;

/** How a thread knows what its lists wait for. */
export interface Clocks {
  readonly nowMs: () => number;
  /** A number that grows with each block that the process reads from a disk, rather than from memory. */
  readonly diskReads: () => number;
}

const processClocks: Clocks = {
  nowMs: () => performance.now(),
  diskReads: () => process.resourceUsage().fsRead,
};

/** Runs lists on a connection of this thread. */
export function createMainLists(
  db: DatabaseSync,
  snapshot: Snapshot,
  rowCache: RowCache,
  counts: TermCounts,
  metrics: Pick<StoreMetrics, 'recordQuery'>,
  { nowMs, diskReads }: Clocks = processClocks,
): MainLists {
  const prepare = (text: string) => {
    const statement = db.prepare(text);
    statement.setReturnArrays(true);
    return statement;
  };
  // A sign, since SQLite plans a statement anew each time a LIMIT is bound that is a parameter alone.
  const matches = 'SELECT rowid FROM term WHERE term MATCH ?';
  const first = prepare(`${matches} LIMIT +? OFFSET +?`);
  const behind = prepare(`${matches} AND rowid > ? LIMIT +?`);
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let seenReads = diskReads();

  /** Only after a list that took long: to ask the operating system costs a tenth of one. */
  function hasReadDisk(): boolean {
    const before = seenReads;
    seenReads = diskReads();
    return seenReads > before;
  }

  function isCheap({ anyOf, limit, offset, after }: TermList): boolean {
    if (anyOf === undefined || anyOf.length > maxTerms || limit === 0 || limit > maxLimit) return false;
    return after === undefined ? offset <= maxPassed : after.met <= maxPassed;
  }

  function find({ expression, after, offset }: TermList, wanted: number): readonly number[] {
    const found = after ? behind.all(expression, after.row, wanted) : first.all(expression, wanted, offset);
    return (found as unknown as readonly (readonly [number])[]).map(([row]) => row);
  }

  /** The rows of the page and at least the one after it, if there is any; and the total, if it is asked for. */
  function findPage(list: TermList, position: number): { readonly found: readonly number[]; readonly total?: number } {
    const { projectKey, limit, offset, after, withTotal, countUpTo } = list;
    const known = counts.knownRows(projectKey, list.anyOf!, position);
    if (known) {
      const found = partOfUnion(known, after?.row ?? 0, after ? 0 : offset, limit + 1);
      return { found, ...(withTotal && { total: countUnion(known) }) };
    }
    const wanted = limit + (withTotal && after === undefined ? countedWithPage : 1);
    const found = find(list, wanted);
    if (!withTotal) return { found };
    const isAll = found.length < wanted && after === undefined && (found.length > 0 || offset === 0);
    const total = isAll ? offset + found.length : counts.of(projectKey, list.anyOf!, position, countUpTo);
    return { found, ...(total !== undefined && { total }) };
  }

  function readPage(list: TermList, position: number): ListPage | undefined {
    const { projectKey, limit, offset, after, withTotal, countUpTo } = list;
    const { found, total } = findPage(list, position);
    if (withTotal && total === undefined) return undefined;
    const rows = found.slice(0, limit);
    const texts = rowCache.textsOf(projectKey, rows, position);
    if (texts === undefined) return undefined;
    const met = (after?.met ?? offset) + rows.length;
    const next = found.length > limit ? [{ number: String(rows.at(-1)) }, { number: String(met) }] : undefined;
    return {
      ...{ results: texts, count: rows.length },
      ...(next && { next }),
      ...(total !== undefined && totalOf(total, countUpTo)),
    };
  }

  function runOne(list: TermList): ListPage | undefined {
    const begun = nowMs();
    if (begun < pausedUntil) return undefined;
    try {
      snapshot.enter();
      const position = snapshot.indexedTo(list.projectKey);
      const page = position === undefined ? undefined : readPage(list, position);
      if (page) metrics.recordQuery('list', 'main', nowMs() - begun);
      return page;
    } catch (error) {
      throw readError(error);
    } finally {
      const tookMs = nowMs() - begun;
      if (tookMs > slowMs && hasReadDisk()) pausedUntil = begun + tookMs * (1 + pauseFactor);
    }
  }

  let waiting: Waiting[] = [];

  function runWaiting(): void {
    const batch = waiting;
    waiting = [];
    const pages = batch.map(({ list, reject }) => {
      try {
        return runOne(list);
      } catch (error) {
        reject(error);
        return undefined;
      }
    });
    for (let at = 0; at < batch.length; at += 1) batch[at]!.resolve(pages[at]);
  }

  return {
    run(list) {
      if (waiting.length >= maxBatch || !isCheap(list)) return undefined;
      if (waiting.length === 0) setImmediate(runWaiting);
      const { promise, resolve, reject } = Promise.withResolvers<ListPage | undefined>();
      waiting.push({ list, resolve, reject });
      return promise;
    },
  };
}

interface Waiting {
  readonly list: TermList;
  readonly resolve: (page: ListPage | undefined) => void;
  readonly reject: (error: unknown) => void;
}
