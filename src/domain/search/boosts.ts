import type { JsonObject } from '../../contract/json.ts';
import type { Predicate } from '../predicate/ast.ts';
import { match } from '../predicate/match.ts';

/** A setting of a project: the factor for the scores of resources that match a predicate. */
export interface Boost {
  readonly predicate: Predicate;
  /** Above 0; below 1 it puts resources behind others of their rung. */
  readonly factor: number;
}

/** The factor for the score of a document: the product of all boosts that match it. */
export function boostOf(document: JsonObject, boosts: readonly Boost[]): number {
  return boosts.reduce(
    (product, { predicate, factor }) => (match(predicate, document) ? product * factor : product),
    1,
  );
}
