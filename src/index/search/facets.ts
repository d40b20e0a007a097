import { malformedParameter } from '../../contract/errors.ts';
import type { SearchPage } from '../../domain/ports/list-query.ts';
import type { Path, Predicate } from '../../domain/predicate/ast.ts';
import { isSamePath } from '../../domain/predicate/path.ts';
import {
  type FacetResult,
  listedResult,
  nodesOf,
  type RangeHistogram,
  rangesResult,
  termsResult,
  treeResult,
  valuesResult,
} from '../../domain/search/facet-results.ts';
import { commonType, type FacetScalar, isInRange, statisticOf } from '../../domain/search/facet-values.ts';
import { mostFrequentTerms } from '../../domain/search/listed-terms.ts';
import type { Facet, FacetRange, RangesFacet, TermsFacet, TreeFacet } from '../../domain/search/query/query.ts';
import { eachDocument } from '../query/rows.ts';
import { Column } from './columns/column.ts';
import { columnOf } from './columns/column-filter.ts';
import { fewRows } from './columns/columns.ts';
import { rowsOfProject } from './columns/term-entries.ts';
import { noScalar, type ValueColumn, valueColumn } from './columns/value-column.ts';
import type { SearchContext } from './search.ts';

/**
 * The results of all facets of a search, in their order. Throws `ServiceError` InvalidInput if their terms would have
 * more than `maxBytes`, since terms may be texts of any length.
 */
export function computeFacets(context: SearchContext, maxBytes: number): SearchPage['facets'] {
  let bytes = 0;
  return context.query.facets.map((facet) => {
    const result = facetResult(context, facet);
    bytes += termBytes(result);
    if (bytes > maxBytes) {
      throw malformedParameter(
        'facet',
        `the terms would have more than ${maxBytes} bytes; a facet is for short values`,
      );
    }
    return [facet.name, JSON.stringify(result)] as const;
  });
}

function termBytes(result: FacetResult): number {
  if (result.type !== 'terms' && result.type !== 'tree') return 0;
  return (result.terms as readonly { term: string }[]).reduce((sum, { term }) => sum + Buffer.byteLength(term), 0);
}

function facetResult(context: SearchContext, facet: Facet): FacetResult {
  const { queryFilters, facetFilters } = context.query;
  const others = facetFilters.filter(({ paths }) => !paths.some((path) => isSamePath(path, facet.path)));
  const predicates = [...queryFilters, ...others.map(({ predicate }) => predicate)];
  context.deadline.checkNow();
  switch (facet.kind) {
    case 'values': {
      const has: Predicate = { kind: 'in', path: facet.path, values: facet.values };
      return valuesResult(facet, context.countOf([...predicates, has]));
    }
    case 'terms':
      return termsFacet(facet, tallyOf(context, facet.path, predicates));
    case 'tree':
      return treeFacet(facet, tallyOf(context, facet.path, predicates));
    case 'ranges':
      return rangesFacet(facet, tallyOf(context, facet.path, predicates));
    default:
      return facet satisfies never;
  }
}

/** The values of the rows at a path. */
interface Tally {
  readonly scalars: ValueColumn['scalars'];
  /** Rows by the number of their only value. */
  readonly single: Int32Array;
  /** The values of each row that has several. */
  readonly several: readonly (readonly number[])[];
  readonly withValue: number;
  readonly missing: number;
}

function tallyOf(context: SearchContext, path: Path, predicates: readonly Predicate[]): Tally {
  const all = context.texts.length === 0 && context.query.excluded.length === 0 && predicates.length === 0;
  const rows = all ? rowsOfProject(context) : context.rowsOf(predicates);
  const count = all ? context.resources : rows.length;
  const ready = columnOf(context, path, count);
  if (!ready && count > fewRows) {
    throw malformedParameter(
      'facet',
      `${path.join('.')} has too many different values to count in ${count} resources; a facet is for values that many resources share. Narrow the search to ${fewRows} resources`,
    );
  }
  const { column, maker } = ready ?? columnOfDocuments(context, path, rows);
  const { scalars } = maker;
  const single = new Int32Array(scalars.length + 2);
  const several = column.rows.count(rows, single).map((value) => column.valuesOf(value));
  let withValue = several.length;
  for (let value = 0; value < single.length; value += 1) withValue += single[value]!;
  return { scalars, single, several, withValue, missing: count - withValue };
}

/** The values in the documents themselves. */
export function columnOfDocuments(context: SearchContext, path: Path, rows: Uint32Array) {
  const [column, maker] = [new Column(), valueColumn(path)];
  eachDocument(context, rows, (document, row) => {
    context.deadline.checkNow();
    column.setValues(row, maker.read(document));
  });
  return { column, maker };
}

function termsFacet(facet: TermsFacet, tally: Tally): FacetResult {
  const { scalars, single, several, withValue, missing } = tally;
  const rows = single.subarray(noScalar + 1);
  const found = several.length === 0 ? rows : withSeveral(rows, several);
  const types = new Set<FacetScalar['dataType']>();
  let different = 0;
  for (let at = 0; at < found.length; at += 1) {
    if (found[at] === 0) continue;
    different += 1;
    types.add(scalars[at]!.dataType);
  }
  const isMixed = types.size > 1 && (types.has('number') || types.has('boolean'));
  const dataType = commonType(types);
  if (isMixed) return termsResult(facet, mixedTerms(tally), withValue, missing, dataType);
  const listed = mostFrequentTerms(found, (at) => scalars[at]!.term);
  return listedResult(facet, listed, { different, withValue, missing, dataType });
}

/** With each row that has several values counted for each of them. */
function withSeveral(rows: Int32Array, several: Tally['several']): Int32Array {
  const all = rows.slice();
  for (const values of several) {
    for (const value of new Set(values)) all[value - 2]! += 1;
  }
  return all;
}

/** Resources by term where texts may be written as numbers are: a row counts once for a term, even if it has both. */
function mixedTerms({ scalars, single, several }: Tally): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const add = (term: string, rows: number) => counts.set(term, (counts.get(term) ?? 0) + rows);
  for (let value = noScalar + 1; value < single.length; value += 1) {
    if (single[value] !== 0) add(scalars[value - 2]!.term, single[value]!);
  }
  for (const values of several) {
    for (const term of new Set(values.map((value) => scalars[value - 2]!.term))) add(term, 1);
  }
  return counts;
}

function treeFacet(facet: TreeFacet, { scalars, single, several, withValue, missing }: Tally): FacetResult {
  const counts = new Map<string, number>();
  const nodes = scalars.map((scalar) => nodesOf(facet, scalar));
  const add = (own: Iterable<string>, rows: number) => {
    for (const node of own) counts.set(node, (counts.get(node) ?? 0) + rows);
  };
  for (let value = noScalar + 1; value < single.length; value += 1) {
    if (single[value] !== 0) add(nodes[value - 2]!, single[value]!);
  }
  // A row counts once for a category, whatever it has below it.
  for (const values of several) add(new Set(values.flatMap((value) => nodes[value - 2] ?? [])), 1);
  return treeResult(facet, counts, withValue, missing);
}

function rangesFacet(facet: RangesFacet, tally: Tally): FacetResult {
  return rangesResult(
    facet,
    facet.ranges.map((range) => histogramOf(range, tally)),
  );
}

function histogramOf(range: FacetRange, { scalars, single, several }: Tally): RangeHistogram {
  const values = new Map<number, number>();
  let count = 0;
  const inside = (value: number) => value > noScalar && isInRange(scalars[value - 2]!.scalar, range);
  const add = (value: number, times: number) => {
    const number = statisticOf(scalars[value - 2]!.scalar);
    values.set(number, (values.get(number) ?? 0) + times);
  };
  for (let value = noScalar + 1; value < single.length; value += 1) {
    if (single[value] === 0 || !inside(value)) continue;
    count += single[value]!;
    add(value, single[value]!);
  }
  for (const own of several) {
    const found = own.filter(inside);
    if (found.length > 0) count += 1;
    for (const value of found) add(value, 1);
  }
  return { count, values };
}
