import { compareUtf8 } from '../predicate/scalar.ts';
import { nthGreatest } from './nth-greatest.ts';
import { maxFacetTerms } from './query/limits.ts';

/** A term with the number of its resources. */
export type CountedTerm = readonly [term: string, count: number];

/**
 * The terms that a facet lists, of all that it has: the most frequent ones, those with equal counts in the order of their
 * bytes. `termAt`: the term of a count, by its place. Terms without a count are left out. Where thousands have the lowest count that is
 * listed, as texts of which each resource has its own, only those that may be listed are sorted, a portion at a time.
 */
export function mostFrequentTerms(counts: ArrayLike<number>, termAt: (at: number) => string): readonly CountedTerm[] {
  const least = Math.max(1, nthGreatest(counts, maxFacetTerms));
  const more: CountedTerm[] = [];
  let equal: string[] = [];
  /** None of the terms with the lowest count that comes behind it is listed. */
  let last: string | undefined;
  const sort = () => {
    equal = equal.sort(compareUtf8).slice(0, maxFacetTerms);
    last = equal[maxFacetTerms - 1];
  };
  for (let at = 0; at < counts.length; at += 1) {
    const count = counts[at]!;
    if (count < least) continue;
    const term = termAt(at);
    if (count > least) more.push([term, count]);
    else if (last === undefined || compareUtf8(term, last) < 0) equal.push(term);
    if (equal.length === 2 * maxFacetTerms) sort();
  }
  sort();
  more.sort(([left, m], [right, n]) => n - m || compareUtf8(left, right));
  return [...more, ...equal.slice(0, maxFacetTerms - more.length).map((term): CountedTerm => [term, least])];
}
