import MiniSearch from 'minisearch';
import type { Product } from './catalogue.ts';
import type { Ask } from './judge.ts';

/** MiniSearch with the settings that its guide recommends for a shop: the name counts more, typos and beginnings. */
export function askMiniSearch(catalogue: readonly Product[]): Ask {
  const indexes = new Map<string, MiniSearch>();
  for (const { key, traits, document } of catalogue) {
    const { locale } = traits.shop;
    const index = indexes.get(locale) ?? new MiniSearch({ fields: ['name', 'description', 'color', 'brand', 'sku'] });
    indexes.set(locale, index);
    const text = (name: string) => (document[name] as Readonly<Record<string, string>>)[locale];
    const localised = { name: text('name'), description: text('description'), color: text('color') };
    index.add({ id: key, ...localised, brand: document.brand, sku: document.sku });
  }
  const options = { boost: { name: 3, brand: 2, color: 2 }, fuzzy: 0.2, prefix: true };
  return ({ locale, text }) =>
    indexes
      .get(locale)!
      .search(text, options)
      .map(({ id }) => String(id));
}
