import type { DatabaseSync } from 'node:sqlite';
import { type Path, type Predicate, partsOf } from '../../domain/predicate/ast.ts';
import { arrayTestField, arrayTestNames } from '../../domain/predicate/path.ts';
import { columnForms, columnIntervals, type SystemColumn, systemColumnOf } from '../plan/compile-column.ts';
import { joined, raw, type Sql, sql } from '../plan/sql.ts';
import { TermCompiler, type TermExpression, type TermRange } from '../plan/term-expression.ts';
import { encodePath, type Projection, termHead } from '../terms/term-encoding.ts';
import { noteStep } from './functions.ts';
import { lookupOf, type TermLookup } from './lookup.ts';
import { resourcesOf } from './resources-of.ts';
import { type Intervals, intervalsAmong, rangeWithin } from './value-ranges.ts';

/** An index lookup whose rows contain all matches, as plain data: see `FoundPath`. It has one of the next three. */
export interface AccessPath {
  readonly kind: 'terms' | 'column' | 'range';
  readonly lookup?: TermLookup;
  /** A SELECT of one column `row`, each row once. */
  readonly select?: Sql;
  /** The rows themselves, ascending. */
  readonly known?: Uint32Array;
  /** The numbers of the conditions that all of these rows satisfy. */
  readonly covers: readonly number[];
  /** Reads all terms of a path: for where nothing cheaper narrows. */
  readonly costly?: boolean;
  /** It covers these instead, if no document has any row of this lookup: several values at the path. */
  readonly ifSingle?: { readonly unless: TermLookup; readonly covers: readonly number[] };
}

export interface QueryContext {
  readonly projectKey: string;
  readonly staged: boolean;
  readonly declaredPaths: readonly string[];
}

/** The words of a search, as one more condition beside predicates. */
export interface TextCondition {
  /** The rows of the documents that match, ascending. */
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
  const intervals = intervalsAmong(conjuncts, context.declaredPaths);
  const ranged = new Set(intervals.map(({ at }) => at));
  // Ranges last: they are read entry by entry, which is not needed where terms lead to a few rows.
  return [
    ...columnPaths(conjuncts, conditions, context.projectKey),
    ...termPaths(conjuncts, ranged, context),
    ...(text ? [{ kind: 'terms' as const, known: text.rows, covers: [conjuncts.length] }] : []),
    ...rangePaths(intervals, context),
  ];
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

function termPaths(
  conjuncts: readonly Predicate[],
  ranged: ReadonlySet<number>,
  context: QueryContext,
): readonly AccessPath[] {
  const { projectKey, declaredPaths } = context;
  const current = new TermCompiler(projectKey, 'c', declaredPaths);
  const all = [...conjuncts.keys()];
  const covered = all.filter((at) => current.exact(conjuncts[at]!) !== undefined);
  const isNarrowed = conjuncts.some((each) => current.narrow(each, false) !== undefined);
  // Posting lists of mere presence are long, so they are read only where nothing else narrows.
  const narrowing = all.filter(
    (at) => !covered.includes(at) && !ranged.has(at) && current.narrow(conjuncts[at]!, !isNarrowed) !== undefined,
  );
  const pathOf = (used: readonly number[], costly: boolean): AccessPath => {
    const lookup = lookupOf(context, (projection) => {
      const compiler = new TermCompiler(projectKey, projection, declaredPaths);
      const parts = used.map((at) => compiler.exact(conjuncts[at]!) ?? compiler.narrow(conjuncts[at]!, !isNarrowed));
      return { kind: 'and', of: parts.filter((part) => part !== undefined) };
    });
    return { kind: 'terms', lookup, covers: covered.filter((at) => used.includes(at)), costly };
  };
  const used = [...covered, ...narrowing];
  if (used.length === 0) return [];
  const cheap = isNarrowed ? used.filter((at) => !asksPresence(conjuncts[at]!)) : [];
  if (cheap.length === used.length) return [pathOf(used, false)];
  return [...(cheap.length > 0 ? [pathOf(cheap, false)] : []), pathOf(used, true)];
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
  const column = 'path' in predicate ? systemColumnOf(predicate.path) : undefined;
  if (!column) return undefined;
  // For several intervals SQLite would read the column's whole index.
  if (predicate.kind === 'within') return columnIntervals(column, predicate.ranges).length === 1 ? column : undefined;
  return predicate.kind === 'in' && columnForms(column, predicate.values).length > 0 ? column : undefined;
}

function rangePaths(intervals: readonly Intervals[], context: QueryContext): readonly AccessPath[] {
  const byPath = Map.groupBy(intervals, ({ path }) => JSON.stringify(path));
  return [
    ...[...byPath.values()].flatMap((each) => betweenPath(each, context)),
    ...intervals.map((each) => withinPath(each, context)),
  ];
}

/** Documents that have a value within some interval. */
function withinPath({ at, path, intervals }: Intervals, context: QueryContext): AccessPath {
  const ranges = (encoded: string) => intervals.map((each) => rangeWithin(encoded, [each]));
  const covers = ranges('').every(({ isExact }) => isExact) ? [at] : [];
  return { kind: 'range', lookup: lookupInRanges(path, ranges, context), covers };
}

/**
 * Documents that may have a value beyond each of two ends: one value between them, or several values. It covers nothing,
 * since those with several may still fail either end.
 */
function betweenPath(ofPath: readonly Intervals[], context: QueryContext): readonly AccessPath[] {
  const single = ofPath.flatMap(({ at, path, intervals: [one, ...others] }) =>
    others.length === 0 ? [{ at, path, one: one! }] : [],
  );
  const lower = single.find(({ one }) => one.from && !one.to);
  const upper = single.find(({ one }) => one.to && !one.from);
  if (!lower || !upper || lower.one.type !== upper.one.type) return [];
  const { path } = lower;
  const several = (projection: Projection) =>
    new TermCompiler(context.projectKey, projection, context.declaredPaths).mayHaveSeveral(path);
  const ranges = (encoded: string) => [rangeWithin(encoded, [lower.one, upper.one])];
  const ifSingle = {
    unless: lookupOf(context, several),
    covers: ranges('')[0]!.isExact ? [lower.at, upper.at] : [],
  };
  return [{ kind: 'range', lookup: lookupInRanges(path, ranges, context, several), covers: [], ifSingle }];
}

/**
 * The rows with an entry in ranges of a path, or below `objectTypeProperty` where they lack the path's first name; and those of another
 * expression.
 */
function lookupInRanges(
  path: Path,
  rangesAt: (encoded: string) => readonly { readonly range: TermRange }[],
  context: QueryContext,
  or?: (projection: Projection) => TermExpression,
): TermLookup {
  const inRanges = (each: Path) =>
    rangesAt(encodePath(each)).map(({ range }): TermExpression => ({ kind: 'range', range }));
  return lookupOf(context, (projection) => {
    const own = [...inRanges(path), ...(or ? [or(projection)] : [])];
    if (!arrayTestNames.has(path[0]!)) return { kind: 'or', of: own };
    const term = `${termHead(context.projectKey, projection)}${encodePath(path.slice(0, 1))}|`;
    const below: TermExpression = { kind: 'or', of: inRanges([arrayTestField, ...path]) };
    const lacksFirst: TermExpression = { kind: 'not', of: { kind: 'term', term, prefix: true } };
    return { kind: 'or', of: [...own, { kind: 'and', of: [below, lacksFirst] }] };
  });
}
