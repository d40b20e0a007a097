import type { ByPredicateLine, ByPredicateSummary } from '../../dist/api-types.js';
import type { Predicate } from '../predicate.ts';

export interface ByPredicateOptions {
  /** How many resources have to match; otherwise nothing is changed, and it throws a `ConflictError`. */
  readonly expect?: number;
  /** Every resource is checked, nothing is written. */
  readonly dryRun?: boolean;
  /** Most resources to change. Default: 10,000. */
  readonly limit?: number;
  /** Only resources with a greater id: `resumeAfter` of a summary. */
  readonly after?: string;
  /** The predicate is about the staged projections. */
  readonly staged?: boolean;
  /** `refused`: only resources that were refused or skipped have results. Default: all. */
  readonly results?: 'all' | 'refused';
  /** Stored with each change: who made it, in your own system. */
  readonly user?: string;
  readonly signal?: AbortSignal;
}

/** Yields the result of each resource once it is durable, and returns the summary. */
export type ByPredicateResults = AsyncGenerator<ByPredicateLine, ByPredicateSummary>;

/** Changes of all resources that match. Where the connection is lost, they continue: nothing is done twice. */
export interface ByPredicate<A> {
  /** Updates all resources that match by actions, each on what it is when its turn comes. */
  updateWhere(where: Predicate | string, actions: readonly A[], options?: ByPredicateOptions): ByPredicateResults;
  /** Deletes all resources that match. */
  deleteWhere(where: Predicate | string, options?: ByPredicateOptions): ByPredicateResults;
}
