import { nthGreatest } from '../../../../domain/search/nth-greatest.ts';
import type { SearchStart } from '../../../query/search-position.ts';
import { raw, sql } from '../../../query/sql.ts';
import { resourcesOf } from '../../query/dialect.ts';
import { hasRow } from '../../query/functions.ts';
import { selectPlainNumbers } from '../../query/statements.ts';
import type { SearchScope } from '../query-terms.ts';
import type { IdOrder } from './id-order.ts';

/** The first of equally relevant rows. */

/** A project as far as the order of its ids matters. */
interface OfProject extends SearchScope {
  readonly resources: number;
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
  const first = firstById(ranking, group, count, start);
  if (first) return first;
  const positionsOf = ranking.idOrder(group.length);
  if (!positionsOf) return readById(ranking, group, count, start);
  const last = start && lastUpTo(ranking, start.id);
  const from = last === undefined ? Number.NEGATIVE_INFINITY : positionsOf(Uint32Array.of(last))[0]!;
  return leastOf(group, positionsOf, count, from);
}

/** So many rows of a group are looked through in the time in which one id is read. */
const rowsPerIdRead = 50;

/**
 * The same for a group of so large a share of the project that its first rows are soon met along the ids; undefined for
 * others, and where they are not met soon.
 */
export function firstById(
  { db, projectKey, resources }: Pick<OfProject, 'db' | 'projectKey' | 'resources'>,
  group: Uint32Array,
  count: number,
  start?: SearchStart,
  rowsPerId = rowsPerIdRead,
): readonly number[] | undefined {
  const ids = 100 + Math.ceil((4 * count * resources) / group.length);
  if (ids * rowsPerId > group.length) return undefined;
  const behind = start ? sql`AND r.id > ${start.id}` : raw('');
  const query = sql`SELECT r.row AS row FROM ${resourcesOf(projectKey, 'id')} ${behind} ORDER BY r.id LIMIT ${ids}`;
  const found = selectPlainNumbers(db, query).filter((row) => hasRow(group, row));
  return found.length < count ? undefined : found.slice(0, count);
}

function readById(
  { db }: SearchScope,
  group: Uint32Array,
  count: number,
  start: SearchStart | undefined,
): readonly number[] {
  const behind = start ? sql`WHERE r.id > ${start.id}` : raw('');
  const query = sql`SELECT r.row AS row FROM json_each(${`[${group.join(',')}]`}) n CROSS JOIN resource r ON r.row = n.value ${behind} ORDER BY r.id LIMIT ${count}`;
  return selectPlainNumbers(db, query);
}

/** The row with the greatest id up to this one, which may be deleted by now. */
export function lastUpTo({ db, projectKey }: SearchScope, id: string): number | undefined {
  const query = sql`SELECT row FROM resource INDEXED BY sqlite_autoindex_resource_1 WHERE project_key = ${projectKey} AND id <= ${id} ORDER BY id DESC LIMIT 1`;
  return selectPlainNumbers(db, query)[0];
}

/** The `count` rows with the lowest positions behind `from`, in order, without sorting the rest of a long list. */
function leastOf(group: Uint32Array, positionsOf: IdOrder, count: number, from: number): readonly number[] {
  const positions = positionsOf(group);
  const negated = positions.map((position) => (position > from ? -position : Number.NEGATIVE_INFINITY));
  const last = -nthGreatest(negated, count);
  const least: (readonly [row: number, position: number])[] = [];
  for (let at = 0; at < group.length; at += 1) {
    const position = positions[at]!;
    if (position > from && position <= last) least.push([group[at]!, position]);
  }
  return least.sort(([, a], [, b]) => a - b).map(([row]) => row);
}
