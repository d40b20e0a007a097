import MiniSearch from 'minisearch';
import type { Product } from './catalogue.ts';
import type { Ask } from './judge.ts';
import type { ShopWords } from './words/shop-words.ts';

/** MiniSearch with the settings that its guide recommends for a shop: the name counts more, typos and beginnings. */
export function askMiniSearch(catalogue: readonly Product[]): Ask {
  const indexes = new Map<string, MiniSearch>();
  for (const { key, traits, texts } of catalogue) {
    const { locale } = traits.shop;
    const index = indexes.get(locale) ?? new MiniSearch({ fields: Object.keys(texts) });
    indexes.set(locale, index);
    index.add({ id: key, ...texts });
  }
  const options = { boost: { name: 3, brand: 2, colour: 2 }, fuzzy: 0.2, prefix: true };
  const synonyms = synonymsOf(catalogue);
  return ({ locale, text }) =>
    indexes
      .get(locale)!
      .search(text, {
        ...options,
        processTerm: (term) => synonyms.get(locale)?.get(term.toLowerCase()) ?? term.toLowerCase(),
      })
      .map(({ id }) => String(id));
}

/** What words mean in the settings of the service, which MiniSearch is told as well. */
function synonymsOf(catalogue: readonly Product[]): ReadonlyMap<string, ReadonlyMap<string, string[]>> {
  const shops = new Set(catalogue.map(({ traits }) => traits.shop));
  const words = ({ synonyms = [], kinds }: ShopWords) =>
    synonyms.map(([word, kind]): [string, string[]] => [
      word.toLowerCase(),
      [word, kinds[kind]![0]].map((one) => one.toLowerCase()),
    ]);
  return new Map([...shops].map((shop) => [shop.locale, new Map(words(shop))]));
}
