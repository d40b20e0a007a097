import type { TermsFacet } from 'generic-resource-service-client/api-types';
import { pathOf } from '../api/client.ts';
import { type Json, jsonOf } from '../api/json.ts';
import { call } from '../app/session.ts';
import { predicatePath } from './position.ts';
import type { Values } from './suggestions.ts';

/** By project and path; for as long as the page is open. */
const known = new Map<string, Promise<Values>>();
const maxKnown = 100;

const termValue = (term: string, dataType: string | undefined): Json =>
  dataType === 'number' || dataType === 'boolean' ? (jsonOf(term) ?? term) : term;

/** The values of a path in all resources of the project, by a facet. Rejects where the service cannot count them. */
export function facetValues(projectKey: string, path: readonly string[]): Promise<Values> {
  const facet = `${predicatePath(path)} as values`;
  const key = JSON.stringify([projectKey, facet]);
  const found = known.get(key);
  if (found) return found;
  const query = new URLSearchParams({ facet, limit: '0' });
  const asked = call(projectKey, { path: pathOf(projectKey, 'resource', 'searchApiPattern'), query }).then(
    ({ body }): Values => {
      const { facets } = body as { facets?: { values?: Partial<TermsFacet> } };
      const { dataType, terms = [] } = facets?.values ?? {};
      return terms.map(({ term, count }) => ({ value: termValue(term, dataType), count }));
    },
  );
  if (known.size >= maxKnown) known.clear();
  known.set(key, asked);
  asked.catch(() => known.delete(key));
  return asked;
}
