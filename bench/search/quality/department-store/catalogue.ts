import { below, pick, type Random, seededRandom, shuffled } from '../../random.ts';
import type { Item } from '../catalogue.ts';
import { adjectiveOf, type Colour, capitalized, filled, type Kind, type Store } from './store.ts';
import { departments, firstColours, measures, models } from './words/departments.ts';

/** What a product is: questions are judged by it. */
export interface Traits {
  readonly kind: Kind;
  /** True where the name says several. */
  readonly isSeveral: boolean;
  /** The other name of its kind, where it has that. */
  readonly synonym: string | undefined;
  readonly colour: Colour;
  /** The place of its material. */
  readonly material: number;
  readonly brand: string;
  readonly model: string;
  readonly sku: string;
  readonly size: string | undefined;
  /** True where the size is a number with a unit. */
  readonly isMeasured: boolean;
  /** The place of the feature in its description. */
  readonly feature: number | undefined;
}

/** A product of the store, and what it is. */
export interface StoreProduct extends Item {
  readonly traits: Traits;
}

const coloursOfKind = 5;
/** One product in this many has a feature. */
const withFeature = 6;
/** More than there are stores, so that no two products have one code. */
const codesApart = 13;
const withDecimalPoint = new Set(['en', 'ar', 'ja']);

/** The products in one language, as many of each kind and at least two. `number` is the place of the store among all. */
export function createStoreProducts(
  store: Store,
  number: number,
  productsPerLanguage: number,
  seed: number,
): readonly StoreProduct[] {
  const random = seededRandom(seed * 100 + number);
  const perKind = Math.max(2, Math.ceil(productsPerLanguage / store.kinds.length));
  const products: StoreProduct[] = [];
  for (const kind of store.kinds) {
    const first = firstColours.get(kind.key) ?? [];
    const further = [...store.colours.keys()].filter((key) => !first.includes(key));
    const colours = [...first, ...shuffled(further, random)].slice(0, coloursOfKind);
    const modelsOfKind = shuffled(models, random);
    for (let n = 0; n < perKind; n += 1) {
      const at = products.length;
      const model = modelsOfKind[n % models.length]!;
      const traits: Traits = {
        ...traitsOf(store, kind, n, random),
        ...{ kind, colour: store.colours.get(colours[n % coloursOfKind]!)!, model },
        sku: skuOf(1000 + codesApart * at + number),
        feature: at % withFeature === 0 ? (at / withFeature) % store.features.length : undefined,
      };
      products.push(productOf(store, traits, n, `${store.words.locale}-${at}`, random));
    }
  }
  return products;
}

function traitsOf({ words }: Store, kind: Kind, n: number, random: Random) {
  const { brands, sizes } = departmentOf(kind);
  const measure = measures.get(kind.key);
  const own = measure ?? sizes;
  const size = own[n % own.length];
  const isSeveral = kind.gender === 'p' || random() < 0.35;
  return {
    ...{ brand: pick(brands, random), material: below(random, words.materials.length), isSeveral },
    synonym: n % 3 === 1 && !isSeveral ? kind.synonym : undefined,
    size: withDecimalPoint.has(words.locale) ? size : size?.replace('.', ','),
    isMeasured: measure !== undefined,
  };
}

function departmentOf({ key }: Kind) {
  return departments.find(({ kinds }) => kinds.includes(key))!;
}

function skuOf(number: number): string {
  return [`AB-${number}-7`, `KX.${number}/12`, `SH ${number}-B`, `${number}-TQ`][number % 4]!;
}

function productOf(store: Store, traits: Traits, n: number, key: string, random: Random): StoreProduct {
  const { kind, colour, brand, sku, size } = traits;
  const { locale, unspaced, materials, departments: names } = store.words;
  const group = names[departments.indexOf(departmentOf(kind))]!;
  const isNested = kind.synonym !== undefined && !unspaced;
  const texts = {
    ...{ name: nameOf(store, traits, n, random), description: descriptionOf(store, traits, random) },
    ...{ colour: colour.name, brand, sku, size, material: materials[traits.material]! },
    category: isNested ? `${group} > ${capitalized(kind.many)}` : group,
  };
  const document = {
    ...{ name: { [locale]: texts.name }, description: { [locale]: texts.description }, brand, sku },
    ...(size === undefined ? {} : { size }),
    ...{ color: { [locale]: colour.name }, material: { [locale]: texts.material } },
    ...{ category: { [locale]: texts.category }, price: 900 + below(random, 20_000) },
  };
  return { key, locale, texts, document, traits };
}

function nameOf({ words }: Store, traits: Traits, n: number, random: Random): string {
  const { kind, isSeveral, synonym, colour, brand, model, material, size, isMeasured } = traits;
  const name = filled(words.names[n % words.names.length]!, {
    ...{ kind: isSeveral ? kind.many : (synonym ?? kind.one), brand, model, material: words.materials[material]! },
    // The gender of another name is not known.
    adjective: synonym !== undefined ? colour.name : adjectiveOf(colour, kind, isSeveral),
    ...{ colour: colour.name, Colour: capitalized(colour.name) },
  });
  return capitalized(isMeasured ? `${name} ${written(size!, random)}` : name);
}

/** A size as a name has it: `5 l`, `5l` or `5L`, dimensions with a space. */
function written(size: string, random: Random): string {
  if (size.includes('x') || random() < 0.5) return size;
  return size.replace(' l', random() < 0.5 ? 'L' : 'l').replace(' ', '');
}

function descriptionOf({ words, kinds, features }: Store, { kind, feature }: Traits, random: Random): string {
  const unrelated = kinds.filter(({ key, within }) => !within.has(kind.key) && !kind.within.has(key));
  const [one, other] = shuffled(unrelated, random) as [Kind, Kind];
  const fillers = shuffled(words.fillers, random);
  const sentences = [
    fillers[0]!,
    ...(feature === undefined ? [] : [features[feature]![0]]),
    goesWith(pick(words.goesWith, random), one, other),
    ...(random() < 0.5 ? [fillers[1]!] : []),
  ];
  return sentences.join(words.unspaced ? '' : ' ');
}

/** A sentence that names two kinds. */
export function goesWith(sentence: string, one: Kind, other: Kind): string {
  return filled(sentence, {
    ...{ one: one.many, 'one.genitive': one.genitive, 'one.dative': germanDative(one.many) },
    ...{ other: other.many, 'other.genitive': other.genitive, 'other.dative': germanDative(other.many) },
  });
}

const germanDative = (several: string) => (/[ns]$/.test(several) ? several : `${several}n`);
