import type { DatabaseSync } from 'node:sqlite';
import type { Position, PositionKey } from '../../domain/ports/list-query.ts';
import { joined, listed, raw, type Sql, type SqlValue, sql } from '../plan/sql.ts';
import {
  narrowestPath,
  type OpenSelection,
  selectRows,
  selectWithoutKey,
  sortedMatches,
  withCondition,
} from './execute.ts';
import { FoundPath } from './found-path.ts';
import { scanWithin } from './functions.ts';
import { byId, type KeyBound, type OrderKey } from './plan-order.ts';
import { resourcesOf } from './resources-of.ts';
import { selectExactly, selectNumbers } from './statements.ts';

/**
 * Pages that continue where another one ended (decision 128). One condition for all that follows in the order, `a > ? OR
 * (a = ? AND id > ?)`, would read everything before it once more. So the parts of the order are read one after another,
 * each by an index that begins where it begins: what is equal in the first key, what is behind it, what lacks it.
 */

type Bounded = OrderKey & { readonly bound: KeyBound };

/** Row numbers of the first `limit` matches behind a position with an id. The keys of the order have bounds, except where only ids decide. */
export function findAfter(
  db: DatabaseSync,
  selection: OpenSelection,
  order: readonly OrderKey[],
  id: string,
  limit: number,
): readonly number[] {
  if (limit === 0) return [];
  const [first, ...rest] = order;
  if (!first?.bound) return selectRows(db, withCondition(selection, sql`r.id > ${id}`), [byId], limit);
  const narrowest = narrowestPath(selection);
  if (narrowest?.rows === 0) return [];
  if (narrowest && narrowest.rows <= selection.tuning.fewRows) {
    const behind = withCondition(selection, isBehind(order as readonly Bounded[], id));
    return selectNumbers(db, sortedMatches(behind, narrowest.accessPath, order, { limit, offset: 0 }));
  }
  const rows: number[] = [];
  for (const part of [tied, beyond, withoutKey]) {
    if (rows.length < limit) rows.push(...part(db, selection, first as Bounded, rest, id, limit - rows.length));
  }
  return rows;
}

/** Rows with the same first key, from the position in the other keys on. */
function tied(
  db: DatabaseSync,
  selection: OpenSelection,
  { key, scan, bound }: Bounded,
  rest: readonly OrderKey[],
  id: string,
  limit: number,
): readonly number[] {
  const column = scan?.kind === 'column' && bound.value !== null ? scan.column : undefined;
  if (column === 'id' || column === 'key') return [];
  const same = withCondition(selection, sql`${key} IS ${bound.value}`);
  if (column === undefined || rest.length > 0) {
    return findAfter(
      db,
      { ...same, accessPaths: [...bound.tied.map((path) => new FoundPath(db, path)), ...same.accessPaths] },
      rest,
      id,
      limit,
    );
  }
  // The index of the column has the ids of equal values in their order.
  const from = resourcesOf(selection.projectKey, column);
  const conditions = joined([sql`tick(r.row)`, ...selection.conditions], 'AND');
  const query = sql`SELECT r.row AS row FROM ${from} AND ${key} = ${bound.value} AND r.id > ${id} AND ${conditions} ORDER BY r.id LIMIT ${limit}`;
  const budget = selection.accessPaths.length > 0 ? selection.tuning.scanRows : Number.POSITIVE_INFINITY;
  return scanWithin(db, budget, () => selectNumbers(db, query)) ?? findAfter(db, same, [], id, limit);
}

/** Rows with a later first key. */
function beyond(
  db: DatabaseSync,
  selection: OpenSelection,
  first: Bounded,
  rest: readonly OrderKey[],
  _: string,
  limit: number,
): readonly number[] {
  const condition = later(first);
  if (!condition) return [];
  const { direction, key, bound } = first;
  const present: OrderKey = { direction, key, ...(bound.scan && { scan: bound.scan }) };
  return selectRows(db, withCondition(selection, condition), [present, ...rest], limit);
}

/** Rows without the first key, if they come after all values. */
function withoutKey(
  db: DatabaseSync,
  selection: OpenSelection,
  first: Bounded,
  rest: readonly OrderKey[],
  _: string,
  limit: number,
): readonly number[] {
  const isAhead = first.direction === 'asc' && first.bound.value !== null;
  return isAhead ? selectWithoutKey(db, selection, first, rest, limit) : [];
}

/** True where the key is a value behind the bound; undefined if nothing can be. */
function later({ direction, key, bound: { value } }: Bounded): Sql | undefined {
  if (value !== null) return direction === 'asc' ? sql`${key} > ${value}` : sql`${key} < ${value}`;
  return direction === 'asc' ? undefined : sql`${key} IS NOT NULL`;
}

/** True for everything behind a position, for rows that have to be read anyway. */
function isBehind(order: readonly Bounded[], id: string): Sql {
  return order.reduceRight<Sql>((behindRest, each) => {
    const { direction, key, bound } = each;
    const isLast = direction === 'asc' && bound.value !== null ? [sql`${key} IS NULL`] : [];
    const beyond = later(each);
    const same = sql`(${key} IS ${bound.value} AND ${behindRest})`;
    return joined([...(beyond ? [beyond] : []), ...isLast, same], 'OR');
  }, sql`r.id > ${id}`);
}

/** The position behind a row in an order. */
export function positionOf(db: DatabaseSync, order: readonly OrderKey[], row: number): Position {
  const keys = listed([...order.map(({ key }) => key), raw('r.id')], ', ');
  return selectExactly(db, sql`SELECT ${keys} FROM resource r WHERE r.row = ${row}`).map((value) =>
    positionKey(value ?? null),
  );
}

function positionKey(value: SqlValue): PositionKey {
  if (value === null || typeof value === 'string') return value;
  return value instanceof Uint8Array ? value[0] === 1 : { number: String(value) };
}
