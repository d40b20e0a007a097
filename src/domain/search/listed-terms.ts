import { compareUtf8 } from '../predicate/scalar.ts';
import { maxFacetTerms } from './query/limits.ts';

/** A term with the number of its resources. */
export type CountedTerm = readonly [term: string, count: number];

/** The terms that a facet lists, chosen from all that it has. */
export interface ListedTerms {
  add(term: string, count: number): void;
  /** The most frequent ones; those with equal counts in the order of their bytes. */
  inOrder(): readonly CountedTerm[];
}

/**
 * Chooses the terms that are listed. `least`: the lowest count of these. Where thousands have that count, as texts of which each
 * resource has its own, only those that may be listed are kept in order: sorting all of them takes a dozen times as long.
 */
export function listedTerms(least: number): ListedTerms {
  const more: CountedTerm[] = [];
  /** The first terms with the lowest count, in their order. */
  const equal: string[] = [];

  function addEqual(term: string): void {
    if (equal.length === maxFacetTerms) {
      if (compareUtf8(term, equal[maxFacetTerms - 1]!) >= 0) return;
      equal.pop();
    }
    let [low, high] = [0, equal.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareUtf8(equal[middle]!, term) <= 0) low = middle + 1;
      else high = middle;
    }
    equal.splice(low, 0, term);
  }

  return {
    add(term, count) {
      if (count > least) more.push([term, count]);
      else if (count === least) addEqual(term);
    },
    inOrder() {
      more.sort(([left, m], [right, n]) => n - m || compareUtf8(left, right));
      const left = equal.slice(0, maxFacetTerms - more.length);
      return [...more, ...left.map((term): CountedTerm => [term, least])];
    },
  };
}
