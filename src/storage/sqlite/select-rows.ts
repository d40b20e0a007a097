import type { DatabaseSync } from 'node:sqlite';
import type { SystemColumn } from '../sql/compile-column.ts';
import { joined, listed, raw, type Sql, sql } from '../sql/sql.ts';
import { columns, type OrderKey, type Selection, type Walk } from './compile-list.ts';
import { walkWithin } from './functions.ts';
import { severalSuffix } from './sort-values.ts';
import { columnIndexes, type Source } from './sources.ts';
import { selectNumbers } from './statements.ts';

/** A way to the matches, with the number of rows on it, one more than `fewRows` standing for any more. */
interface Way {
  readonly source: Source;
  readonly rows: number;
}

/** Row numbers of the first `count` matches in the order, ties by id; without an order, in a stable one. */
export function selectRows(
  db: DatabaseSync,
  selection: Selection,
  order: readonly OrderKey[],
  count: number,
): readonly number[] {
  if (count === 0) return [];
  if (order.length === 0) return selectUnordered(db, selection, count);
  const way = narrowestWay(db, selection);
  if (way && way.rows <= selection.tuning.fewRows) return sortMatches(db, selection, way.source, order, count);
  const [first] = order;
  if (first?.walk) {
    const walked = walkWithin(db, way ? selection.tuning.walkRows : Number.POSITIVE_INFINITY, () =>
      walkOrder(db, selection, order, count),
    );
    if (walked) return walked;
  }
  return sortMatches(db, selection, way?.source, order, count);
}

/** Number of matches, by the indexes alone where they decide all conditions. */
export function countRows(db: DatabaseSync, selection: Selection): number {
  const { conditions, sources, projectKey } = selection;
  if (conditions.length === 0) return countOf(db, sql`SELECT 1 FROM resource WHERE project_key = ${projectKey}`);
  const complete = sources.find((source) => source.covers.length === conditions.length);
  if (complete) return countOf(db, complete.select);
  const covered = new Set(sources.flatMap((source) => source.covers));
  const way = narrowestWay(db, selection);
  if (covered.size === conditions.length && way && way.rows > selection.tuning.fewRows) {
    return countOf(
      db,
      intersection(
        way.source,
        sources.filter((each) => each !== way.source),
      ),
    );
  }
  return countOf(db, sql`SELECT 1 ${fromMatches(selection, way?.source)}`);
}

function countOf(db: DatabaseSync, select: Sql): number {
  return selectNumbers(db, sql`SELECT count(*) AS row FROM (${select})`)[0]!;
}

/**
 * Rows of one index that are in the others as well, without a look at the documents. The plus sign keeps SQLite from
 * running an index anew for every row of another.
 */
function intersection(first: Source, others: readonly Source[]): Sql {
  const isIn = others.filter(({ covers }) => covers.length > 0).map(({ select }) => sql`+m.row IN (${select})`);
  return sql`SELECT 1 FROM (${first.select}) m WHERE ${joined(isIn, 'AND')}`;
}

/** The source with the fewest rows. */
function narrowestWay(db: DatabaseSync, { sources, tuning }: Selection): Way | undefined {
  let best: Way | undefined;
  for (const source of sources) {
    const rows = countOf(db, sql`SELECT 1 FROM (${source.select}) LIMIT ${raw(String(tuning.fewRows + 1))}`);
    const isMore = best && source.covers.length > best.source.covers.length;
    if (!best || rows < best.rows || (rows === best.rows && isMore)) best = { source, rows };
    // A handful of rows is quicker looked at than another index.
    if (rows <= Math.min(100, tuning.fewRows)) break;
  }
  return best;
}

function selectUnordered(db: DatabaseSync, selection: Selection, count: number): readonly number[] {
  const { sources } = selection;
  const source = sources.length > 1 ? narrowestWay(db, selection)?.source : sources[0];
  return selectNumbers(db, sql`SELECT r.row AS row ${fromMatches(selection, source)} LIMIT ${count}`);
}

/** FROM and WHERE of all matches, by way of a source, or through all resources of the project by id. */
function fromMatches(selection: Selection, source: Source | undefined): Sql {
  const { projectKey, conditions } = selection;
  if (!source) {
    const all = sql`resource r INDEXED BY ${columnIndexes.id} WHERE r.project_key = ${projectKey}`;
    return sql`FROM ${all} AND ${holding(conditions)}`;
  }
  const open = conditions.filter((_, at) => !source.covers.includes(at));
  return sql`FROM (${source.select}) m CROSS JOIN resource r ON r.row = m.row WHERE ${holding(open)}`;
}

/** The conditions, with the question to the deadline first: it must be asked of rows that fail them, too. */
function holding(conditions: readonly Sql[]): Sql {
  return sql`tick(r.row) AND ${joined(conditions, 'AND')}`;
}

function sortMatches(
  db: DatabaseSync,
  selection: Selection,
  source: Source | undefined,
  order: readonly OrderKey[],
  count: number,
): readonly number[] {
  const by = listed([...order.map(sorted), raw('r.id')], ', ');
  return selectNumbers(db, sql`SELECT r.row AS row ${fromMatches(selection, source)} ORDER BY ${by} LIMIT ${count}`);
}

/** A key of ORDER BY: missing last in asc, first in desc (decision 16). */
function sorted({ key, direction }: Pick<OrderKey, 'key' | 'direction'>): Sql {
  return sql`${key} ${raw(direction === 'asc' ? 'ASC NULLS LAST' : 'DESC NULLS FIRST')}`;
}

/** Reads along the index of the first key until there are enough matches: those with the key, and those without. */
function walkOrder(
  db: DatabaseSync,
  selection: Selection,
  order: readonly OrderKey[],
  count: number,
): readonly number[] {
  const [first, ...rest] = order as readonly [OrderKey, ...OrderKey[]];
  const walk = (wanted: number) => walkIndex(db, selection, first, rest, wanted);
  const lack = (wanted: number) => selectWithoutKey(db, selection, first, rest, wanted);
  const [begin, end] = first.direction === 'asc' ? [walk, lack] : [lack, walk];
  const rows = begin(count);
  return rows.length === count ? rows : [...rows, ...end(count - rows.length)];
}

function selectWithoutKey(
  db: DatabaseSync,
  selection: Selection,
  { missing }: OrderKey,
  rest: readonly OrderKey[],
  count: number,
): readonly number[] {
  if (!missing || count === 0) return [];
  const conditions = [...selection.conditions, missing.condition];
  const own = missing.sources.map((source) => ({ ...source, covers: [conditions.length - 1] }));
  const byId: OrderKey = { direction: 'asc', key: raw('r.id'), walk: { kind: 'column', column: 'id' } };
  const lacking = { ...selection, conditions, sources: [...own, ...selection.sources] };
  return selectRows(db, lacking, rest.length === 0 ? [byId] : rest, count);
}

function walkIndex(
  db: DatabaseSync,
  selection: Selection,
  first: OrderKey,
  rest: readonly OrderKey[],
  count: number,
): readonly number[] {
  const { walk, direction } = first;
  if (!walk || count === 0) return [];
  const query =
    walk.kind === 'column'
      ? columnWalk(selection, walk.column, direction, rest)
      : valueWalk(selection, walk, direction, rest);
  return selectNumbers(db, sql`${query} LIMIT ${count}`);
}

/** Reads an index of `resource`. The walked key is never NULL here; to say so with NULLS would make SQLite sort. */
function columnWalk(
  { projectKey, conditions }: Selection,
  column: SystemColumn,
  direction: OrderKey['direction'],
  rest: readonly OrderKey[],
): Sql {
  const present = column === 'key' ? raw(' AND r.key IS NOT NULL') : raw('');
  const from = sql`resource r INDEXED BY ${columnIndexes[column]} WHERE r.project_key = ${projectKey}${present}`;
  const first = sql`${columns[column]} ${raw(direction)}`;
  // Every row has an id and a key of its own: no further key is ever asked.
  const by = column === 'id' || column === 'key' ? [first] : [first, ...rest.map(sorted), raw('r.id')];
  return sql`SELECT r.row AS row FROM ${from} AND ${holding(conditions)} ORDER BY ${listed(by, ', ')}`;
}

/** Reads `sort_value` in the order of values, and the resource of each for its conditions and its id. */
function valueWalk(
  selection: Selection,
  walk: ValueWalk,
  direction: OrderKey['direction'],
  rest: readonly OrderKey[],
): Sql {
  const { projectKey, conditions, staged } = selection;
  const keys = rest.map(({ key }, at) => sql`, ${key} AS k${raw(String(at))}`);
  const columnsOf = sql`r.row AS row, v.value AS value, r.id AS id${listed(keys, '')}`;
  const parts = walkedParts(projectKey, walk, staged).map(
    (part) =>
      sql`SELECT ${columnsOf} FROM sort_value v CROSS JOIN resource r ON r.row = v.row WHERE v.project_key = ${projectKey} AND ${part} AND ${holding(conditions)}`,
  );
  const further = rest.map(({ direction: each }, at) => sorted({ key: raw(`k${at}`), direction: each }));
  const by = listed([raw(`value ${direction}`), ...further, raw('id')], ', ');
  // Of a compound SELECT each part is read in order, and the parts are merged.
  return sql`${listed(parts, ' UNION ALL ')} ORDER BY ${by}`;
}

type ValueWalk = Extract<Walk, { kind: 'values' }>;

/**
 * The pieces of the index that a walk reads: both projections where it is asked for the staged one, and where a
 * condition bounds it, what lies within the bound, and of what lies before it only documents with several values.
 */
function walkedParts(projectKey: string, { path, edge, bound }: ValueWalk, staged: boolean): readonly Sql[] {
  const ofProjection = (projection: 0 | 1, also: string): readonly Sql[] => {
    const number = raw(String(projection));
    const all = sql`v.projection = ${number} AND v.path = ${path} AND v.edge & ${raw(`${edge}${also}`)}`;
    if (!bound) return [all];
    const several = sql`SELECT row FROM sort_value WHERE project_key = ${projectKey} AND projection = ${number} AND path = ${path + severalSuffix}`;
    const within = sql`v.value ${raw(bound.op)} ${bound.value}`;
    const before = sql`v.value ${raw(opposite[bound.op])} ${bound.value} AND +v.row IN (${several})`;
    return [sql`${all} AND ${within}`, sql`${all} AND ${before}`];
  };
  return staged ? [...ofProjection(0, ' AND r.staged IS NULL'), ...ofProjection(1, '')] : ofProjection(0, '');
}

const opposite = { '<': '>=', '<=': '>', '>': '<=', '>=': '<' } as const;
