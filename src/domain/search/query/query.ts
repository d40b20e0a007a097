import type { SortTerm } from '../../ports/list-query.ts';
import type { Literal, Path, Predicate } from '../../predicate/ast.ts';

/** A search as plain data: the parsed parameters of E4 (decisions 20–24). */
export interface SearchQuery {
  readonly projectKey: string;
  /** Search and return the staged projection, which equals the current one where nothing is staged. */
  readonly staged: boolean;
  /** A resource must match one of these. Empty: every resource matches. */
  readonly texts: readonly TextQuery[];
  /** Most edits between a word of the query and one of a text: 0 without `fuzzy`, else the level of the request. */
  readonly fuzzyLevel: 0 | 1 | 2;
  /** `filter.query`: narrows results and all facets. */
  readonly queryFilters: readonly Predicate[];
  /** `filter`: narrows results only. */
  readonly filters: readonly Predicate[];
  /** `filter.facets`: narrows only the facets of other paths. */
  readonly facetFilters: readonly FacetFilter[];
  readonly facets: readonly Facet[];
  /** Empty: by relevance where there is text, else `createdAt desc`. */
  readonly sort: readonly SortTerm[];
  /** 0–500 */
  readonly limit: number;
  /** 0–10,000 */
  readonly offset: number;
  readonly withTotal: boolean;
}

/** The text of one `text.<locale>` parameter. */
export interface TextQuery {
  /** `de` or `de-AT`: strings under exactly this locale are searched, and those under none. */
  readonly locale: string;
  /** Distinct folded words in the form of `wordsOf`; all must match. Empty (a text without words): nothing matches. */
  readonly words: readonly string[];
}

export interface FacetFilter {
  /** The paths that the condition is about; facets of these are not narrowed by it. */
  readonly paths: readonly Path[];
  readonly predicate: Predicate;
}

export type Facet = TermsFacet | RangesFacet | ValuesFacet;

interface FacetBase {
  /** The key in the response: the alias, else the path as it was written. */
  readonly name: string;
  readonly path: Path;
  /** Adds `productCount`. */
  readonly countingProducts: boolean;
}

/** Counts of all values of a path. */
export interface TermsFacet extends FacetBase {
  readonly kind: 'terms';
}

/** Counts and statistics of the numbers, or instants, within ranges. */
export interface RangesFacet extends FacetBase {
  readonly kind: 'ranges';
  readonly ranges: readonly FacetRange[];
}

/** Count of the resources that have one of some values. */
export interface ValuesFacet extends FacetBase {
  readonly kind: 'values';
  readonly values: readonly Literal[];
}

/** Lower bound inclusive, upper exclusive; undefined is open. Both bounds have one type. */
export interface FacetRange {
  readonly from: Literal | undefined;
  readonly to: Literal | undefined;
}

/** The result of one facet, as in the response. `count` counts resources. */
export type FacetResult = TermsFacetResult | RangesFacetResult | ValuesFacetResult;

export interface TermsFacetResult {
  readonly type: 'terms';
  readonly dataType: 'text' | 'number' | 'boolean' | 'date' | 'time' | 'datetime';
  /** Resources without a value. */
  readonly missing: number;
  /** Resources with a value. */
  readonly total: number;
  /** Terms beyond those listed. */
  readonly other: number;
  /** By count, greatest first, then by the bytes of the term. */
  readonly terms: readonly { readonly term: string; readonly count: number; readonly productCount?: number }[];
}

export interface RangesFacetResult {
  readonly type: 'range';
  readonly ranges: readonly RangeCount[];
}

export interface RangeCount {
  readonly from: number;
  readonly fromStr: string;
  readonly to: number;
  readonly toStr: string;
  /** Resources with a value in the range. */
  readonly count: number;
  readonly productCount?: number;
  /** Sum, least, greatest and mean of the values in the range, repeated ones as often as they occur; 0 for none. */
  readonly total: number;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
}

export interface ValuesFacetResult {
  readonly type: 'filter';
  readonly count: number;
  readonly productCount?: number;
}
