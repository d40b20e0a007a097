import type { DatabaseSync } from 'node:sqlite';
import { type Path, type Predicate, partsOf } from '../../../domain/predicate/ast.ts';
import { arrayTestField, arrayTestNames } from '../../../domain/predicate/path.ts';
import { encodePath, type PathFact, type Projection, projectionTerm, termHead } from '../../index/term-encoding.ts';
import { columnForms, columnIntervals, decidingColumn, type SystemColumn } from '../../query/compile-column.ts';
import { joined, listed, raw, type Sql, sql } from '../../query/sql.ts';
import { createTermCompiler, type TermExpression } from '../../query/term-expression.ts';
import { resourcesOf } from './dialect.ts';
import { noteStep } from './functions.ts';
import { printTerms } from './match-expression.ts';
import { fromEntries, type TermRange, wholeRange } from './term-scan.ts';
import { type Intervals, intervalsAmong, type RangeEnd, rangeEndsOf, rangeOf, rangeWithin } from './value-ranges.ts';

/** An index lookup whose rows contain all matches: a SELECT of one column `row`, each row once. */
export interface AccessPath {
  readonly kind: 'terms' | 'column' | 'range';
  readonly select: Sql;
  /** The match expression of these rows, where they are those of one. */
  readonly expression?: string | undefined;
  /** The rows themselves, ascending, where they have been found already. */
  readonly known?: Uint32Array;
  /** The numbers of the conditions that all of these rows satisfy. */
  readonly covers: readonly number[];
  /** Reads all terms of a path before it returns its first row: for where nothing cheaper narrows. */
  readonly costly?: boolean;
  /** A better equivalent, if no document has an entry in these ranges, which stand for several values at the path. */
  readonly ifSingle?: { readonly unless: readonly TermRange[]; readonly accessPath: AccessPath };
}

export interface QueryContext {
  readonly projectKey: string;
  readonly staged: boolean;
  readonly declaredPaths: readonly string[];
}

/** The words of a search, as one more condition beside predicates. */
export interface TextCondition {
  /** Exactly the documents that match. Absent where terms alone do not say. */
  readonly terms?: ((projection: Projection) => TermExpression) | undefined;
  /** Their rows, ascending. */
  readonly rows: Uint32Array;
  /** True for `resource r` if its row is one of them. */
  readonly condition: Sql;
}

/**
 * All access paths of a conjunction. `conditions` are the same conjuncts in SQL, over `resource r`, and last that of the
 * text, where there is one.
 */
export function findAccessPaths(
  conjuncts: readonly Predicate[],
  conditions: readonly Sql[],
  context: QueryContext,
  text?: TextCondition,
): readonly AccessPath[] {
  const ranges = rangePaths(conjuncts, context);
  const ranged = new Set(
    [rangeEndsOf, intervalsAmong].flatMap((of) => of(conjuncts, context.declaredPaths).map(({ at }) => at)),
  );
  return [
    ...columnPaths(conjuncts, conditions, context.projectKey),
    ...ranges,
    ...termPaths(conjuncts, ranged, context, text?.terms),
    ...(text ? [textPath(text, conjuncts.length)] : []),
  ];
}

function textPath({ rows }: TextCondition, at: number): AccessPath {
  return {
    kind: 'terms',
    // Few plans read them, and there may be very many.
    get select() {
      return sql`SELECT value AS row FROM json_each(${`[${rows.join(',')}]`})`;
    },
    known: rows,
    covers: [at],
  };
}

const indexNames = { terms: 'the index of terms', column: 'the index of a system field', range: 'an index of values' };

/** Notes how matches are found: by an access path, with its number of rows where it was counted, or by none. */
export function noteAccess(
  db: DatabaseSync,
  { conditions }: { readonly conditions: readonly unknown[] },
  accessPath: AccessPath | undefined,
  rows?: number,
): void {
  noteStep(db, accessOf(conditions.length, accessPath, rows));
}

function accessOf(conditions: number, accessPath: AccessPath | undefined, rows: number | undefined): string {
  if (conditions === 0) return 'no condition: every resource of the project matches';
  if (!accessPath) return 'no index narrows the query: it reads every resource of the project';
  const covered = accessPath.covers.length;
  const decided = covered === conditions ? 'all conditions' : `${covered} of ${conditions} conditions`;
  return `${indexNames[accessPath.kind]} decides ${decided}${rows === undefined ? '' : `, ${rows} rows or more`}`;
}

/** A SELECT of the rows that a match expression names. */
export function matchingRows(expression: string): Sql {
  return sql`SELECT rowid AS row FROM term WHERE term MATCH ${expression}`;
}

function termPaths(
  conjuncts: readonly Predicate[],
  ranged: ReadonlySet<number>,
  { projectKey, staged, declaredPaths }: QueryContext,
  text: TextCondition['terms'],
): readonly AccessPath[] {
  const { exact, narrow } = createTermCompiler(projectKey, 'c', declaredPaths);
  const all = [...conjuncts.keys()];
  const covered = all.filter((at) => exact(conjuncts[at]!) !== undefined);
  const named = text !== undefined || conjuncts.some((each) => narrow(each, false) !== undefined);
  // Posting lists of mere presence are long, so they are read only where nothing else narrows.
  const narrowing = all.filter(
    (at) => !covered.includes(at) && !ranged.has(at) && narrow(conjuncts[at]!, !named) !== undefined,
  );
  const pathOf = (used: readonly number[], costly: boolean): readonly AccessPath[] => {
    const expression = printTerms(projectKey, staged, (projection: Projection) => {
      const compiler = createTermCompiler(projectKey, projection, declaredPaths);
      const parts = used.map((at) => compiler.exact(conjuncts[at]!) ?? compiler.narrow(conjuncts[at]!, !named));
      return {
        kind: 'and',
        of: [...parts.filter((part) => part !== undefined), ...(text ? [text(projection)] : [])],
      };
    });
    const covers = [...covered.filter((at) => used.includes(at)), ...(text ? [conjuncts.length] : [])];
    if (expression === undefined) return [];
    return [{ kind: 'terms', select: matchingRows(expression), expression, covers, costly }];
  };
  const used = [...covered, ...narrowing];
  const cheap = named ? used.filter((at) => !asksPresence(conjuncts[at]!)) : [];
  if (used.length === 0) return [];
  if (cheap.length === used.length) return pathOf(used, false);
  return [...(cheap.length > 0 ? pathOf(cheap, false) : []), ...pathOf(used, true)];
}

/** True if some part asks whether a path has any value, for which all terms of the path are read. */
export function asksPresence(predicate: Predicate): boolean {
  return predicate.kind === 'defined' || predicate.kind === 'empty' || partsOf(predicate).some(asksPresence);
}

function columnPaths(
  conjuncts: readonly Predicate[],
  conditions: readonly Sql[],
  projectKey: string,
): readonly AccessPath[] {
  const byColumn = Map.groupBy(conjuncts.keys(), (at) => seekedColumn(conjuncts[at]!));
  byColumn.delete(undefined);
  return [...byColumn].map(([column, covers]) => {
    const condition = joined(
      covers.map((at) => conditions[at]!),
      'AND',
    );
    const present = column === 'key' ? raw(' AND r.key IS NOT NULL') : raw('');
    const select = sql`SELECT r.row AS row FROM ${resourcesOf(projectKey, column!)}${present} AND ${condition}`;
    return { kind: 'column', select, covers };
  });
}

/** The column whose index finds the matches of a condition; none if no literal has the column's type. */
function seekedColumn(predicate: Predicate): SystemColumn | undefined {
  const { kind } = predicate;
  if (kind !== 'compare' && kind !== 'in' && kind !== 'contains' && kind !== 'within') return undefined;
  const column = decidingColumn(predicate);
  if (!column) return undefined;
  // For several intervals SQLite would read the column's whole index.
  if (kind === 'within') return columnIntervals(column, predicate.ranges).length === 1 ? column : undefined;
  if (predicate.kind === 'compare' && predicate.op === '!=') return undefined;
  if (predicate.kind === 'contains' && predicate.mode === 'all') return undefined;
  const literals = predicate.kind === 'compare' ? [predicate.value] : predicate.values;
  return columnForms(column, literals).length > 0 ? column : undefined;
}

function rangePaths(conjuncts: readonly Predicate[], context: QueryContext): readonly AccessPath[] {
  const ends = rangeEndsOf(conjuncts, context.declaredPaths);
  const byPath = Map.groupBy(ends, ({ path }) => JSON.stringify(path));
  return [
    ...[...byPath.values()].flatMap((each) => betweenPath(each, context)),
    ...ends.map((end) => oneEndPath(end, context)),
    ...intervalsAmong(conjuncts, context.declaredPaths).map((each) => withinPath(each, context)),
  ];
}

/** Documents that have a value beyond one end. */
function oneEndPath({ at, path, op, forms }: RangeEnd, context: QueryContext): AccessPath {
  const ranges = forms.map((value) => (encoded: string) => rangeOf(encoded, [{ op, value }], value.type));
  const covers = ranges.every((range) => range('').isExact) ? [at] : [];
  const rows = ranges.flatMap((range) => rowsInRange(path, (encoded) => range(encoded).range, context));
  return { kind: 'range', select: distinctRows(rows), covers, ifSingle: singleValued(path, rows, covers) };
}

/** Documents that have a value within some interval. */
function withinPath({ at, path, intervals }: Intervals, context: QueryContext): AccessPath {
  const isExact = intervals.every((each) => rangeWithin('', each).isExact);
  const covers = isExact ? [at] : [];
  const rows = intervals.flatMap((each) => rowsInRange(path, (encoded) => rangeWithin(encoded, each).range, context));
  const select = distinctRows(rows);
  // A cut key may be in the ranges of several intervals, although the intervals do not overlap.
  const isOnce = isExact || intervals.length === 1;
  return { kind: 'range', select, covers, ...(isOnce && { ifSingle: singleValued(path, rows, covers) }) };
}

/** Where each document has at most one value at the path, it has one entry, and no row comes twice. */
function singleValued(
  path: Path,
  rows: readonly Sql[],
  covers: readonly number[],
): NonNullable<AccessPath['ifSingle']> {
  const paths = arrayTestNames.has(path[0]!) ? [path, [arrayTestField, ...path]] : [path];
  const unless = paths.map((each) => wholeRange(encodePath(each), 'm' satisfies PathFact));
  return { unless, accessPath: { kind: 'range', select: listed(rows, ' UNION ALL '), covers } };
}

/**
 * Documents that may have a value beyond each of two ends: one value between them, or several values. It covers nothing,
 * since those with several may still fail either end.
 */
function betweenPath(ends: readonly RangeEnd[], context: QueryContext): readonly AccessPath[] {
  const lower = ends.find(({ op, forms }) => op.startsWith('>') && forms.length === 1);
  const upper = ends.find(({ op, forms }) => op.startsWith('<') && forms.length === 1);
  const [from, to] = [lower?.forms[0], upper?.forms[0]];
  if (!lower || !upper || !from || !to || from.type !== to.type) return [];
  const { projectKey, staged, declaredPaths } = context;
  const several = printTerms(projectKey, staged, (projection) =>
    createTermCompiler(projectKey, projection, declaredPaths).mayHaveSeveral(lower.path),
  );
  if (several === undefined) return [];
  const bounds = [
    { op: lower.op, value: from },
    { op: upper.op, value: to },
  ];
  const inside = rowsInRange(lower.path, (encoded) => rangeOf(encoded, bounds, from.type).range, context);
  const both = rangeOf('', bounds, from.type).isExact ? [lower.at, upper.at] : [];
  const select = distinctRows([...inside, matchingRows(several)]);
  return [{ kind: 'range', select, covers: [], ifSingle: singleValued(lower.path, inside, both) }];
}

/** Rows with an entry in a range of a path, or below `objectTypeProperty` where they lack the path's first name. */
function rowsInRange(
  path: Path,
  rangeAt: (encoded: string) => TermRange,
  { projectKey, staged }: QueryContext,
): readonly Sql[] {
  const hasStaged = staged ? [matchingRows(`"${projectionTerm(projectKey, 's')}"`)] : [];
  const ofProjection = (projection: Projection, without: readonly Sql[]): readonly Sql[] => {
    const own = rowsOf(projectKey, projection, rangeAt(encodePath(path)), without);
    if (!arrayTestNames.has(path[0]!)) return [own];
    const ownName = matchingRows(`"${termHead(projectKey, projection)}${encodePath(path.slice(0, 1))}|" *`);
    const below = rangeAt(encodePath([arrayTestField, ...path]));
    return [own, rowsOf(projectKey, projection, below, [...without, ownName])];
  };
  return [...ofProjection('c', hasStaged), ...(staged ? ofProjection('s', []) : [])];
}

function rowsOf(projectKey: string, projection: Projection, range: TermRange, without: readonly Sql[]): Sql {
  const outside = listed(
    without.map((each) => sql` AND v.doc NOT IN (${each})`),
    '',
  );
  // The deadline is checked at some of the entries only, since a check costs as much as reading one.
  const inTime = raw(' AND (v.rowid & 15 OR tick(v.doc))');
  return sql`SELECT v.doc AS row ${fromEntries(projectKey, projection, range)}${inTime}${outside}`;
}

/** Each row once, though it may have several entries; unsorted, so that a limit ends the scan. */
function distinctRows(selects: readonly Sql[]): Sql {
  return sql`SELECT DISTINCT row FROM (${listed(selects, ' UNION ALL ')})`;
}
