import { nthGreatest } from '../../../domain/search/nth-greatest.ts';
import { raw, sql } from '../../plan/sql.ts';
import { selectNumbers } from '../../query/statements.ts';
import type { SearchScope } from '../query-terms.ts';
import type { SearchStart } from '../search-position.ts';
import type { IdOrder } from './id-order.ts';

/** The first of equally relevant rows. */

interface OfProject extends SearchScope {
  readonly idOrder: (rows: number) => IdOrder | undefined;
}

/** The first rows of a group by id; with `start` of those behind it. */
export function byId(
  ranking: OfProject,
  group: Uint32Array,
  count: number,
  start: SearchStart | undefined,
): Iterable<number> {
  if (group.length === 1 && !start) return group;
  const order = ranking.idOrder(group.length);
  if (!order) return readById(ranking, group, count, start);
  const last = start && lastUpTo(ranking, start.id);
  const from = last === undefined ? Number.NEGATIVE_INFINITY : order.positionOf(last);
  return leastOf(group, order.positionsOf(group), count, from);
}

function readById(
  { db }: SearchScope,
  group: Uint32Array,
  count: number,
  start: SearchStart | undefined,
): readonly number[] {
  const behind = start ? sql`WHERE r.id > ${start.id}` : raw('');
  const query = sql`SELECT r.row AS row FROM json_each(${`[${group.join(',')}]`}) n CROSS JOIN resource r ON r.row = n.value ${behind} ORDER BY r.id LIMIT ${count}`;
  return selectNumbers(db, query);
}

/** The row with the greatest id up to this one, which may be deleted by now. */
function lastUpTo({ db, projectKey }: SearchScope, id: string): number | undefined {
  const query = sql`SELECT row FROM resource INDEXED BY sqlite_autoindex_resource_1 WHERE project_key = ${projectKey} AND id <= ${id} ORDER BY id DESC LIMIT 1`;
  return selectNumbers(db, query)[0];
}

/** The `count` rows with the lowest positions behind `from`, in order, without sorting the rest of a long list. */
function leastOf(group: Uint32Array, positions: Float64Array, count: number, from: number): readonly number[] {
  const negated = positions.map((position) => (position > from ? -position : Number.NEGATIVE_INFINITY));
  const last = -nthGreatest(negated, count);
  const least: (readonly [row: number, position: number])[] = [];
  for (let at = 0; at < group.length; at += 1) {
    const position = positions[at]!;
    if (position > from && position <= last) least.push([group[at]!, position]);
  }
  return least.sort(([, a], [, b]) => a - b).map(([row]) => row);
}
