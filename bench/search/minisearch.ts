import MiniSearch, { type SearchResult } from 'minisearch';
import { editsFor, type FlatDocument, type Library } from './library.ts';
import type { Question } from './questions.ts';
import { languages } from './vocabulary.ts';

const options = {
  fields: [...languages],
  storeFields: ['color', 'brand', 'series', 'price'],
};

/** It has no facets of its own: its users count the stored fields of all matches. */
function countFacet(results: readonly SearchResult[], facet: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const result of results) counts.set(result[facet], (counts.get(result[facet]) ?? 0) + 1);
  return new Map([...counts].sort(([, a], [, b]) => b - a).slice(0, 200));
}

/** MiniSearch with the settings that come nearest to a search of the service. */
export function createMiniSearch(): Library {
  let index = new MiniSearch<FlatDocument>(options);

  /** As in the service, the filter leaves the facets alone, so that it comes after the count. */
  async function search({ word, language, fuzzy, price, facets, limit }: Question): Promise<number> {
    const all = index.search(word ?? MiniSearch.wildcard, {
      ...{ fields: [language], combineWith: 'AND', fuzzy: fuzzy ? editsFor : false },
    });
    for (const facet of facets) countFacet(all, facet);
    const within = price ? all.filter((found) => found.price >= price[0] && found.price <= price[1]) : all;
    within.slice(0, limit);
    return within.length;
  }

  return {
    ...{ name: 'MiniSearch', search },
    async add(documents) {
      index.addAll(documents);
    },
    save: () => JSON.stringify(index),
    load(text) {
      index = MiniSearch.loadJSON(text, options);
    },
  };
}
