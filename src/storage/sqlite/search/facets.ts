import { malformedParameter } from '../../../contract/errors.ts';
import type { SearchPage } from '../../../domain/ports/list-query.ts';
import type { Path, Predicate } from '../../../domain/predicate/ast.ts';
import { isSamePath } from '../../../domain/predicate/path.ts';
import { type RangeHistogram, rangesResult, termsResult, valuesResult } from '../../../domain/search/facet-results.ts';
import { commonType, isInRange, statisticOf } from '../../../domain/search/facet-values.ts';
import type { Facet, FacetRange, FacetResult, RangesFacet, TermsFacet } from '../../../domain/search/query/query.ts';
import { countRows } from '../query/execute.ts';
import { columnOf } from './columns/column-filter.ts';
import { type Column, emptyColumn, setValues, valuesOf } from './columns/columns.ts';
import { rowsOfProject } from './columns/term-entries.ts';
import { noScalar, type ValueColumn, valueColumn } from './columns/value-column.ts';
import type { Searching } from './search.ts';

/**
 * The answers to all facets of a search, in their order. Throws `ServiceError` InvalidInput where their terms would
 * have more than so many bytes: texts of any length may be terms.
 */
export function answerFacets(searching: Searching, mostBytes: number): SearchPage['facets'] {
  let bytes = 0;
  return searching.query.facets.map((facet) => {
    const result = answerFacet(searching, facet);
    bytes += termBytes(result);
    if (bytes > mostBytes) {
      throw malformedParameter(
        'facet',
        `the terms would have more than ${mostBytes} bytes; a facet is for short values`,
      );
    }
    return [facet.name, result] as const;
  });
}

function termBytes(result: FacetResult): number {
  if (result.type !== 'terms') return 0;
  return result.terms.reduce((sum, { term }) => sum + Buffer.byteLength(term), 0);
}

function answerFacet(searching: Searching, facet: Facet): FacetResult {
  const { queryFilters, facetFilters } = searching.query;
  const others = facetFilters.filter(({ paths }) => !paths.some((path) => isSamePath(path, facet.path)));
  const predicates = [...queryFilters, ...others.map(({ predicate }) => predicate)];
  searching.deadline.check();
  switch (facet.kind) {
    case 'values': {
      const has: Predicate = { kind: 'in', path: facet.path, values: facet.values };
      return valuesResult(facet, countRows(searching.db, searching.select([...predicates, has])));
    }
    case 'terms':
      return answerTerms(facet, tallyOf(searching, facet.path, predicates));
    case 'ranges':
      return answerRanges(facet, tallyOf(searching, facet.path, predicates));
    default:
      return facet satisfies never;
  }
}

/** What the rows have at a path. */
interface Tally {
  readonly scalars: ValueColumn['scalars'];
  /** Rows by the number of their only value. */
  readonly single: Int32Array;
  /** The values of each row that has several. */
  readonly several: readonly (readonly number[])[];
  readonly withValue: number;
  readonly missing: number;
}

function tallyOf(searching: Searching, path: Path, predicates: readonly Predicate[]): Tally {
  const all = searching.texts.length === 0 && predicates.length === 0;
  const rows = all ? undefined : searching.rowsOf(predicates);
  const count = rows ? rows.length : searching.resources;
  const ready = columnOf(searching, path, count);
  if (!ready) return tallyOfDocuments(searching, path, rows ?? rowsOfProject(searching));
  const { column, maker } = ready;
  if (!rows) return tallyOfAll(column, maker.scalars, count);
  const gathered = gather(maker.scalars.length);
  for (let at = 0; at < rows.length; at += 1) gathered.take(column, column.rows.get(rows[at]!));
  return gathered.tally(maker.scalars, count);
}

/** What all rows have: the column keeps count of it, but for those with several values. */
function tallyOfAll(column: Column, scalars: Tally['scalars'], count: number): Tally {
  const single = Int32Array.from({ length: scalars.length + 2 }, (_, value) => column.single[value] ?? 0);
  const several: (readonly number[])[] = [];
  if (column.severalRows > 0) {
    column.rows.eachSet((value) => {
      if (value < 0) several.push(valuesOf(column, value));
    });
  }
  const withValue = single.reduce((sum, rows) => sum + rows, several.length);
  return { scalars, single, several, withValue, missing: count - withValue };
}

/** The same from the documents themselves. */
function tallyOfDocuments(searching: Searching, path: Path, rows: Uint32Array): Tally {
  const maker = valueColumn(path);
  const column = emptyColumn();
  searching.eachDocumentOf(rows, (document, row) => setValues(column, row, maker.read(document)));
  return tallyOfAll(column, maker.scalars, rows.length);
}

/** Adds up the values of rows. */
function gather(scalars: number) {
  const single = new Int32Array(scalars + 2);
  const several: (readonly number[])[] = [];
  let withValue = 0;
  return {
    take(column: Column, value: number): void {
      if (value === 0) return;
      withValue += 1;
      if (value > 0) single[value]! += 1;
      else several.push(valuesOf(column, value));
    },
    tally: (of: ValueColumn['scalars'], count: number): Tally => ({
      ...{ scalars: of, single, several, withValue, missing: count - withValue },
    }),
  };
}

function answerTerms(facet: TermsFacet, { scalars, single, several, withValue, missing }: Tally): FacetResult {
  const counts = new Map<string, number>();
  const types = new Set(eachScalar(single, several, scalars, counts));
  return termsResult(facet, counts, withValue, missing, commonType(types));
}

/** Counts the rows of each term, and answers the data types that occur. */
function* eachScalar(
  single: Int32Array,
  several: Tally['several'],
  scalars: ValueColumn['scalars'],
  counts: Map<string, number>,
) {
  const add = (term: string, rows: number) => counts.set(term, (counts.get(term) ?? 0) + rows);
  for (let value = noScalar + 1; value < single.length; value += 1) {
    if (single[value] === 0) continue;
    const { term, dataType } = scalars[value - 2]!;
    add(term, single[value]!);
    yield dataType;
  }
  for (const values of several) {
    const own = values.map((value) => scalars[value - 2]!);
    for (const term of new Set(own.map((scalar) => scalar.term))) add(term, 1);
    for (const { dataType } of own) yield dataType;
  }
}

function answerRanges(facet: RangesFacet, tally: Tally): FacetResult {
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
