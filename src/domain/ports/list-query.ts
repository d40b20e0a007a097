import type { Predicate } from '../predicate/ast.ts';
import type { Completion, MatchResult, TextWeights } from '../search/query/query.ts';
import type { PageQuery, Position, SortTerm } from './list-order.ts';

export type { Position, PositionKey, SortTerm } from './list-order.ts';

/** A list of resources of one project (decisions 15, 16). */
export interface ListQuery extends PageQuery {
  /** All must hold. */
  readonly where: readonly Predicate[];
  /** Missing values last in asc, first in desc; ties by id. Empty: an order that is stable while nothing changes. */
  readonly sort: readonly SortTerm[];
  /** With `withTotal`, counting stops at this many matches; undefined: no limit. */
  readonly countUpTo?: number | undefined;
}

export interface ListPage {
  /** JSON texts of resources. */
  readonly results: readonly string[];
  readonly count: number;
  /** The position behind the last item, if more follow. */
  readonly next?: Position | undefined;
  /** Number of matches; present if `withTotal`. */
  readonly total?: number;
  /** There are more matches than `total`, which is `countUpTo` (decision 99); undefined if `total` is exact. */
  readonly totalRelation?: 'gte';
}

/** The number of matches as a page says it, of a count that stopped above `countUpTo` at the earliest. */
export function totalOf(
  counted: number,
  countUpTo: number | undefined,
): { readonly total: number; readonly totalRelation?: 'gte' } {
  if (countUpTo === undefined || counted <= countUpTo) return { total: counted };
  return { total: countUpTo, totalRelation: 'gte' };
}

export interface SearchPage extends ListPage {
  /**
   * Each a `FacetResult` as JSON, in the order of the query; empty if there are none. Nothing reads them on the way to the
   * client, and hundreds of terms cost more to pass between threads than to count.
   */
  readonly facets: readonly (readonly [name: string, json: string])[];
  /** Absent without text. */
  readonly match?: MatchResult;
  /** By count, greatest first, then by the letters of the word. Absent unless they were asked for. */
  readonly completions?: readonly Completion[];
  /** How a document writes the words that `match` has as corrections, by these words. Absent without text. */
  readonly written?: Readonly<Record<string, string>>;
  /** Of each text of the query. Absent unless they were asked for, and without text. */
  readonly weights?: readonly TextWeights[];
  /** Of each result: the value of its group, if it has one, and how many results that has. Absent unless they are grouped. */
  readonly groups?: readonly { readonly value?: string; readonly count: number }[];
  /** By which hour recency was judged. Absent where it was not. */
  readonly hour?: number;
}
