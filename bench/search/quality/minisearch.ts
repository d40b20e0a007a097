import MiniSearch from 'minisearch';
import type { Item } from './catalogue.ts';
import type { Ask } from './judge.ts';
import type { Synonym } from './sets.ts';

/** MiniSearch with the settings that its guide recommends for a shop: the name counts more, typos and beginnings. */
export function askMiniSearch(catalogue: readonly Item[], told: readonly Synonym[]): Ask {
  const indexes = new Map<string, MiniSearch>();
  for (const { key, locale, texts } of catalogue) {
    const index = indexes.get(locale) ?? new MiniSearch({ fields: Object.keys(texts) });
    indexes.set(locale, index);
    index.add({ id: key, ...texts });
  }
  const options = { boost: { name: 3, brand: 2, colour: 2 }, fuzzy: 0.2, prefix: true };
  const synonyms = synonymsOf(told);
  return ({ locale, text }) =>
    indexes
      .get(locale)!
      .search(text, {
        ...options,
        processTerm: (term) => [...(synonyms.get(locale)?.get(term.toLowerCase()) ?? [term.toLowerCase()])],
      })
      .map(({ id }) => String(id));
}

/** The synonyms of the settings of the service, which MiniSearch gets as well. */
function synonymsOf(told: readonly Synonym[]): ReadonlyMap<string, ReadonlyMap<string, readonly string[]>> {
  const byLocale = new Map<string, Map<string, readonly string[]>>();
  for (const { locale, words } of told) {
    const plain = words.map((word) => word.toLowerCase());
    byLocale.set(locale, (byLocale.get(locale) ?? new Map()).set(plain[0]!, plain));
  }
  return byLocale;
}
