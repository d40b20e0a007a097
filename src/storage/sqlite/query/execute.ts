import type { DatabaseSync } from 'node:sqlite';
import { columns, type SystemColumn } from '../../query/compile-column.ts';
import { joined, listed, raw, type Sql, sql } from '../../query/sql.ts';
import { columnIndexes, type Source } from './access-paths.ts';
import { walkWithin } from './functions.ts';
import { sorted, walkedRanges, walkTerms } from './ordered-scan.ts';
import type { OrderKey, Selection } from './plan-list.ts';
import { selectNumbers, selectPlainNumbers } from './statements.ts';
import { hasEntries } from './term-scan.ts';

/** A way to the matches, with the number of rows on it, one more than `fewRows` standing for any more. */
interface Way {
  readonly source: Source;
  readonly rows: number;
}

/** A selection with its sources as they are best for what is stored now. */
export function settleSources<T extends Selection>(db: DatabaseSync, selection: T): T {
  const sources = selection.sources.map((source) => {
    const { ifSingle } = source;
    return ifSingle && !hasEntries(db, selection, ifSingle.unless) ? ifSingle.source : source;
  });
  return { ...selection, sources };
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
  const walked = walkWithin(db, way ? selection.tuning.walkRows : Number.POSITIVE_INFINITY, () =>
    walkOrder(db, selection, order, count),
  );
  if (walked) return walked;
  return sortMatches(db, selection, way?.source, order, count);
}

/** A source that decides all conditions by itself, at little cost; its rows are the matches. */
export function completeSource({ sources, conditions }: Selection): Source | undefined {
  return sources.find(({ covers, costly }) => covers.length === conditions.length && !costly);
}

/** The first rows of a source, in its own order. */
export function selectRowsOf(db: DatabaseSync, { select }: Source, count: number): readonly number[] {
  return selectPlainNumbers(db, sql`SELECT m.row AS row FROM (${select}) m LIMIT ${count}`);
}

/** Number of matches, by the indexes alone where they decide all conditions. */
export function countRows(db: DatabaseSync, selection: Selection): number {
  const { conditions, sources, projectKey } = selection;
  if (conditions.length === 0) return countProject(db, projectKey);
  const isComplete = ({ covers }: Source) => covers.length === conditions.length;
  const cheap = completeSource(selection);
  if (cheap) return countOf(db, cheap.select);
  const covered = new Set(sources.flatMap((source) => source.covers));
  const way = narrowestWay(db, selection);
  const isFew = way !== undefined && way.rows <= selection.tuning.fewRows;
  if (isFew && isComplete(way.source)) return way.rows;
  const complete = isFew ? undefined : sources.find(isComplete);
  if (complete) return countOf(db, complete.select);
  if (covered.size === conditions.length && way && !isFew) {
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

/** Resources of a project: every commit keeps count. */
function countProject(db: DatabaseSync, projectKey: string): number {
  return selectPlainNumbers(db, sql`SELECT resources AS row FROM project WHERE project_key = ${projectKey}`)[0] ?? 0;
}

function countOf(db: DatabaseSync, select: Sql): number {
  return selectPlainNumbers(db, sql`SELECT count(*) AS row FROM (${select})`)[0]!;
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
    if (source.costly && best && best.rows <= tuning.fewRows) continue;
    const more = Math.min(tuning.fewRows, best?.rows ?? tuning.fewRows) + 1;
    const rows = countOf(db, sql`SELECT 1 FROM (${source.select}) LIMIT ${more}`);
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

/** Whether some way has but a handful of rows, and which sources together decide all conditions, if any do. */
export function waysOf(
  db: DatabaseSync,
  selection: Selection,
): { readonly few: boolean; readonly covering: readonly Source[] | undefined } {
  const { sources, conditions } = selection;
  const way = narrowestWay(db, { ...selection, tuning: { ...selection.tuning, fewRows: handful } });
  const covering: Source[] = [];
  const covered = new Set<number>();
  for (const source of [...sources].sort((a, b) => b.covers.length - a.covers.length)) {
    if (source.covers.every((at) => covered.has(at))) continue;
    covering.push(source);
    for (const at of source.covers) covered.add(at);
  }
  const few = way !== undefined && way.rows <= handful;
  return { few, covering: covered.size === conditions.length && covering.length > 0 ? covering : undefined };
}

/** So many documents are sooner looked at than another index. */
const handful = 2000;

/** FROM and WHERE of all matches over `resource r`, by the narrowest of the selection's ways. */
export function matchesOf(db: DatabaseSync, selection: Selection): Sql {
  return fromMatches(selection, narrowestWay(db, selection)?.source);
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

/**
 * Reads along the index of the first key until there are enough matches: those with the key, and those without.
 * Undefined where no index has the order.
 */
function walkOrder(
  db: DatabaseSync,
  selection: Selection,
  order: readonly OrderKey[],
  count: number,
): readonly number[] | undefined {
  const [first, ...rest] = order as readonly [OrderKey, ...OrderKey[]];
  const walk = walkerOf(db, selection, order);
  if (!walk) return undefined;
  const lack = (wanted: number) => selectWithoutKey(db, selection, first, rest, wanted);
  const [begin, end] = first.direction === 'asc' ? [walk, lack] : [lack, walk];
  const rows = begin(count);
  return rows.length === count ? rows : [...rows, ...end(count - rows.length)];
}

function walkerOf(
  db: DatabaseSync,
  selection: Selection,
  order: readonly OrderKey[],
): ((wanted: number) => readonly number[]) | undefined {
  const [{ walk, direction }, ...rest] = order as readonly [OrderKey, ...OrderKey[]];
  if (!walk) return undefined;
  if (walk.kind === 'column') {
    const query = columnWalk(selection, walk.column, direction, rest);
    return (wanted) => selectNumbers(db, sql`${query} LIMIT ${wanted}`);
  }
  const ranges = walkedRanges(db, selection, walk);
  return ranges && ((wanted) => walkTerms(db, selection, ranges, order, wanted));
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
