import type { DatabaseSync } from 'node:sqlite';
import type { ListPage } from '../../../domain/ports/list-query.ts';
import { damagedPage, isIntact, pageTooLarge } from '../../row/stored-row.ts';
import { completeAccessPath, countRows, selectRows, selectRowsOf, settleAccessPaths } from './execute.ts';
import type { Deadline } from './functions.ts';
import type { CompiledExists, CompiledList, Selection } from './plan-list.ts';
import { readRows } from './rows.ts';

export { type Deadline, registerFunctions } from './functions.ts';
export { type CompiledExists, type CompiledList, compileExists, compileList } from './plan-list.ts';

/**
 * Runs a compiled list on a connection that `registerFunctions` prepared, all of it in one read transaction: the one
 * that is open, or its own. `deadline.check` throws when the time is over. Throws `ServiceError` DataCorruption where
 * a row fails its checksum, InvalidInput where the page would have more than `maxPageBytes`.
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

interface Found {
  /** The first matches in the order, at least `wanted` of them where there are so many. */
  readonly rows: readonly number[];
  readonly total: () => number;
}

/** Matches that are looked at beyond the page to know their number: cheaper than to ask for it. */
const countedOnTheWay = 256;

function selectPage(db: DatabaseSync, selection: Selection, { order, withTotal }: CompiledList, wanted: number): Found {
  const accessPath = order.length === 0 ? completeAccessPath(selection) : undefined;
  if (accessPath) {
    const most = Math.max(wanted, withTotal ? countedOnTheWay : 0) + 1;
    const rows = selectRowsOf(db, accessPath, most);
    return { rows, total: () => (rows.length < most ? rows.length : countRows(db, selection)) };
  }
  const rows = selectRows(db, selection, order, wanted);
  // Fewer rows than were asked for are all there are.
  return { rows, total: () => (rows.length < wanted ? rows.length : countRows(db, selection)) };
}

/** True if anything matches. As `runList` otherwise. */
export function runExists(db: DatabaseSync, exists: CompiledExists, deadline: Deadline): boolean {
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
  { projectKey, staged }: Pick<CompiledList, 'projectKey' | 'staged'>,
  rows: readonly number[],
  deadline: Deadline,
  maxPageBytes: number,
): string {
  const texts: string[] = [];
  let bytes = 0;
  for (const found of readRows(db, rows)) {
    deadline.check();
    // An index that names a row of another project is as damaged as a row with a wrong checksum.
    if (found.project_key !== projectKey || !isIntact(found)) throw damagedPage();
    const text = staged ? (found.staged ?? found.current) : found.current;
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > maxPageBytes) throw pageTooLarge(maxPageBytes, texts.length);
    texts.push(text);
  }
  if (texts.length < rows.length) throw damagedPage();
  return texts.join(',');
}
