import { below, type Random, seededRandom } from '../random.ts';
import { namesOf } from '../vocabulary.ts';
import { type ShopWords, shopWords } from './words.ts';

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
  readonly litres: number | undefined;
  /** The place of a word of `rare` in its description. */
  readonly rare: number | undefined;
}

/** A product as it is stored, and what it is. */
export interface Product {
  readonly key: string;
  readonly traits: Traits;
  readonly document: Readonly<Record<string, string | number | Readonly<Record<string, string>>>>;
}

/** The first kinds of each language are sold by their litres. */
const kindsWithLitres = 4;
export const litres: readonly number[] = [5, 10, 25, 40];
const fillersOfText = 9;

/** Products in all languages, as many of each. Everything follows from the seed. */
export function createCatalogue(productsPerLanguage: number, seed: number): readonly Product[] {
  const brands = namesOf(24, seed);
  const series = namesOf(Math.ceil(productsPerLanguage / 3), seed + 1);
  return shopWords.flatMap((shop, at) => {
    const random = seededRandom(seed * 100 + at);
    return Array.from({ length: productsPerLanguage }, (_, n) => productOf(shop, n, random, brands, series));
  });
}

function productOf(
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
    sku: `${String.fromCharCode(65 + (n % 26), 65 + below(random, 26))}-${1000 + n}/${below(random, 10)}`,
    litres: kind < kindsWithLitres ? litres[below(random, litres.length)] : undefined,
    rare: random() < 0.3 ? below(random, shop.rare.length) : undefined,
  };
  const { locale } = shop;
  const document = {
    ...{ name: { [locale]: nameOf(traits, random) }, description: { [locale]: descriptionOf(traits, random) } },
    ...{ color: { [locale]: shop.colours[traits.colour]! }, brand: traits.brand, sku: traits.sku },
    ...{ price: 500 + below(random, 90_000), popularity: below(random, 1000) },
  };
  return { key: `${locale}-${n}`, traits, document };
}

function nameOf({ shop, kind, use, material, series, litres: size }: Traits, random: Random): string {
  const one = shop.kinds[kind]![0];
  const named = use === undefined ? one : shop.named(shop.uses[use]!, one);
  const unit = size === undefined ? '' : ` ${size}${['l', ' l', ' L'][below(random, 3)]}`;
  const gap = shop.unspaced ? '' : ' ';
  return `${series} ${named}${gap}${shop.of}${gap}${shop.materials[material]!}${unit}`;
}

function descriptionOf({ shop, kind, rare }: Traits, random: Random): string {
  const others = shop.kinds.filter((_, at) => at !== kind).map(([one]) => one);
  const pick = (from: readonly string[]) => from[below(random, from.length)]!;
  const words = Array.from({ length: fillersOfText }, () => pick([...shop.fillers, ...shop.small]));
  if (rare !== undefined) words.splice(below(random, words.length), 0, shop.rare[rare]!);
  return `${words.join(shop.unspaced ? '、' : ' ')}. ${shop.goesWith(pick(others), pick(others))}`;
}
