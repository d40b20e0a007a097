import { below, type Random, seededRandom } from '../random.ts';
import { litres, type Product, type Traits } from './catalogue.ts';
import type { ShopWords } from './words.ts';

/** A question with what answers it. */
export interface Question {
  readonly kind: string;
  readonly locale: string;
  readonly text: string;
  /** Guards are counted apart: they show what a rule that helps the others destroys. */
  readonly guards: boolean;
  readonly isRight: (product: Product) => boolean;
}

/** The questions about a catalogue, all with at least one right answer. Everything follows from the seed. */
export function createQuestions(catalogue: readonly Product[], seed: number): readonly Question[] {
  const byShop = Map.groupBy(catalogue, ({ traits }) => traits.shop);
  return [...byShop].flatMap(([shop, products], at) => {
    const random = seededRandom(seed * 1000 + at);
    return [...ordinary(shop, products, random), ...guards(shop)].filter((one) => products.some(one.isRight));
  });
}

function ordinary(shop: ShopWords, products: readonly Product[], random: Random): readonly Question[] {
  const { locale, kinds, colours, uses } = shop;
  const gap = shop.unspaced ? '' : ' ';
  const questions: Question[] = [];
  const ask = (kind: string, text: string, fits: (traits: Traits, product: Product) => boolean) => {
    // Brands and codes are in no language.
    const inShop = ({ traits }: Product) => kind === 'code' || kind.startsWith('brand') || traits.shop === shop;
    const isRight = (product: Product) => inShop(product) && fits(product.traits, product);
    questions.push({ kind, locale, text, guards: false, isRight });
  };
  const pickKind = () => below(random, kinds.length);
  const pick = () => products[below(random, products.length)]!;
  const isLong = (word: string) => [...word].length >= 5;
  for (let n = 0; n < 3; n += 1) {
    const product = pick();
    const text = (product.document.name as Readonly<Record<string, string>>)[locale]!;
    ask('known item', text, (_, other) => other.key === product.key || sameName(other, product));
    const kind = pickKind();
    ask('head noun', kinds[kind]![0], (traits) => traits.kind === kind);
    const colour = below(random, colours.length);
    const both = pickKind();
    ask('attribute', `${colours[colour]} ${kinds[both]![0]}`, (t) => t.kind === both && t.colour === colour);
    const { brand } = pick().traits;
    ask('brand with a typo', slip(brand, random, 'drop'), (traits) => traits.brand === brand);
    const many = pickKind();
    if (kinds[many]![0] !== kinds[many]![1]) ask('other form', kinds[many]![1], (traits) => traits.kind === many);
    const typed = pickKind();
    const word = kinds[typed]![0];
    if (isLong(word)) {
      ask('one edit', slip(word, random, 'replace'), (traits) => traits.kind === typed);
      ask('swapped letters', slip(word, random, 'swap'), (traits) => traits.kind === typed);
    }
    if (isLong(kinds[many]![1]) && !shop.unspaced) {
      ask('other form with a typo', slip(kinds[many]![1], random, 'drop'), (traits) => traits.kind === many);
    }
    const begun = pick();
    const { series, kind: itsKind } = begun.traits;
    const start = kinds[itsKind]![0];
    ask('beginning', series.slice(0, Math.ceil(series.length * 0.7)), (traits) => traits.series === series);
    if (!shop.compounds && !shop.unspaced && isLong(start)) {
      const text = `${series} ${start.slice(0, Math.ceil(start.length * 0.6))}`;
      ask('beginning', text, (traits) => traits.series === series && traits.kind === itsKind);
    }
    const { sku } = pick().traits;
    ask('code', sku.replace(/[-/]/g, '').toLowerCase(), (traits) => traits.sku === sku);
    const wrong = pick().traits;
    const extra = ['zzyqx', 'kwrrt', 'vvlumq'][n]!;
    const named = `${wrong.series} ${kinds[wrong.kind]![0]} ${extra}`;
    ask('one wrong word', named, (traits) => traits.series === wrong.series && traits.kind === wrong.kind);
    const size = litres[n]!;
    const sized = below(random, 4);
    const unit = [`${size} l`, `${size}l`, `${size} L`][n];
    ask('units', `${kinds[sized]![0]} ${unit}`, (traits) => traits.kind === sized && traits.litres === size);
    const small = shop.small[n]!;
    const stopped = pick().traits;
    ask(
      'stop words',
      `${kinds[stopped.kind]![0]}${gap}${small}${gap}${shop.materials[stopped.material]!}`,
      (traits) => traits.kind === stopped.kind && traits.material === stopped.material,
    );
    const special = products.find(({ traits }) => traits.use !== undefined && traits.kind === (n * 5 + 4) % 12)!.traits;
    const use = uses[special.use!]!;
    const isSpecial = (traits: Traits) => traits.kind === special.kind && traits.use === special.use;
    const asked = kinds[special.kind]![0];
    if (shop.unspaced) ask('no spaces', `${use} ${asked}`, isSpecial);
    else if (shop.compounds) ask('compounds', `${use} ${asked}`, isSpecial);
    else if (locale === 'en') ask('compounds', `${use}${asked}`, isSpecial);
  }
  return questions;
}

function sameName({ document }: Product, other: Product): boolean {
  return JSON.stringify(document.name) === JSON.stringify(other.document.name);
}

/** A word that stands in descriptions alone must be found, also where it resembles a word of a name. */
function guards(shop: ShopWords): readonly Question[] {
  return shop.rare.map((word, at): Question => {
    const kind = at < shop.rare.length - 2 ? 'word of a description' : 'word of a description like a name';
    const isRight = ({ traits }: Product) => traits.shop === shop && traits.rare === at;
    return { kind, locale: shop.locale, text: word, guards: true, isRight };
  });
}

/** A slip of the pen that leaves the first two letters as they are. */
function slip(word: string, random: Random, how: 'drop' | 'replace' | 'swap'): string {
  const letters = [...word];
  const at = 2 + below(random, letters.length - 3);
  if (how === 'drop') letters.splice(at, 1);
  else if (how === 'swap') [letters[at], letters[at + 1]] = [letters[at + 1]!, letters[at]!];
  else letters[at] = letters[at] === 'q' ? 'x' : 'q';
  return letters.join('');
}
