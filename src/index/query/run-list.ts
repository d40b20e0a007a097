import type { DatabaseSync } from 'node:sqlite';
import { type ListPage, type Position, totalOf } from '../../domain/ports/list-query.ts';
import { sql } from '../plan/sql.ts';
import { countRows, findMatches, type Matches, type Opened, openSelection } from './execute.ts';
import { type Deadline, forgetRows } from './functions.ts';
import { findAfter, positionOf } from './keyset.ts';
import type { CompiledList, Selection } from './plan-list.ts';
import { readPage } from './rows.ts';
import { selectNumbers } from './statements.ts';
import { findUnordered } from './unordered.ts';

/**
 * Runs a compiled list on a connection that `registerFunctions` prepared, in one read transaction: the one that is open,
 * or its own. `deadline.check` throws when the time is up. Throws `ServiceError` DataCorruption if a row fails its
 * checksum, InvalidInput if the page would have more than `maxPageBytes`.
 */
export function runList(db: DatabaseSync, list: CompiledList, deadline: Deadline, maxPageBytes: number): ListPage {
  return inReadTransaction(db, () => {
    deadline.check();
    forgetRows(db);
    const selection = openSelection(db, list);
    const { rows, total, next } = findPage(db, selection);
    const page = { ...readPage(db, list, rows, deadline, maxPageBytes), ...(next && { next }) };
    const { limit, offset, after, withTotal, countUpTo } = list;
    if (!withTotal) return page;
    // A page that is not full ends with the last match.
    const isEnd = page.count < limit && (page.count > 0 || offset === 0) && after === undefined;
    const most = countUpTo === undefined ? undefined : countUpTo + 1;
    const counted = isEnd ? offset + page.count : (total ?? countRows(db, selection, most));
    return { ...page, ...totalOf(counted, countUpTo) };
  });
}

/** The rows of the page, and the position behind them if more follow. */
function findPage(db: DatabaseSync, list: Opened<CompiledList>): Matches & { readonly next: Position | undefined } {
  const { order, after, limit, offset } = list;
  const wanted = limit === 0 ? 0 : limit + 1;
  const found = findFrom(db, list, wanted);
  const rows = found.rows.slice(0, limit);
  if (found.rows.length <= limit || limit === 0) return { ...found, rows, next: undefined };
  if (order.length > 0) return { ...found, rows, next: positionOf(db, order, rows.at(-1)!) };
  const met = (typeof after === 'object' ? after.met : offset) + rows.length;
  return { ...found, rows, next: [{ number: String(placeOfRow(db, rows.at(-1)!)) }, { number: String(met) }] };
}

function findFrom(db: DatabaseSync, list: Opened<CompiledList>, wanted: number): Matches {
  const { order, after, offset } = list;
  if (!after && order.length > 0) return findMatches(db, list, order, { limit: wanted, offset });
  if (typeof after === 'string') return { rows: findAfter(db, list, order, after, wanted) };
  if (wanted === 0) return { rows: [] };
  const slice = { limit: wanted, offset: after ? 0 : offset };
  return { rows: findUnordered(db, list, slice, after && rowOfPlace(db, list.projectKey, after.place)) };
}

/**
 * The place of a row in a list without a sort, which is the same on every node: where the project is mirrored that of the event that
 * created the resource, which comes in the order of the rows; else the row itself.
 */
function placeOfRow(db: DatabaseSync, row: number): number {
  return selectNumbers(db, sql`SELECT coalesce(born, row) FROM resource WHERE row = ${row}`)[0]!;
}

/** The last row that is not behind a place. */
function rowOfPlace(db: DatabaseSync, projectKey: string, place: number): number {
  const born = sql`SELECT row FROM resource WHERE project_key = ${projectKey} AND born <= ${place} ORDER BY born DESC LIMIT 1`;
  const isMirrored = sql`EXISTS (SELECT 1 FROM mirrored WHERE project_key = ${projectKey})`;
  return selectNumbers(db, sql`SELECT iif(${isMirrored}, coalesce((${born}), 0), ${place})`)[0]!;
}

/** True if anything matches; otherwise as `runList`. */
export function runExists(db: DatabaseSync, exists: Selection, deadline: Deadline): boolean {
  return inReadTransaction(db, () => {
    deadline.check();
    forgetRows(db);
    return findUnordered(db, openSelection(db, exists), { limit: 1, offset: 0 }).length > 0;
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
