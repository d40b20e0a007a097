import type { JsonObject } from '../../contract/json.ts';
import type { Predicate } from '../predicate/ast.ts';
import { match } from '../predicate/match.ts';

/** What multiplies the scores of the resources that a predicate holds for, by the settings of a project. */
export interface Boost {
  readonly predicate: Predicate;
  /** Above 0; below 1 it puts resources behind others of their rung. */
  readonly factor: number;
}

/** What the score of a document is multiplied by: the factors of all boosts that hold for it. */
export function boostOf(document: JsonObject, boosts: readonly Boost[]): number {
  return boosts.reduce(
    (product, { predicate, factor }) => (match(predicate, document) ? product * factor : product),
    1,
  );
}
