import type { JsonMap } from '../api/json.ts';

interface Kind {
  readonly key: string;
  readonly names: readonly [en: string, de: string, fr: string];
  readonly category: string;
  readonly cents: number;
}

const kinds: readonly Kind[] = [
  { key: 'chair', names: ['chair', 'Stuhl', 'chaise'], category: 'furniture > seats', cents: 12900 },
  { key: 'table', names: ['table', 'Tisch', 'table'], category: 'furniture > tables', cents: 34900 },
  { key: 'shelf', names: ['shelf', 'Regal', 'étagère'], category: 'furniture > storage', cents: 18900 },
  { key: 'lamp', names: ['lamp', 'Lampe', 'lampe'], category: 'light', cents: 7900 },
];

const materials: readonly (readonly [key: string, en: string, de: string, fr: string])[] = [
  ['oak', 'Oak', 'Eichen', 'chêne'],
  ['steel', 'Steel', 'Stahl', 'acier'],
  ['cork', 'Cork', 'Kork', 'liège'],
];

/** A small catalogue in three languages. Each resource has `sample: true`, so that all can be found and deleted again. */
export const sample: readonly JsonMap[] = kinds.flatMap(({ key, names, category, cents }, row) =>
  materials.map(([material, en, de, fr], column) => ({
    key: `sample-${material}-${key}`,
    sample: true,
    name: { en: `${en} ${names[0]}`, de: `${de}${names[1].toLowerCase()}`, fr: `${names[2]} en ${fr}` },
    material,
    category,
    price: { centAmount: cents + column * 1000, currencyCode: 'EUR' },
    stock: 7 * (row + 1) * (column + 1),
    isOnStock: (row + column) % 4 !== 3,
    tags: [material, key],
  })),
);
