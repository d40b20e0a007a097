import type { DatabaseSync } from 'node:sqlite';
import { listed, raw, type Sql, sql } from '../plan/sql.ts';
import { intersect } from '../terms/row-sets.ts';
import { noteAccess } from './access-paths.ts';
import { FoundPath } from './found-path.ts';
import { noteStep, scanWithin } from './functions.ts';
import { rowsOfLookup } from './lookup.ts';
import { columnScan, holding, scannedRanges, scanTerms, sorted } from './ordered-scan.ts';
import type { Selection } from './plan-list.ts';
import { byId, type OrderedScan, type OrderKey } from './plan-order.ts';
import { resourcesOf } from './resources-of.ts';
import { countOf, selectNumbers } from './statements.ts';

/** A selection in the open snapshot. */
export interface OpenSelection extends Omit<Selection, 'accessPaths'> {
  readonly accessPaths: readonly FoundPath[];
}

/** An access path with its number of rows, where one more than `fewRows` stands for any greater number. */
interface CountedAccessPath {
  readonly accessPath: FoundPath;
  readonly rows: number;
}

/** A query compiled for the open snapshot. */
export type Opened<T extends Selection> = Omit<T, 'accessPaths'> & OpenSelection;

/** Opens a selection for what is stored now. */
export function openSelection<T extends Selection>(db: DatabaseSync, selection: T): Opened<T> {
  const accessPaths = selection.accessPaths.map((path) => {
    const { ifSingle } = path;
    const isSingle = ifSingle !== undefined && rowsOfLookup(db, ifSingle.unless).length === 0;
    return new FoundPath(db, path, isSingle ? ifSingle.covers : path.covers);
  });
  return { ...selection, accessPaths } as Opened<T>;
}

/** Part of the matches in their order. */
export interface Slice {
  readonly limit: number;
  readonly offset: number;
}

/** Row numbers of a slice of the matches, in their order. */
export interface Matches {
  readonly rows: readonly number[];
  /** How many matches there are beyond the slice too, where that became known on the way. */
  readonly total?: number | undefined;
}

/** Finds a slice of the matches in an order, ties by id. */
export function findMatches(
  db: DatabaseSync,
  selection: OpenSelection,
  order: readonly OrderKey[],
  slice: Slice,
): Matches {
  if (slice.limit === 0) return { rows: [] };
  const narrowest = narrowestPath(selection);
  noteAccess(db, selection, narrowest?.accessPath, narrowest?.rows);
  if (narrowest?.rows === 0) return { rows: [], total: 0 };
  const sortThose = (accessPath: FoundPath | undefined) => {
    noteStep(db, 'all matches are gathered and sorted');
    return selectNumbers(db, sortedMatches(selection, accessPath, order, slice));
  };
  if (narrowest && narrowest.rows <= selection.tuning.fewRows) {
    const { accessPath } = narrowest;
    if (!isComplete(selection, accessPath)) return { rows: sortThose(accessPath) };
    const rows = scanAmong(db, selection, narrowest, order, slice) ?? sortThose(accessPath);
    return { rows, total: narrowest.rows };
  }
  if (order[0]?.scan) noteStep(db, 'an index is read in the order until the page is full');
  const budget = narrowest ? selection.tuning.scanRows : Number.POSITIVE_INFINITY;
  const scanned = scanWithin(db, budget, () => scanInOrder(db, selection, order, slice));
  return { rows: scanned ?? sortThose(narrowest?.accessPath) };
}

/** Row numbers of the first `count` matches in the order, as `findMatches`. */
export function selectRows(
  db: DatabaseSync,
  selection: OpenSelection,
  order: readonly OrderKey[],
  count: number,
): readonly number[] {
  return findMatches(db, selection, order, { limit: count, offset: 0 }).rows;
}

/** A selection with one more condition. */
export function withCondition<T extends OpenSelection>(selection: T, condition: Sql): T {
  return { ...selection, conditions: [...selection.conditions, condition] };
}

function isComplete({ conditions }: OpenSelection, { covers }: FoundPath): boolean {
  return covers.length === conditions.length;
}

/** An access path that decides all conditions by itself, at little cost; its rows are the matches. */
export function completePath(selection: OpenSelection): FoundPath | undefined {
  return selection.accessPaths.find((each) => !each.costly && isComplete(selection, each));
}

/** The number of matches, counted up to `most`; from the indexes alone where they decide all conditions. */
export function countRows(db: DatabaseSync, selection: OpenSelection, countUpTo?: number): number {
  const most = countUpTo ?? Number.POSITIVE_INFINITY;
  if (selection.conditions.length === 0) return Math.min(countProject(db, selection.projectKey), most);
  const complete = completePath(selection);
  if (complete) return complete.count(most);
  const all = allMatches(selection);
  return all instanceof Uint32Array ? Math.min(all.length, most) : countOf(db, sql`SELECT 1 ${all}`, countUpTo);
}

/** The resources of a project: every commit updates their number. A damaged one is no number of JavaScript. */
export function countProject(db: DatabaseSync, projectKey: string): number {
  return (
    selectNumbers(
      db,
      sql`SELECT min(resources, 4503599627370496) AS row FROM project WHERE project_key = ${projectKey}`,
    )[0] ?? 0
  );
}

/** The access path with the fewest rows. */
export function narrowestPath({ accessPaths, tuning }: OpenSelection): CountedAccessPath | undefined {
  let best: CountedAccessPath | undefined;
  for (const accessPath of accessPaths) {
    if (accessPath.costly && best && best.rows <= tuning.fewRows) continue;
    const more = Math.min(tuning.fewRows, best?.rows ?? tuning.fewRows) + 1;
    const rows = accessPath.count(more);
    const isMore = best && accessPath.covers.length > best.accessPath.covers.length;
    if (!best || rows < best.rows || (rows === best.rows && isMore)) best = { accessPath, rows };
    // Reading a handful of rows is faster than counting another index.
    if (rows <= Math.min(100, tuning.fewRows)) break;
  }
  return best;
}

/** With a sign, since SQLite plans a statement anew each time a LIMIT is bound that is a parameter alone. */
function sliced({ limit, offset }: Slice): Sql {
  return sql`LIMIT +${limit} OFFSET +${offset}`;
}

/**
 * The rows of all matches, ascending, where access paths together decide all conditions; else, or where so few rows are left by one of them
 * that reading these is faster, the FROM and WHERE of a query over `resource r`.
 */
export function allMatches(selection: OpenSelection): Uint32Array | Sql {
  const { accessPaths, conditions, tuning } = selection;
  const narrowest = narrowestPath(selection);
  if (narrowest && narrowest.rows > tuning.fewRows) {
    const covering: FoundPath[] = [];
    const covered = new Set<number>();
    for (const accessPath of [...accessPaths].sort((a, b) => b.covers.length - a.covers.length)) {
      if (accessPath.covers.every((at) => covered.has(at))) continue;
      covering.push(accessPath);
      for (const at of accessPath.covers) covered.add(at);
    }
    if (covered.size === conditions.length) return intersect(covering.map(({ rows }) => rows));
  }
  return fromMatches(selection, narrowest?.accessPath);
}

/** FROM and WHERE of all matches, by an access path or through all resources of the project by id. */
function fromMatches(selection: OpenSelection, accessPath: FoundPath | undefined): Sql {
  const { projectKey, conditions } = selection;
  if (!accessPath) {
    return sql`FROM ${resourcesOf(projectKey, 'id')} AND ${holding(conditions)}`;
  }
  const open = openConditions(selection, accessPath);
  return sql`FROM (${accessPath.select}) m CROSS JOIN resource r ON r.row = m.row WHERE ${holding(open)}`;
}

/** The conditions that an access path does not decide. */
export function openConditions({ conditions }: OpenSelection, accessPath: FoundPath | undefined): readonly Sql[] {
  return accessPath ? conditions.filter((_, at) => !accessPath.covers.includes(at)) : conditions;
}

/** Row numbers of a slice of the matches of an access path, sorted. */
export function sortedMatches(
  selection: OpenSelection,
  accessPath: FoundPath | undefined,
  order: readonly OrderKey[],
  slice: Slice,
): Sql {
  const by = listed([...order.map(sorted), raw('r.id')], ', ');
  return sql`SELECT r.row AS row ${fromMatches(selection, accessPath)} ORDER BY ${by} ${sliced(slice)}`;
}

/** Entries of a column's index that are read in the time in which one match is read to be sorted: about eight. */
const entriesPerMatch = 4;

/**
 * The matches of an access path along the index of a column, without reading the resources: for where the matches are so
 * many that a page of them comes soon. Undefined where sorting them is cheaper, or turns out to be.
 */
function scanAmong(
  db: DatabaseSync,
  selection: OpenSelection,
  { accessPath, rows }: CountedAccessPath,
  [first, ...rest]: readonly OrderKey[],
  slice: Slice,
): readonly number[] | undefined {
  const { scan, missing, direction } = first!;
  if (scan?.kind !== 'column' || missing) return undefined;
  const spread = countProject(db, selection.projectKey) / rows;
  const entries = (slice.offset + slice.limit) * spread;
  if (!(entries <= rows * entriesPerMatch)) return undefined;
  const among = { ...selection, conditions: [accessPath.condition] };
  const query = sql`${columnScan(among, scan.column, direction, rest)} ${sliced(slice)}`;
  // The matches may not be spread evenly.
  return scanWithin(db, 2 * entries, () => selectNumbers(db, query));
}

/**
 * Scans the index of the first key until there are enough matches, with the key and without it. Undefined where no index
 * has the order.
 */
function scanInOrder(
  db: DatabaseSync,
  selection: OpenSelection,
  order: readonly OrderKey[],
  slice: Slice,
): readonly number[] | undefined {
  const [first, ...rest] = order as readonly [OrderKey, ...OrderKey[]];
  const { scan, missing, direction } = first;
  if (!scan) return undefined;
  // A single index has all of them.
  if (scan.kind === 'column' && !missing) {
    return selectNumbers(db, sql`${columnScan(selection, scan.column, direction, rest)} ${sliced(slice)}`);
  }
  const withKey = scannerOf(db, selection, order, scan);
  if (!withKey) return undefined;
  const count = slice.offset + slice.limit;
  const withoutKey = (wanted: number) => selectWithoutKey(db, selection, first, rest, wanted);
  const [begin, end] = direction === 'asc' ? [withKey, withoutKey] : [withoutKey, withKey];
  const rows = begin(count);
  const all = rows.length === count ? rows : [...rows, ...end(count - rows.length)];
  return all.slice(slice.offset);
}

function scannerOf(
  db: DatabaseSync,
  selection: OpenSelection,
  order: readonly OrderKey[],
  scan: OrderedScan,
): ((wanted: number) => readonly number[]) | undefined {
  const [{ direction }, ...rest] = order as readonly [OrderKey, ...OrderKey[]];
  if (scan.kind === 'column') {
    const query = columnScan(selection, scan.column, direction, rest);
    return (wanted) => selectNumbers(db, sql`${query} LIMIT ${wanted}`);
  }
  const ranges = scannedRanges(db, selection, scan);
  return ranges && ((wanted) => scanTerms(db, selection, ranges, order, wanted));
}

/** Row numbers of the first `count` matches that lack a key, in the order of the other keys. */
export function selectWithoutKey(
  db: DatabaseSync,
  selection: OpenSelection,
  { missing }: OrderKey,
  rest: readonly OrderKey[],
  count: number,
): readonly number[] {
  if (!missing || count === 0) return [];
  const { conditions } = withCondition(selection, missing.condition);
  const own = missing.accessPaths.map((accessPath) => new FoundPath(db, accessPath, [conditions.length - 1]));
  const lacking = { ...selection, conditions, accessPaths: [...own, ...selection.accessPaths] };
  return selectRows(db, lacking, rest.length === 0 ? [byId] : rest, count);
}
