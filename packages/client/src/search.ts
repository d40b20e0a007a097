import type { Facet, FilterFacet, RangeFacet, TermsFacet, TreeFacet } from '../dist/api-types.js';
import type { Predicate } from './predicate.ts';
import type { QueryValue } from './request.ts';

/** A facet to ask for, made by `terms`, `ranges` or `matching`. `Result` is the shape of its answer. */
export interface FacetQuery<Result extends Facet = Facet> {
  /** Without the name. */
  readonly text: string;
  /** Only for the compiler: there is no such value. */
  readonly result?: Result;
}

export type Facets = Readonly<Record<string, FacetQuery>>;

/** The answers of facets by the names that they were asked for. */
export type FacetResults<F extends Facets> = {
  readonly [Name in keyof F]: F[Name] extends FacetQuery<infer Result> ? Result : never;
};

/** How often each value of a field occurs. */
export function terms(path: string): FacetQuery<TermsFacet> {
  return { text: path };
}

/** How many are in each category, on each level; or only in those below some. */
export function tree(path: string, ...below: readonly string[]): FacetQuery<TreeFacet> {
  const categories = below.map((category) => JSON.stringify(category)).join();
  return { text: below.length === 0 ? `${path}:tree` : `${path}:tree(${categories})` };
}

type Bound = number | Date | null;

/** Counts and statistics by range: the lower bound belongs to it, the upper does not, and `null` is no bound. */
export function ranges(
  path: string,
  ...bounds: readonly (readonly [from: Bound, to: Bound])[]
): FacetQuery<RangeFacet> {
  const texts = bounds.map(([from, to]) => `(${boundOf(from)} to ${boundOf(to)})`);
  return { text: `${path}:range ${texts.join(',')}` };
}

function boundOf(bound: Bound): string {
  if (bound === null) return '*';
  return bound instanceof Date ? JSON.stringify(bound.toISOString()) : String(bound);
}

/** How many have one of these values. */
export function matching(path: string, ...values: readonly (string | number | boolean)[]): FacetQuery<FilterFacet> {
  return { text: `${path}:${values.map((value) => JSON.stringify(value)).join(',')}` };
}

type Conditions = Predicate | string | readonly (Predicate | string)[];

/** Options that lists and searches share. */
export interface ListOptions {
  /** If there are several, all must hold. Values belong into a template: where`size = ${size}`. */
  readonly where?: Conditions;
  /** Values of the input variables of predicates that are texts: `:name`. */
  readonly variables?: Readonly<Record<string, QueryValue>>;
  /** Such as `price desc`; the first is the most significant. */
  readonly sort?: string | readonly string[];
  /** 0–500; default: 20. */
  readonly limit?: number;
  /** 0–10,000. */
  readonly offset?: number;
  /** The `next` of a page of the same list, for the page that follows. */
  readonly cursor?: string;
  readonly withTotal?: boolean;
  /** Paths of references, which then have the referenced resource as `obj`. */
  readonly expand?: string | readonly string[];
  /** Dotted paths: only these fields are returned, and `id`, `version` and `key`. */
  readonly fields?: string | readonly string[];
  readonly staged?: boolean;
  readonly signal?: AbortSignal;
}

export interface SearchOptions<F extends Facets> extends ListOptions {
  /** Words by locale: `{ en: 'red shoe' }`; `"new york"` is a phrase, and `-white` excludes a word. */
  readonly text?: Readonly<Record<string, string>>;
  /** How many of the words must be found; by default as the settings of the project say. */
  readonly match?: 'auto' | 'all' | 'most' | 'any';
  /** The last word is still being typed. */
  readonly prefix?: boolean;
  /** A path: only the first result of each of its values, with its `groups`. */
  readonly group?: string;
  /** Says in `highlights` which words of the results answer the text. */
  readonly highlight?: boolean;
  /** Says in `explanations` why the results rank where they do. */
  readonly explain?: boolean;
  readonly fuzzy?: boolean;
  readonly fuzzyLevel?: 0 | 1 | 2;
  /** Narrows the results only. */
  readonly filter?: Conditions;
  /** Narrows the results and all facets. */
  readonly filterQuery?: Conditions;
  /** Narrows the facets of other paths only. */
  readonly filterFacets?: Conditions;
  /** By name: `{ colour: terms('colour') }`. */
  readonly facets?: F;
}

function textsOf(conditions: Conditions | undefined): readonly string[] | undefined {
  return conditions === undefined ? undefined : [conditions].flat().map(String);
}

export function listQuery(options: ListOptions): Record<string, QueryValue> {
  const { where, variables = {}, sort, limit, offset, cursor, withTotal, expand, fields, staged } = options;
  const named = Object.entries(variables).map(([name, value]) => [`var.${name}`, value]);
  const shape = { sort, limit, offset, cursor, withTotal, expand, fields, staged };
  return { where: textsOf(where), ...shape, ...Object.fromEntries(named) };
}

export function searchQuery<F extends Facets>(options: SearchOptions<F>): Record<string, QueryValue> {
  const { text = {}, filter, filterQuery, filterFacets, facets = {} } = options;
  const { match, prefix, group, highlight, explain, fuzzy, fuzzyLevel } = options;
  return {
    ...listQuery(options),
    ...Object.fromEntries(Object.entries(text).map(([locale, words]) => [`text.${locale}`, words])),
    ...{ match, prefix, group, highlight, explain, fuzzy, fuzzyLevel, filter: textsOf(filter) },
    ...{ 'filter.query': textsOf(filterQuery), 'filter.facets': textsOf(filterFacets) },
    facet: Object.entries<FacetQuery>(facets).map(([name, facet]) => `${facet.text} as ${name}`),
  };
}

/** Which of the searched texts to list. */
export interface SearchesOptions extends Pick<ListOptions, 'signal'> {
  /** Only texts that found nothing. */
  readonly withoutHits?: boolean;
  readonly locale?: string;
  /** 1–1000; default: 100. */
  readonly limit?: number;
}

/** Conditions on the resources that suggestions count. */
export interface SuggestOptions extends Pick<ListOptions, 'where' | 'variables' | 'staged' | 'signal'> {
  /** 1–50; default: 10. */
  readonly limit?: number;
  readonly filterQuery?: Conditions;
}

export function suggestionQuery(
  locale: string,
  text: string,
  { filterQuery, ...options }: SuggestOptions,
): Record<string, QueryValue> {
  return { ...listQuery(options), [`text.${locale}`]: text, 'filter.query': textsOf(filterQuery) };
}
