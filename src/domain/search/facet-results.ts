import type { Literal } from '../predicate/ast.ts';
import { compareUtf8 } from '../predicate/scalar.ts';
import type { DataType, FacetScalar } from './facet-values.ts';
import { boundOf, statisticOf } from './facet-values.ts';
import { type CountedTerm, mostFrequentTerms } from './listed-terms.ts';
import { maxFacetTerms, maxLevels } from './query/limits.ts';
import {
  type Facet,
  type FacetRange,
  levelSeparator,
  type RangesFacet,
  type TermsFacet,
  type TreeFacet,
  type ValuesFacet,
} from './query/query.ts';

/** From counts to results, as responses have them (contract/search-pages.ts): shared by all engines (decision 24). */

export type FacetResult = ReturnType<
  typeof listedResult | typeof treeResult | typeof rangesResult | typeof valuesResult
>;

/**
 * The result of a terms facet.
 * @param counts - resources by term; a resource with a text and a number that are written alike counts once.
 * @param withValue - resources with some value at the path; `missing`: those without.
 */
export function termsResult(
  facet: TermsFacet,
  counts: ReadonlyMap<string, number>,
  withValue: number,
  missing: number,
  dataType: DataType,
) {
  const terms = [...counts.keys()];
  const listed = mostFrequentTerms([...counts.values()], (at) => terms[at]!);
  return listedResult(facet, listed, { different: counts.size, withValue, missing, dataType });
}

/** The result of the terms that are listed, in their order; `different` is the number of all. */
export function listedResult(
  facet: TermsFacet,
  listed: readonly CountedTerm[],
  all: {
    readonly different: number;
    readonly withValue: number;
    readonly missing: number;
    readonly dataType: DataType;
  },
) {
  const { different, withValue, missing, dataType } = all;
  const terms = listed.map(([term, count]) => ({ term, ...counted(facet, count) }));
  return { type: 'terms' as const, dataType, missing, total: withValue, other: different - terms.length, terms };
}

/**
 * The categories that a text counts for: itself and all that it is below, of those that the facet is about. Nothing else
 * has categories.
 */
export function nodesOf({ below }: TreeFacet, { term, scalar: { type } }: FacetScalar): readonly string[] {
  if (type !== 'string' && type !== 'instant') return [];
  const nodes: string[] = [];
  for (let from = 0, at = 0; at >= 0 && nodes.length < maxLevels; from = at + levelSeparator.length) {
    at = term.indexOf(levelSeparator, from);
    nodes.push(at < 0 ? term : term.slice(0, at));
  }
  if (below.length === 0) return nodes;
  return nodes.filter((node) => below.some((above) => node.startsWith(above + levelSeparator)));
}

/** The result of a tree facet; `counts`, `withValue` and `missing` as in `termsResult`. */
export function treeResult(facet: TreeFacet, counts: ReadonlyMap<string, number>, withValue: number, missing: number) {
  const levelOf = (term: string) => term.split(levelSeparator).length;
  const all = [...counts].map(([term, count]) => ({ term, level: levelOf(term), ...counted(facet, count) }));
  all.sort((a, b) => b.count - a.count || a.level - b.level || compareUtf8(a.term, b.term));
  const terms = all.slice(0, maxFacetTerms);
  return { type: 'tree' as const, missing, total: withValue, other: counts.size - terms.length, terms };
}

/** The result of one range. */
export interface RangeHistogram {
  /** Resources with a value in the range. */
  readonly count: number;
  /** How often each number occurs. An instant is its milliseconds since the epoch. */
  readonly values: ReadonlyMap<number, number>;
}

/** The result of a ranges facet. One histogram for each of its ranges, in their order. */
export function rangesResult(facet: RangesFacet, found: readonly RangeHistogram[]) {
  return { type: 'range' as const, ranges: facet.ranges.map((range, at) => rangeCount(facet, range, found[at]!)) };
}

/** The result of a values facet: `count` resources have one of its values. */
export function valuesResult(facet: ValuesFacet, count: number) {
  return { type: 'filter' as const, ...counted(facet, count) };
}

/** A resource is what the interface calls a product, so both counts are the same. */
function counted(
  { countingProducts }: Facet,
  count: number,
): { readonly count: number; readonly productCount?: number } {
  return countingProducts ? { count, productCount: count } : { count };
}

function rangeCount(facet: RangesFacet, { from, to }: FacetRange, { count, values }: RangeHistogram) {
  return {
    from: boundNumber(from),
    fromStr: String(from?.value ?? ''),
    to: boundNumber(to),
    toStr: String(to?.value ?? ''),
    ...counted(facet, count),
    ...statistics(values),
  };
}

function boundNumber(literal: Literal | undefined): number {
  return literal ? statisticOf(boundOf(literal)) : 0;
}

/** Sums in the order of the values: floating-point sums depend on the order, and results must not depend on the engine. */
function statistics(values: ReadonlyMap<number, number>) {
  const ascending = [...values].sort(([left], [right]) => left - right);
  if (ascending.length === 0) return { total: 0, min: 0, max: 0, mean: 0 };
  let total = 0;
  let times = 0;
  for (const [value, repeated] of ascending) {
    total = finite(total + finite(value * repeated));
    times += repeated;
  }
  return { total, min: ascending[0]![0], max: ascending.at(-1)![0], mean: total / times };
}

/** JSON has no infinity: a sum beyond all numbers is the greatest of them. */
function finite(sum: number): number {
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, sum));
}
