import type { SearchPage } from '../../src/domain/ports/list-query.ts';
import type { FacetResult } from '../../src/domain/search/facet-results.ts';

/** The facets of a page, parsed, in their order. */
export function facetsOf({ facets }: SearchPage): readonly (readonly [name: string, result: FacetResult])[] {
  return facets.map(([name, json]) => [name, JSON.parse(json) as FacetResult] as const);
}
