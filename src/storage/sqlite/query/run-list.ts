import type { DatabaseSync } from 'node:sqlite';
import type { ListPage } from '../../../domain/ports/list-query.ts';
import { damagedPage, isIntact, pageTooLarge } from '../../row/stored-row.ts';
import { completeAccessPath, countRows, selectRows, selectRowsOf, settleAccessPaths } from './execute.ts';
import type { Deadline } from './functions.ts';
import type { CompiledList, Selection } from './plan-list.ts';
import { readRows } from './rows.ts';

/**
 * Runs a compiled list on a connection that `registerFunctions` prepared, in one read transaction: the one that is open,
 * or its own. `deadline.check` throws when the time is up. Throws `ServiceError` DataCorruption if a row fails its
 * checksum, InvalidInput if the page would have more than `maxPageBytes`.
 */
export function runList(db: DatabaseSync, list: CompiledList, deadline: Deadline, maxPageBytes: number): ListPage {
  return inReadTransaction(db, () => {
    deadline.check();
    const { limit, offset, withTotal } = list;
    const wanted = limit === 0 ? 0 : offset + limit;
    const { rows, total } = selectPage(db, settleAccessPaths(db, list), list, wanted);
    const page = rows.slice(offset, wanted);
    const results = readPage(db, list, page, deadline, maxPageBytes);
    return withTotal ? { results, count: page.length, total: total() } : { results, count: page.length };
  });
}

/** The beginning of the results of a list or search. */
export interface FirstResults {
  /** The first matches in the order, at least as many as wanted where there are so many. */
  readonly rows: readonly number[];
  readonly total: () => number;
}

/** Rows read beyond the page to learn the total: cheaper than counting separately. */
const countedWithPage = 256;

function selectPage(
  db: DatabaseSync,
  selection: Selection,
  { order, withTotal }: CompiledList,
  wanted: number,
): FirstResults {
  const accessPath = order.length === 0 ? completeAccessPath(selection) : undefined;
  const limit = accessPath ? Math.max(wanted, withTotal ? countedWithPage : 0) + 1 : wanted;
  const rows = accessPath ? selectRowsOf(db, accessPath, limit) : selectRows(db, selection, order, limit);
  // Fewer rows than the limit are all there are.
  return { rows, total: () => (rows.length < limit ? rows.length : countRows(db, selection)) };
}

/** True if anything matches; otherwise as `runList`. */
export function runExists(db: DatabaseSync, exists: Selection, deadline: Deadline): boolean {
  return inReadTransaction(db, () => {
    deadline.check();
    return selectRows(db, settleAccessPaths(db, exists), [], 1).length > 0;
  });
}

/** Runs a read in one snapshot: in the transaction that is open, or its own. */
export function inReadTransaction<T>(db: DatabaseSync, read: () => T): T {
  if (db.isTransaction) return read();
  db.exec('BEGIN');
  try {
    return read();
  } finally {
    db.exec('COMMIT');
  }
}

/** The texts of the rows, in their order, joined by commas. */
export function readPage(
  db: DatabaseSync,
  { projectKey, staged }: Pick<Selection, 'projectKey' | 'staged'>,
  rows: readonly number[],
  deadline: Deadline,
  maxPageBytes: number,
): string {
  const texts: string[] = [];
  let bytes = 0;
  for (const found of readRows(db, rows)) {
    deadline.check();
    // An index that leads to a row of another project is as damaged as a row with a wrong checksum.
    if (found.project_key !== projectKey || !isIntact(found)) throw damagedPage();
    const text = staged ? (found.staged ?? found.current) : found.current;
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > maxPageBytes) throw pageTooLarge(maxPageBytes, texts.length);
    texts.push(text);
  }
  if (texts.length < rows.length) throw damagedPage();
  return texts.join(',');
}
