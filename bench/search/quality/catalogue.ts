import { below, type Random, seededRandom } from '../random.ts';
import type { ProductTexts, WordSet } from './sets.ts';
import type { ShopWords } from './words/shop-words.ts';

/** What a product is, by places in the lists of its language: questions are judged by it. */
export interface Traits {
  readonly shop: ShopWords;
  readonly kind: number;
  readonly use: number | undefined;
  readonly colour: number;
  readonly material: number;
  readonly brand: string;
  readonly series: string;
  readonly sku: string;
  readonly size: number | undefined;
  /** The place of a word of `rare` in its description. */
  readonly rare: number | undefined;
}

/** A product as it is stored, with its texts for other programs. */
export interface Item {
  readonly key: string;
  readonly locale: string;
  readonly texts: Readonly<Record<string, string | undefined>>;
  readonly document: Readonly<Record<string, unknown>>;
}

/** A product that was made from words, and what it is. */
export interface Product extends Item {
  readonly traits: Traits;
  readonly texts: ProductTexts;
}

/** The first kinds of each language are sold in sizes. */
export const kindsWithSizes = 4;
const fillersOfText = 9;

/** Products in all languages of a set, as many of each. Everything follows from the seed. */
export function createCatalogue(set: WordSet, productsPerLanguage: number, seed: number): readonly Product[] {
  const brands = set.brands(seed);
  const series = set.series(Math.ceil(productsPerLanguage / 3), seed);
  return set.shops.flatMap((shop, at) => {
    const random = seededRandom(seed * 100 + at);
    return Array.from({ length: productsPerLanguage }, (_, n) => productOf(set, shop, n, random, brands, series));
  });
}

function productOf(
  set: WordSet,
  shop: ShopWords,
  n: number,
  random: Random,
  brands: readonly string[],
  series: readonly string[],
): Product {
  const kind = n % shop.kinds.length;
  const traits: Traits = {
    ...{ shop, kind, use: random() < 0.6 ? below(random, shop.uses.length) : undefined },
    ...{ colour: below(random, shop.colours.length), material: below(random, shop.materials.length) },
    ...{ brand: brands[below(random, brands.length)]!, series: series[below(random, series.length)]! },
    sku: set.skuOf(n, random),
    size: kind < kindsWithSizes ? set.sizes[below(random, set.sizes.length)] : undefined,
    rare: random() < 0.3 ? below(random, shop.rare.length) : undefined,
  };
  const texts: ProductTexts = {
    ...{ name: nameOf(traits, set.unit, random), description: descriptionOf(traits, random) },
    ...{ colour: shop.colours[traits.colour]!, brand: traits.brand, sku: traits.sku },
    department: shop.departments?.[departmentOf(shop, kind)],
  };
  const document = set.documentOf(shop.locale, texts, 500 + below(random, 90_000), below(random, 1000));
  return { key: `${shop.locale}-${n}`, locale: shop.locale, traits, texts, document };
}

/** The place of the department that has a kind. */
export function departmentOf({ kinds, departments = [] }: ShopWords, kind: number): number {
  return Math.floor((kind * departments.length) / kinds.length);
}

function nameOf({ shop, kind, use, material, series, size }: Traits, unit: string, random: Random): string {
  const one = shop.kinds[kind]![0];
  const named = use === undefined ? one : shop.named(shop.uses[use]!, one);
  const sized = size === undefined ? '' : ` ${size}${[unit, ` ${unit}`, ` ${unit.toUpperCase()}`][below(random, 3)]}`;
  const gap = shop.unspaced ? '' : ' ';
  return `${series} ${named}${gap}${shop.of}${gap}${shop.materials[material]!}${sized}`;
}

function descriptionOf({ shop, kind, rare }: Traits, random: Random): string {
  const others = shop.kinds.filter((_, at) => at !== kind).map(([one]) => one);
  const pick = (from: readonly string[]) => from[below(random, from.length)]!;
  const words = Array.from({ length: fillersOfText }, () => pick([...shop.fillers, ...shop.small]));
  if (rare !== undefined) words.splice(below(random, words.length), 0, shop.rare[rare]!);
  return `${words.join(shop.unspaced ? '、' : ' ')}. ${shop.goesWith(pick(others), pick(others))}`;
}
