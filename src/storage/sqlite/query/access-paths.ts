import { type Path, type Predicate, partsOf } from '../../../domain/predicate/ast.ts';
import { arrayTestField, arrayTestNames } from '../../../domain/predicate/path.ts';
import { encodePath, type PathFact, type Projection, projectionTerm, termHead } from '../../index/term-encoding.ts';
import { columnForms, columnIntervals, decidingColumn, type SystemColumn } from '../../query/compile-column.ts';
import { joined, listed, raw, type Sql, sql } from '../../query/sql.ts';
import { createTermCompiler, type TermExpression } from '../../query/term-expression.ts';
import { printTerms } from './match-expression.ts';
import { fromEntries, type TermRange, wholeRange } from './term-scan.ts';
import { type Intervals, intervalsAmong, type RangeEnd, rangeEndsOf, rangeOf, rangeWithin } from './value-ranges.ts';

/** Rows among which are all matches, out of an index: a SELECT of one column `row`, each row once. */
export interface AccessPath {
  readonly kind: 'terms' | 'column' | 'range';
  readonly select: Sql;
  /** Which conditions, by number, every one of these rows satisfies. */
  readonly covers: readonly number[];
  /** Reads the terms of a whole path before it answers its first row: for where nothing cheaper narrows. */
  readonly costly?: boolean;
  /** What does as well, and better, where no document has an entry in these ranges: several values at the path. */
  readonly ifSingle?: { readonly unless: readonly TermRange[]; readonly accessPath: AccessPath };
}

export interface QueryContext {
  readonly projectKey: string;
  readonly staged: boolean;
  readonly declaredPaths: readonly string[];
}

/** The index of each system column. Named in queries, so that no statistics lead SQLite to another. */
export const columnIndexes: Readonly<Record<SystemColumn, Sql>> = {
  id: raw('sqlite_autoindex_resource_1'),
  key: raw('resource_key'),
  version: raw('resource_version'),
  createdAt: raw('resource_created'),
  lastModifiedAt: raw('resource_modified'),
};

/** The words that a search asks for, as one more condition beside predicates. */
export interface TextCondition {
  /** The documents that match, exactly. */
  readonly terms: (projection: Projection) => TermExpression;
  /** A SELECT of their rows: for where the terms are too many for one expression with the other conditions. */
  readonly rows: Sql;
}

/**
 * All index lookups that a conjunction offers. `conditions` are the same conjuncts in SQL, over `resource r`, and as
 * the last one that of the text, where there is one.
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
    ...termPaths(conjuncts, ranged, context, text),
    ...(text ? [{ kind: 'terms', select: text.rows, covers: [conjuncts.length] } as const] : []),
  ];
}

/** Rows that a term expression names. */
export function matchingRows(expression: string): Sql {
  return sql`SELECT rowid AS row FROM term WHERE term MATCH ${expression}`;
}

function termPaths(
  conjuncts: readonly Predicate[],
  ranged: ReadonlySet<number>,
  { projectKey, staged, declaredPaths }: QueryContext,
  text: TextCondition | undefined,
): readonly AccessPath[] {
  const { exact, narrow } = createTermCompiler(projectKey, 'c', declaredPaths);
  const all = [...conjuncts.keys()];
  const covered = all.filter((at) => exact(conjuncts[at]!) !== undefined);
  const named = text !== undefined || conjuncts.some((each) => narrow(each, false) !== undefined);
  // Posting lists of mere presence are long: they are asked only where nothing else narrows.
  const narrowing = all.filter(
    (at) => !covered.includes(at) && !ranged.has(at) && narrow(conjuncts[at]!, !named) !== undefined,
  );
  const pathOf = (used: readonly number[], costly: boolean): readonly AccessPath[] => {
    const expression = printTerms(projectKey, staged, (projection: Projection) => {
      const compiler = createTermCompiler(projectKey, projection, declaredPaths);
      const parts = used.map((at) => compiler.exact(conjuncts[at]!) ?? compiler.narrow(conjuncts[at]!, !named));
      return {
        kind: 'and',
        of: [...parts.filter((part) => part !== undefined), ...(text ? [text.terms(projection)] : [])],
      };
    });
    const covers = [...covered.filter((at) => used.includes(at)), ...(text ? [conjuncts.length] : [])];
    return expression === undefined ? [] : [{ kind: 'terms', select: matchingRows(expression), covers, costly }];
  };
  const used = [...covered, ...narrowing];
  const cheap = named ? used.filter((at) => !asksPresence(conjuncts[at]!)) : [];
  if (used.length === 0) return [];
  if (cheap.length === used.length) return pathOf(used, false);
  return [...(cheap.length > 0 ? pathOf(cheap, false) : []), ...pathOf(used, true)];
}

/** True if some part asks whether anything is there, which all terms of a path together tell. */
function asksPresence(predicate: Predicate): boolean {
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
    const from = sql`resource r INDEXED BY ${columnIndexes[column!]}`;
    const present = column === 'key' ? raw(' AND r.key IS NOT NULL') : raw('');
    const select = sql`SELECT r.row AS row FROM ${from} WHERE r.project_key = ${projectKey}${present} AND ${condition}`;
    return { kind: 'column', select, covers };
  });
}

/** The column whose index finds the matches of a condition; none where no value of the column's type is asked for. */
function seekedColumn(predicate: Predicate): SystemColumn | undefined {
  const { kind } = predicate;
  if (kind !== 'compare' && kind !== 'in' && kind !== 'contains' && kind !== 'within') return undefined;
  const column = decidingColumn(predicate);
  if (!column) return undefined;
  // Of several intervals SQLite would read the column's index whole.
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
  // Cut keys are in the ranges of several intervals, although the intervals do not meet.
  const isOnce = isExact || intervals.length === 1;
  return { kind: 'range', select, covers, ...(isOnce && { ifSingle: singleValued(path, rows, covers) }) };
}

/** Where a path has one value at most in each document, so has it one entry: no row comes twice. */
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
 * Documents that may have a value beyond each of two ends: one between the two, or several values. Covers nothing
 * then: those with several may still fail either end.
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

/** Rows with an entry in a range of a path, or below `objectTypeProperty` where they lack the first name themselves. */
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
  // The deadline is asked at some of the entries only, for to ask costs as much as to read one.
  const inTime = raw(' AND (v.rowid & 15 OR tick(v.doc))');
  return sql`SELECT v.doc AS row ${fromEntries(projectKey, projection, range)}${inTime}${outside}`;
}

/** Each row once, though it may have several entries; as they come, so that a limit ends the reading. */
function distinctRows(selects: readonly Sql[]): Sql {
  return sql`SELECT DISTINCT row FROM (${listed(selects, ' UNION ALL ')})`;
}
