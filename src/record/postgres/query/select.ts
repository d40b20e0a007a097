import { columns } from '../../../index/plan/compile-column.ts';
import { joined, listed, raw, type Sql, sql } from '../../../index/plan/sql.ts';
import { rowColumns } from '../rows.ts';
import { inEntryOrder, scannedEntries, scannedKeys } from './entries.ts';
import type { EntryScan, OrderKey, Selection } from './plan-list.ts';

/** FROM and WHERE of the matches, with the joins that the keys of an order need. */
export function fromMatches(
  { projectKey, conditions }: Pick<Selection, 'projectKey' | 'conditions'>,
  order: readonly OrderKey[] = [],
): Sql {
  const ofProject = sql`r.project_key = ${projectKey}`;
  return sql`FROM resource r${keyJoins(order)} WHERE ${joined([ofProject, ...conditions], 'AND')}`;
}

/** The alias of a key is `k` and its index in the order. */
export function keyJoins(order: readonly OrderKey[]): Sql {
  const joins = order.map(({ rows }, index) =>
    rows ? sql` LEFT JOIN LATERAL (${rows}) ${raw(`k${index}`)} ON TRUE` : raw(''),
  );
  return listed(joins, '');
}

/** Missing last in asc, first in desc (decision 16), as in the orders of the indexes. */
function sorted(key: Sql, direction: OrderKey['direction']): Sql {
  return sql`${key} ${raw(direction === 'asc' ? 'ASC NULLS LAST' : 'DESC NULLS FIRST')}`;
}

/** The terms of ORDER BY, ties by id. The keys are those of `resource r`, or the columns of a common table. */
export function orderBy(
  order: readonly OrderKey[],
  id: Sql = columns.id,
  keysOf: (key: OrderKey, index: number) => readonly Sql[] = ({ expressions }, index) => expressions(`k${index}`),
): Sql {
  // Ids are unique: keys after one never decide.
  const idIndex = order.findIndex(({ column }) => column === 'id');
  const used = idIndex === -1 ? order : order.slice(0, idIndex + 1);
  const keys = used.flatMap((key, index) => keysOf(key, index).map((each) => sorted(each, key.direction)));
  return listed(idIndex === -1 ? [...keys, id] : keys, ', ');
}

/** Ids of the first matches of an order, by the plan that PostgreSQL finds best. */
export function selectSorted(selection: Selection, order: readonly OrderKey[], count: number, offset: number): Sql {
  return sql`SELECT r.id ${fromMatches(selection, order)} ORDER BY ${orderBy(order)} ${slice(count, offset)}`;
}

/** The same by a scan of the entries of the first key; documents without entries are left out. */
export function selectByEntries(
  { projectKey, conditions }: Selection,
  scan: EntryScan,
  order: readonly OrderKey[],
  count: number,
  offset: number,
): Sql {
  const { direction } = order[0]!;
  const entries = scannedEntries(projectKey, scan, direction, scannedKeys(scan));
  const resource = sql`r.project_key = ${projectKey} AND r.id = o.id`;
  return sql`SELECT r.id FROM ${entries} JOIN resource r ON ${resource}${keyJoins(order)}
    WHERE ${joined(conditions, 'AND')}
    ORDER BY ${inEntryOrder(direction)}, ${orderBy(order)} ${slice(count, offset)}`;
}

/**
 * The least ids of matches that an index finds. In a query with OFFSET their order is no reason for PostgreSQL to read all
 * resources along it, hoping to meet enough matches soon.
 */
export function firstIds(selection: Selection, count: number): Sql {
  return sql`SELECT s.id FROM (SELECT r.id ${fromMatches(selection)} OFFSET 0) s ORDER BY s.id ${slice(count, 0)}`;
}

/** LIMIT and OFFSET. Both are whole numbers within the limits of a query. */
export function slice(count: number, offset: number): Sql {
  return raw(`LIMIT ${Math.trunc(count)}${offset > 0 ? ` OFFSET ${Math.trunc(offset)}` : ''}`);
}

/**
 * Reads the resources whose ids a SELECT returns, in its order and in the same statement. Texts beyond `maxBytes` are
 * left out, so that a page that is too large need not be transferred to be refused.
 */
export function selectPage(projectKey: string, staged: boolean, ids: Sql, maxBytes: number): Sql {
  const text = raw(staged ? 'coalesce(r.staged, r.current)' : 'r.current');
  const rows = sql`SELECT ${raw(rowColumns)}, p.position, sum(octet_length(${text}) + 1) OVER (ORDER BY p.position) AS bytes
    FROM (SELECT i.id, row_number() OVER () AS position FROM (${ids}) i) p
    JOIN resource r ON r.project_key = ${projectKey} AND r.id = p.id`;
  const fits = raw(`CASE WHEN q.bytes <= ${Math.trunc(maxBytes)} THEN`);
  return sql`SELECT q.project_key, q.id, q.key, q.version, q.created_at, q.modified_at, ${fits} q.current END AS current,
    ${fits} q.staged END AS staged, q.history, q.checksum FROM (${rows}) q ORDER BY q.position`;
}
