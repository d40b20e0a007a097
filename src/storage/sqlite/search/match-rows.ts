import type { Predicate } from '../../../domain/predicate/ast.ts';
import { normalise } from '../../query/normalise.ts';
import { sql } from '../../query/sql.ts';
import type { AccessPath, TextCondition } from '../query/access-paths.ts';
import { combinedAccess, completeAccessPath, countRows, matchesOf, settleAccessPaths } from '../query/execute.ts';
import { type CompiledSearch, compileSearched } from '../query/plan-list.ts';
import { filterByBuilt, filterByColumn, type ValueTest, valueTestOf } from './columns/column-filter.ts';
import { intersect, rowsOfQuery } from './row-sets.ts';
import type { SearchContext, SearchLimits } from './search.ts';

/** What a search has before it selects. */
type RowContext = Pick<SearchContext, 'db' | 'projectKey' | 'staged' | 'cache' | 'commits' | 'kept'>;

/** The same, with the deadline of the search. */
type SelectionBase = RowContext & Pick<SearchContext, 'deadline'>;

/** Selections of the matches of a text. */
export type Selecting = Pick<SearchContext, 'select' | 'rowsOf' | 'countOf' | 'rowsWith'>;

/** What is computed once for each list of predicates; lists with the same members count as the same. */
interface Selected {
  readonly predicates: readonly Predicate[];
  selection?: CompiledSearch;
  rows?: Uint32Array | undefined;
}

/** Selections of the resources that match a text and predicates. */
export function selecting(base: SelectionBase, text: TextCondition | undefined, limits: SearchLimits): Selecting {
  const { declaredPaths } = limits;
  const { db, projectKey, staged } = base;
  const known: Selected[] = [];
  const selectedBy = (predicates: readonly Predicate[]): Selected => {
    const isSame = (each: Selected) =>
      each.predicates.length === predicates.length && each.predicates.every((one, at) => one === predicates[at]);
    const same = known.find(isSame);
    if (same) return same;
    // Nothing is compiled where the rows of the text and columns are enough.
    const selected = { predicates, rows: text && rowsByColumns(base, text.rows, predicates) };
    known.push(selected);
    return selected;
  };
  const selectionOf = (selected: Selected): CompiledSearch => {
    const { predicates } = selected;
    const compiled = () => compileSearched({ projectKey, staged, where: predicates }, text, declaredPaths);
    selected.selection ??= settleAccessPaths(db, compiled());
    return selected.selection;
  };
  return {
    select: (predicates) => selectionOf(selectedBy(predicates)),
    rowsOf(predicates) {
      const selected = selectedBy(predicates);
      selected.rows ??= allRows(base, selectionOf(selected));
      base.deadline.checkNow();
      return selected.rows;
    },
    countOf(predicates) {
      const selected = selectedBy(predicates);
      return selected.rows?.length ?? countRows(db, selectionOf(selected));
    },
    rowsWith: (other, predicates) => selecting(base, other, limits).rowsOf(predicates),
  };
}

/**
 * The rows of all matches, ascending. By one index if it decides everything; else by a lookup of terms and the columns
 * of the other conditions; else by several indexes together, or by reading documents.
 */
function allRows(context: RowContext, selection: CompiledSearch): Uint32Array {
  const { db } = context;
  const complete = completeAccessPath(selection);
  if (complete) return rowsOfPath(context, complete);
  const narrowed = narrowedByTerms(context, selection);
  if (narrowed) return narrowed;
  const { few, covering } = combinedAccess(db, selection);
  if (few || !covering) return rowsOfQuery(db, sql`SELECT r.row AS row ${matchesOf(db, selection)}`);
  return intersect(covering.map((accessPath) => rowsOfPath(context, accessPath)));
}

function rowsOfPath({ db, kept }: RowContext, accessPath: AccessPath): Uint32Array {
  const { known, expression } = accessPath;
  return known ?? (kept && expression !== undefined ? kept.of(expression) : rowsOfQuery(db, accessPath.select));
}

/** More values at once are for the compiler of conditions, which refuses too many. */
const maxTested = 1000;

/** Those of some rows that satisfy predicates, by columns that are there; undefined if they do not decide it. */
function rowsByColumns(
  context: RowContext,
  rows: Uint32Array,
  predicates: readonly Predicate[],
): Uint32Array | undefined {
  const tests = normalise(predicates).map(valueTestOf);
  if (tests.reduce((sum, test) => sum + (test?.values ?? maxTested + 1), 0) > maxTested) return undefined;
  let left: Uint32Array | undefined = rows;
  for (const test of tests) left = left && filterByBuilt(context, left, test!);
  return left;
}

/** Undefined if no terms narrow, or if a condition cannot be decided by a column or its column is not built yet. */
function narrowedByTerms(context: RowContext, selection: CompiledSearch): Uint32Array | undefined {
  const accessPath = widestCover(selection);
  const tests = accessPath && openTests(selection, accessPath);
  if (!accessPath || !tests) return undefined;
  let rows: Uint32Array | undefined = rowsOfPath(context, accessPath);
  for (const test of tests) rows = rows && filterByColumn(context, rows, test);
  return rows;
}

/** The lookup of terms that decides the most conditions, that of the text among them: no column decides it. */
function widestCover({ accessPaths, conditions, conjuncts }: CompiledSearch): AccessPath | undefined {
  const hasText = conditions.length > conjuncts.length;
  const ofTerms = accessPaths.filter(({ kind, costly, covers }) => {
    return kind === 'terms' && !costly && covers.length > 0 && (!hasText || covers.includes(conjuncts.length));
  });
  return ofTerms.toSorted((a, b) => b.covers.length - a.covers.length)[0];
}

/** The tests of the conditions that the access path does not decide; undefined if one of them has none. */
function openTests({ conjuncts }: CompiledSearch, { covers }: AccessPath): readonly ValueTest[] | undefined {
  const open = conjuncts.filter((_, at) => !covers.includes(at)).map(valueTestOf);
  return open.every((test) => test !== undefined) ? open : undefined;
}
