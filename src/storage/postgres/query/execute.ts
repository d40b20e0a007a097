import { columns } from '../../query/compile-column.ts';
import { joined, listed, raw, type Sql, sql } from '../../query/sql.ts';
import { endMarks } from '../write/ordered-entries.ts';
import type { EntryWalk, OrderKey, Selection } from './plan-list.ts';

/** FROM and WHERE of the matches, with what keys of an order need joined. */
export function fromMatches({ projectKey, conditions }: Selection, order: readonly OrderKey[] = []): Sql {
  const of = sql`r.project_key = ${projectKey}`;
  return sql`FROM resource r${keyJoins(order)} WHERE ${joined([of, ...conditions], 'AND')}`;
}

/** The aliases of keys are `k` and their place in the order. */
function keyJoins(order: readonly OrderKey[]): Sql {
  const joins = order.map(({ rows }, at) =>
    rows ? sql` LEFT JOIN LATERAL (${rows}) ${raw(`k${at}`)} ON TRUE` : raw(''),
  );
  return listed(joins, '');
}

/** Missing last in asc, first in desc (decision 16); the orders of indexes have it so too. */
function sorted(key: Sql, direction: OrderKey['direction']): Sql {
  return sql`${key} ${raw(direction === 'asc' ? 'ASC NULLS LAST' : 'DESC NULLS FIRST')}`;
}

/** What ORDER BY says of an order, ties by id. The keys are those of `resource r`, or as a common table has them. */
export function orderBy(
  order: readonly OrderKey[],
  id: Sql = columns.id,
  keysOf: (key: OrderKey, at: number) => readonly Sql[] = ({ expressions }, at) => expressions(`k${at}`),
): Sql {
  // Ids differ: nothing behind one is ever asked.
  const idAt = order.findIndex(({ column }) => column === 'id');
  const used = idAt === -1 ? order : order.slice(0, idAt + 1);
  const keys = used.flatMap((key, at) => keysOf(key, at).map((each) => sorted(each, key.direction)));
  return listed(idAt === -1 ? [...keys, id] : keys, ', ');
}

/** Ids of the first matches of an order: those that the planner finds best. */
export function selectSorted(selection: Selection, order: readonly OrderKey[], count: number, offset: number): Sql {
  return sql`SELECT r.id ${fromMatches(selection, order)} ORDER BY ${orderBy(order)} ${slice(count, offset)}`;
}

/** The same, read along the entries of the first key; documents without entries are left out. */
export function selectWalked(
  selection: Selection,
  walk: EntryWalk,
  order: readonly OrderKey[],
  count: number,
  offset: number,
): Sql {
  const { projectKey, conditions } = selection;
  const direction = order[0]!.direction;
  const mark = direction === 'asc' ? endMarks.least : endMarks.greatest;
  const prefix = `c|${walk.path}|${mark}`;
  const range = sql`o.project_key = ${projectKey} AND o.entry >= ${prefix} AND o.entry < ${`${prefix}~`}`;
  const resource = sql`r.project_key = ${projectKey} AND r.id = o.id`;
  return sql`SELECT r.id FROM ordered_value o JOIN resource r ON ${resource}${keyJoins(order)}
    WHERE ${joined([range, ...conditions], 'AND')}
    ORDER BY o.entry ${raw(direction)}, ${orderBy(order)} ${slice(count, offset)}`;
}

/** The matches without a value at the path of the first key, by the further keys. */
export function selectLacking(
  selection: Selection,
  lacking: Sql,
  order: readonly OrderKey[],
  count: number,
  offset: number,
): Sql {
  return selectSorted({ ...selection, conditions: [...selection.conditions, lacking] }, order.slice(1), count, offset);
}

/** Both are whole numbers within the limits of a query. */
function slice(count: number, offset: number): Sql {
  return raw(`LIMIT ${Math.trunc(count)}${offset > 0 ? ` OFFSET ${Math.trunc(offset)}` : ''}`);
}
