import type { Explanation, Facet, Highlight, SearchMatch, SearchPage } from 'generic-resource-service-client/api-types';
import type { JsonMap } from '../api/json.ts';

/** The response of a search; the members that may be absent are empty. */
export interface Found extends Omit<SearchPage, 'results'> {
  readonly results: readonly JsonMap[];
  readonly total: number;
  readonly facets: Readonly<Record<string, Facet>>;
  /** Of each result. */
  readonly groups: NonNullable<SearchPage['groups']>;
  /** By the id of the resource, as all that follows. */
  readonly highlights: Readonly<Record<string, readonly Highlight[]>>;
  readonly explanations: Readonly<Record<string, Explanation>>;
}

export const rungs = ['all', 'typos', 'most', 'any'] as const;
export type Rung = SearchMatch['rung'];

export function foundOf(body: unknown): Found {
  const nothing = { results: [], offset: 0, total: 0, facets: {}, groups: [], highlights: {}, explanations: {} };
  return { ...nothing, ...(body as Found | undefined) } as Found;
}
