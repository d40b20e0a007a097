import { ServiceError } from '../../../contract/errors.ts';
import type { ListQuery, SortTerm } from '../../../domain/ports/list-query.ts';
import type { Path, Predicate } from '../../../domain/predicate/ast.ts';
import { arrayTestField, arrayTestNames, isSamePath } from '../../../domain/predicate/path.ts';
import { columns, type SystemColumn, systemColumnOf } from '../../../index/plan/compile-column.ts';
import { compilePredicate } from '../../../index/plan/compile-predicate.ts';
import { normalise } from '../../../index/plan/normalise.ts';
import { joined, raw, type Sql, sql } from '../../../index/plan/sql.ts';
import { TermCompiler } from '../../../index/plan/term-expression.ts';
import { encodePath, termHead } from '../../../index/terms/term-encoding.ts';
import type { UsablePaths } from '../generations/generation.ts';
import { hasEntries, hasMissingEntries, noPaths } from '../index/ordered-entries.ts';
import { postgresDialect } from './dialect.ts';
import { fieldsOf, ofDocument } from './document.ts';
import { type PageStart, pageStart } from './keyset.ts';
import { type BroadRanges, leastMatches, noBroadRanges, rangeConditions } from './range-conditions.ts';
import { countValues } from './run-sql.ts';
import { sortKeyRows } from './sort-key.ts';
import { isLookup, termCondition } from './term-condition.ts';

/** Which resources match. */
export interface Selection {
  readonly projectKey: string;
  readonly staged: boolean;
  /** All must hold, over `resource r`. */
  readonly conditions: readonly Sql[];
  /** True if an index narrows the conditions: matches may then be few enough to be gathered and sorted. */
  readonly isNarrowed: boolean;
  /** True if entries of ordered values decide: the plan holds only for the usable paths that it was made with. */
  readonly usesEntries: boolean;
  /** What entries say of the number of matches, as long as the conditions are these. */
  readonly known?: { readonly of: readonly Sql[]; readonly atLeast: number };
}

/** One key of an order. */
export interface OrderKey {
  readonly direction: 'asc' | 'desc';
  /** Rows to join to `resource r` for the key; none for a column. */
  readonly rows?: Sql;
  /** The expressions to order by, one after another, over `resource r` and the joined rows under an alias. */
  readonly expressions: (alias: string) => readonly Sql[];
  /** A system column, whose index has the order. */
  readonly column?: SystemColumn;
  /** Entries that have the order, of current projections. */
  readonly scan?: EntryScan;
}

export interface EntryScan {
  /** Encoded path of the entries. */
  readonly path: string;
  /** Holds for documents without a value; absent if they have entries as well. */
  readonly lacking?: Sql;
  /** The entries have the order only if no document of the project satisfies this. */
  readonly unless?: Sql;
  /** Holds for the keys of entries `o` of single values that the conditions leave. */
  readonly within?: Sql;
}

export interface CompiledList extends Selection {
  readonly order: readonly OrderKey[];
  readonly after: PageStart | undefined;
  readonly limit: number;
  readonly offset: number;
  readonly withTotal: boolean;
  readonly countUpTo: number | undefined;
}

/** PostgreSQL binds 65,535 values at most; the rest is for what is added when the list runs. */
const maxBoundValues = 60_000;

/** Compiles a list. Throws `ServiceError` InvalidInput if it has more values than one statement can bind. */
export function compileList(query: ListQuery, usable: UsablePaths, broad = noBroadRanges): CompiledList {
  const { sort, limit, offset, withTotal, countUpTo } = query;
  const order = sort.map((term) => compileOrder(term, query, usable, broad));
  const selection = compileSelection(query, usable, broad);
  const usesEntries = selection.usesEntries || order[0]?.scan !== undefined;
  const after = query.after && pageStart(query.after);
  return { ...selection, usesEntries, order, after, limit, offset, withTotal, countUpTo };
}

/** What the plan of a list does, in words for operators. PostgreSQL decides the remainder by its statistics. */
export function stepsOf({ conditions, isNarrowed, order, usesEntries }: CompiledList): readonly string[] {
  const narrowed = isNarrowed
    ? `an index narrows${usesEntries ? ', with entries of ordered values' : ''}; few matches are gathered and sorted`
    : 'no index narrows the query: it reads every resource of the project';
  const [first] = order;
  const sorted = first?.column ? 'in the order of the index of a system field' : 'in the order of an index of values';
  const scanned = first?.column || first?.scan ? `many are read ${sorted} until the page is full` : undefined;
  const all = 'no condition: every resource of the project matches';
  return [conditions.length === 0 ? all : narrowed, scanned].filter((step) => step !== undefined);
}

/** Compiles the conditions of a list, an existence check or a part of a search. Throws as `compileList` does. */
export function compileSelection(
  { projectKey, where, staged }: Pick<ListQuery, 'projectKey' | 'where' | 'staged'>,
  usable: UsablePaths,
  broad = noBroadRanges,
): Selection {
  const conjuncts = normalise(where);
  const terms = new TermCompiler(projectKey, 'c', noPaths);
  const byPresence = !conjuncts.some((each) => terms.narrow(each, false) !== undefined);
  const ranges = rangeConditions(conjuncts, { projectKey, staged, usable, broad });
  let isNarrowed = [...ranges.values()].some(({ narrows }) => narrows);
  const included = new Set([...ranges.values()].flatMap(({ includes }) => includes));
  const wholeOf = (conjunct: Predicate) =>
    ofDocument(staged, fieldsOf(conjunct), (json) =>
      compilePredicate(conjunct, { dialect: postgresDialect, json, columns }),
    );
  const conditions = conjuncts.flatMap((conjunct, index) => {
    const range = ranges.get(index);
    const isIncluded = included.has(index);
    const exact = terms.exact(conjunct);
    // Conditions of mere presence hold for many documents: they are used only if nothing else narrows.
    const narrowing = exact ?? (range || isIncluded ? undefined : terms.narrow(conjunct, byPresence));
    isNarrowed ||= (narrowing !== undefined && isLookup(narrowing)) || seeksColumn(conjunct);
    const ofTerms =
      narrowing &&
      termCondition((projection) => {
        const compiler = new TermCompiler(projectKey, projection, noPaths);
        return compiler.exact(conjunct) ?? compiler.narrow(conjunct, byPresence)!;
      }, staged);
    if (exact) return [ofTerms!];
    if (range) {
      const all = [conjunct, ...range.includes.map((other) => conjuncts[other]!)].map(wholeOf);
      if (range.decides) return [range.decides(joined(all, 'AND'))];
      return range.narrows ? [range.narrows, ...all] : all;
    }
    if (isIncluded) return [];
    return [ofTerms, wholeOf(conjunct)].filter((each) => each !== undefined);
  });
  assertBindable(conditions);
  const known = { of: conditions, atLeast: leastMatches(conjuncts, { projectKey, staged, usable, broad }) };
  const usesEntries = ranges.size > 0;
  return { projectKey, staged, conditions, isNarrowed, usesEntries, ...(known.atLeast > 0 && { known }) };
}

function seeksColumn(predicate: Predicate): boolean {
  if (predicate.kind !== 'compare' && predicate.kind !== 'in' && predicate.kind !== 'within') return false;
  return systemColumnOf(predicate.path) !== undefined && !(predicate.kind === 'compare' && predicate.op === '!=');
}

function assertBindable(conditions: readonly Sql[]): void {
  const bound = conditions.reduce((sum, each) => sum + countValues(each), 0);
  if (bound <= maxBoundValues) return;
  const message = `The conditions hold ${bound} names and values, ${maxBoundValues} are allowed.`;
  throw new ServiceError('InvalidInput', message);
}

function compileOrder(
  { path, direction }: SortTerm,
  { projectKey, staged }: Pick<ListQuery, 'projectKey' | 'staged'>,
  usable: UsablePaths,
  broad: BroadRanges,
): OrderKey {
  const column = systemColumnOf(path);
  if (column) return { direction, column, expressions: () => [columns[column]] };
  const rows = sortKeyRows(path, direction, staged);
  const expressions = (alias: string) => ['class', 'number', 'text'].map((name) => raw(`${alias}.${name}`));
  const key: OrderKey = { direction, rows, expressions };
  const isScanned = !staged && hasEntries(path, usable);
  if (!isScanned) return key;
  const within = [...broad.values()].filter((range) => isSamePath(range.path, path)).map(({ keys }) => keys);
  const scan = compileScan(path, projectKey, usable!);
  return { ...key, scan: within.length === 0 ? scan : { ...scan, within: joined(within, 'AND') } };
}

/** Conditions are made of terms that do not depend on declared paths, since rows keep theirs when the paths change. */
function compileScan(path: Path, projectKey: string, usable: readonly string[]): EntryScan {
  const compiler = new TermCompiler(projectKey, 'c', noPaths);
  if (hasMissingEntries(path, usable)) return { path: encodePath(path) };
  const lacking = termCondition(() => compiler.lacksScalar(path, false), false);
  if (!arrayTestNames.has(path[0]!)) return { path: encodePath(path), lacking };
  // A short form is the path below objectTypeProperty unless a document has a field of that name itself.
  const term = `${termHead(projectKey, 'c')}${encodePath(path.slice(0, 1))}|`;
  const unless = termCondition(() => ({ kind: 'term', term, prefix: true }), false);
  return { path: encodePath([arrayTestField, ...path]), lacking, unless };
}

/** Leaves out the resources with these ids. */
export function withoutIds(ids: readonly string[]): <T extends Selection>(selection: T) => T {
  const conditions = ids.map((id) => sql`r.id <> ${id}`);
  return (selection) =>
    ids.length === 0 ? selection : { ...selection, conditions: [...selection.conditions, ...conditions] };
}
