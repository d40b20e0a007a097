import type { Predicate } from '../../domain/predicate/ast.ts';
import { normalise } from '../plan/normalise.ts';
import { sql } from '../plan/sql.ts';
import type { TextCondition } from '../query/access-paths.ts';
import { allMatches, completePath, countRows, type Opened, openSelection } from '../query/execute.ts';
import type { FoundPath } from '../query/found-path.ts';
import { type CompiledSearch, compileSearched } from '../query/plan-list.ts';
import { rowsOfQuery } from '../query/statements.ts';
import { intersect } from '../terms/row-sets.ts';
import { filterByBuilt, filterByColumn, type ValueTest, valueTestOf } from './columns/column-filter.ts';
import type { SearchBase } from './query-terms.ts';
import type { SearchContext, SearchLimits } from './search.ts';

type OpenSearch = Opened<CompiledSearch>;

/** Selections of the matches of a text. */
export type Selecting = Pick<SearchContext, 'select' | 'rowsOf' | 'countOf' | 'rowsWith'>;

/** Results computed once for each list of predicates; lists with equal members count as equal. */
interface Selected {
  readonly predicates: readonly Predicate[];
  selection?: OpenSearch;
  rows?: Uint32Array | undefined;
}

/** Selections of the resources that match a text and predicates. */
export function selecting(base: SearchBase, text: TextCondition | undefined, limits: SearchLimits): Selecting {
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
  const selectionOf = (selected: Selected): OpenSearch => {
    const { predicates } = selected;
    const compiled = () => compileSearched({ projectKey, staged, where: predicates }, text, declaredPaths);
    selected.selection ??= openSelection(db, compiled());
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
function allRows(context: SearchBase, selection: OpenSearch): Uint32Array {
  const rows = completePath(selection)?.rows ?? narrowedByTerms(context, selection);
  if (rows) return rows;
  const all = allMatches(selection);
  return all instanceof Uint32Array ? all : rowsOfQuery(context.db, sql`SELECT r.row AS row ${all}`);
}

/** More values at once are for the compiler of conditions, which refuses too many. */
const maxTested = 1000;

/** The rows that satisfy predicates, by columns that are there; undefined if these do not decide it. */
function rowsByColumns(
  context: SearchBase,
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
function narrowedByTerms(context: SearchBase, selection: OpenSearch): Uint32Array | undefined {
  const accessPaths = ofTerms(selection);
  const tests = openTests(selection, accessPaths);
  if (accessPaths.length === 0 || !tests) return undefined;
  let rows: Uint32Array | undefined = intersect(accessPaths.map((each) => each.rows));
  for (const test of tests) rows = rows && filterByColumn(context, rows, test);
  return rows;
}

/** The lookup of terms that decides the most conditions, and the rows of the text: no column decides it. */
function ofTerms({ accessPaths, conjuncts }: OpenSearch): readonly FoundPath[] {
  const cheap = accessPaths.filter(({ kind, costly, covers }) => kind === 'terms' && !costly && covers.length > 0);
  const [text = [], others = []] = [true, false].map((isText) =>
    cheap.filter(({ covers }) => covers.includes(conjuncts.length) === isText),
  );
  return [...text, ...others.toSorted((a, b) => b.covers.length - a.covers.length).slice(0, 1)];
}

/** The tests of the conditions that the access paths do not decide; undefined if one of them has none. */
function openTests({ conjuncts }: OpenSearch, accessPaths: readonly FoundPath[]): readonly ValueTest[] | undefined {
  const covered = new Set(accessPaths.flatMap(({ covers }) => covers));
  const open = conjuncts.filter((_, at) => !covered.has(at)).map(valueTestOf);
  return open.every((test) => test !== undefined) ? open : undefined;
}
