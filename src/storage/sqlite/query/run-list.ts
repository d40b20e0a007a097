import type { DatabaseSync } from 'node:sqlite';
import { type ListPage, type ListQuery, totalOf } from '../../../domain/ports/list-query.ts';
import { countRows, findMatches, selectRows, settleAccessPaths } from './execute.ts';
import type { Deadline } from './functions.ts';
import type { CompiledList, Selection } from './plan-list.ts';
import { type Page, readPage } from './rows.ts';

/**
 * Runs a compiled list on a connection that `registerFunctions` prepared, in one read transaction: the one that is open,
 * or its own. `deadline.check` throws when the time is up. Throws `ServiceError` DataCorruption if a row fails its
 * checksum, InvalidInput if the page would have more than `maxPageBytes`.
 */
export function runList(db: DatabaseSync, list: CompiledList, deadline: Deadline, maxPageBytes: number): ListPage {
  return inReadTransaction(db, () => {
    deadline.check();
    const selection = settleAccessPaths(db, list);
    const { rows, total } = findMatches(db, selection, list.order, list);
    const page = readPage(db, list, rows, deadline, maxPageBytes);
    return withTotal(list, page, (most) => total ?? countRows(db, selection, most));
  });
}

/** A page with its total, if it is asked for. `countMatches` counts all matches, or up to `most`. */
export function withTotal(
  { limit, offset, withTotal, countUpTo }: Pick<ListQuery, 'limit' | 'offset' | 'withTotal' | 'countUpTo'>,
  { results, count }: Page,
  countMatches: (most: number | undefined) => number,
): ListPage {
  if (!withTotal) return { results, count };
  // A page that is not full ends with the last match.
  const isEnd = count < limit && (count > 0 || offset === 0);
  const counted = isEnd ? offset + count : countMatches(countUpTo === undefined ? undefined : countUpTo + 1);
  return { results, count, ...totalOf(counted, countUpTo) };
}

/** The beginning of the results of a search. */
export interface FirstResults {
  /** The first matches in the order, at least as many as wanted where there are so many. */
  readonly rows: readonly number[];
  readonly total: () => number;
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
