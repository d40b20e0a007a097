import type { Rung } from '../../../contract/search-pages.ts';
import type { PageQuery, SortTerm } from '../../ports/list-order.ts';
import type { Literal, Path, Predicate } from '../../predicate/ast.ts';
import type { Boost } from '../boosts.ts';
import type { FieldRule } from '../field-rules.ts';
import type { MatchMode } from '../settings.ts';
import type { TextQuery } from '../words/asked-text.ts';
import type { Excluded } from '../words/operators.ts';

/** A search as plain data: the parsed parameters of E4 (decisions 20–24). */
export interface SearchQuery extends PageQuery {
  /** A resource must match one of these. Empty: every resource matches. */
  readonly texts: readonly TextQuery[];
  /** A resource must have none of these. */
  readonly excluded: readonly Excluded[];
  /** Most edits between a word of the query and one of a text: 0 without `fuzzy`, else the level of the request. */
  readonly fuzzyLevel: 0 | 1 | 2;
  readonly match: MatchMode;
  /** The rules of the project for words of its fields. */
  readonly fields: readonly FieldRule[];
  /** The boosts of the project: factors for the scores of some resources. */
  readonly boosts: readonly Boost[];
  /** When recency is judged (`hourOf`): where a page continues another one, that one's hour counts. */
  readonly hour: number;
  /** Resources that come first by relevance, if they meet the filters: ids, or keys as `key=…`. */
  readonly pinned: readonly string[];
  /** The last word of each text is the beginning of one that is still being typed. */
  readonly prefix: boolean;
  /** `filter.query`: narrows results and all facets. */
  readonly queryFilters: readonly Predicate[];
  /** `filter`: narrows results only. */
  readonly filters: readonly Predicate[];
  /** `filter.facets`: narrows only the facets of other paths. */
  readonly facetFilters: readonly FacetFilter[];
  readonly facets: readonly Facet[];
  /** Empty: by relevance where there is text, else `createdAt desc`. */
  readonly sort: readonly SortTerm[];
  /** The order of equally relevant resources, before that by id. */
  readonly ties: readonly SortTerm[];
  /** Only the first result of each value at this path is returned. */
  readonly group?: Path;
  /** How many completions of the last word of the first text to return as well. */
  readonly suggest?: number;
  /** True if `weights` are returned as well. */
  readonly explain?: boolean;
}

/** The weights of the words of a text, and the words that a document needs: they explain the scores. */
export interface TextWeights {
  /** By word: without typos, and with them; of a word that says little only a part. */
  readonly strict: readonly number[];
  readonly loose: readonly number[];
  /** The places of the words of which a document needs `needed` where it does not have all. */
  readonly deciding: readonly number[];
  readonly needed: number;
  /** True if any of them suffices. */
  readonly isAny: boolean;
  /** By word: the head that it was taken for. */
  readonly heads: readonly (string | undefined)[];
  /** By word: words that only end like it (`firstWordsOf`). */
  readonly doubtful: readonly (readonly string[])[];
  /** The place of the unfinished word, where some document has a word that begins so. */
  readonly begun: readonly number[];
  /** The places of words that do not count, since there are too many. */
  readonly ignored: readonly number[];
}

/** A word of documents that completes the last word of a text. */
export interface Completion {
  readonly word: string;
  /** The word as one of the documents writes it. */
  readonly written: string;
  /** Resources that have it, beside all other words of the text. */
  readonly count: number;
}

export type { Rung } from '../../../contract/search-pages.ts';
export type { TextQuery } from '../words/asked-text.ts';

/** How a search with text found what it found, as in the response. */
export interface MatchResult {
  /** The last rung that was taken. */
  readonly rung: Rung;
  /** Resources found up to each rung that was taken, before `filter` narrows them. */
  readonly totals: Readonly<Partial<Record<Rung, number>>>;
  /** Words that no resource has, where most of the words sufficed. */
  readonly dropped: readonly string[];
  /** Words that no resource has as they were written, with what was taken for each. */
  readonly corrected: Readonly<Record<string, string>>;
  /** Words of a long text that did not count, since others weigh more; absent where all counted. */
  readonly ignored?: readonly string[];
}

export interface FacetFilter {
  /** The paths that the condition is about; facets of these are not narrowed by it. */
  readonly paths: readonly Path[];
  readonly predicate: Predicate;
}

export type Facet = FacetBase & FacetKind;
export type TermsFacet = Extract<Facet, { readonly kind: 'terms' }>;
export type TreeFacet = Extract<Facet, { readonly kind: 'tree' }>;
export type RangesFacet = Extract<Facet, { readonly kind: 'ranges' }>;
export type ValuesFacet = Extract<Facet, { readonly kind: 'values' }>;

interface FacetBase {
  /** The key in the response: the alias, else the path as it was written. */
  readonly name: string;
  readonly path: Path;
  /** Adds `productCount`. */
  readonly countingProducts: boolean;
}

/** Between the levels of a category, as in `clothing > shoes > boots`. */
export const levelSeparator = ' > ';

export type FacetKind =
  /** Counts of all values of a path. */
  | { readonly kind: 'terms' }
  /** Counts of categories with those below them, on each level. Only categories below these; empty: all. */
  | { readonly kind: 'tree'; readonly below: readonly string[] }
  /** Counts and statistics of the numbers, or instants, within ranges. */
  | { readonly kind: 'ranges'; readonly ranges: readonly FacetRange[] }
  /** Count of the resources that have one of some values. */
  | { readonly kind: 'values'; readonly values: readonly Literal[] };

/** Lower bound inclusive, upper exclusive; undefined is open. Both bounds have one type. */
export interface FacetRange {
  readonly from: Literal | undefined;
  readonly to: Literal | undefined;
}
