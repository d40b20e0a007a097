import { below, type Random, seededRandom } from '../random.ts';
import { departmentOf, kindsWithSizes, type Product, type Traits } from './catalogue.ts';
import type { WordSet } from './sets.ts';
import type { ShopWords } from './words/shop-words.ts';

/** A question with what answers it. */
export interface Question {
  readonly kind: string;
  readonly locale: string;
  readonly text: string;
  /** Guards are counted apart: they show what a rule that helps the others destroys. */
  readonly guards: boolean;
  /** The keys of all products that answer it. */
  readonly right: ReadonlySet<string>;
}

/** A question before it is known which products of a catalogue answer it. */
type Asked = Omit<Question, 'right'> & { readonly isRight: (product: Product) => boolean };

/** The questions about a catalogue, all with at least one right answer. Everything follows from the seed. */
export function createQuestions(set: WordSet, catalogue: readonly Product[], seed: number): readonly Question[] {
  const byShop = Map.groupBy(catalogue, ({ traits }) => traits.shop);
  return [...byShop].flatMap(([shop, products], at) => {
    const random = seededRandom(seed * 1000 + at);
    const asked = [...ordinary(set, shop, products, random), ...furtherQuestions(shop, products, random)];
    return [...asked, ...guards(shop)].flatMap(({ isRight, ...question }) => {
      const right = new Set(catalogue.filter(isRight).map(({ key }) => key));
      return right.size === 0 ? [] : [{ ...question, right }];
    });
  });
}

type Ask = (kind: string, text: string, fits: (traits: Traits, product: Product) => boolean) => void;

/** What adds questions about a shop to a list. */
function asksAbout(shop: ShopWords, questions: Asked[]): Ask {
  return (kind, text, fits) => {
    // Brands and codes are in no language.
    const inShop = ({ traits }: Product) => kind === 'code' || kind.startsWith('brand') || traits.shop === shop;
    const isRight = (product: Product) => inShop(product) && fits(product.traits, product);
    questions.push({ kind, locale: shop.locale, text, guards: false, isRight });
  };
}

function ordinary(set: WordSet, shop: ShopWords, products: readonly Product[], random: Random): readonly Asked[] {
  const { locale, kinds, colours, uses } = shop;
  const gap = shop.unspaced ? '' : ' ';
  const questions: Asked[] = [];
  const ask = asksAbout(shop, questions);
  const pickKind = () => below(random, kinds.length);
  const pick = () => products[below(random, products.length)]!;
  const isLong = (word: string) => [...word].length >= 5;
  for (let n = 0; n < 3; n += 1) {
    const product = pick();
    ask('known item', product.texts.name, (_, other) => other.texts.name === product.texts.name);
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
    const beginning = series.slice(0, Math.ceil(series.length * 0.7));
    ask('beginning', beginning, (traits) => traits.series.startsWith(beginning));
    if (!shop.compounds && !shop.unspaced && isLong(start)) {
      const text = `${series} ${start.slice(0, Math.ceil(start.length * 0.6))}`;
      ask('beginning', text, (traits) => traits.series === series && traits.kind === itsKind);
    }
    const { sku } = pick().traits;
    ask('code', sku.replace(/[-/.]/g, '').toLowerCase(), (traits) => traits.sku === sku);
    const wrong = pick().traits;
    const extra = ['zzyqx', 'kwrrt', 'vvlumq'][n]!;
    const named = `${wrong.series} ${kinds[wrong.kind]![0]} ${extra}`;
    ask('one wrong word', named, (traits) => traits.series === wrong.series && traits.kind === wrong.kind);
    const size = set.sizes[n]!;
    const sized = below(random, kindsWithSizes);
    const unit = [`${size} ${set.unit}`, `${size}${set.unit}`, `${size} ${set.unit.toUpperCase()}`][n];
    ask('units', `${kinds[sized]![0]} ${unit}`, (traits) => traits.kind === sized && traits.size === size);
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

const withoutAccents = (word: string) => word.normalize('NFD').replaceAll(/\p{Mn}/gu, '');

/** Questions that need departments, synonyms or Latin letters with marks. */
function furtherQuestions(shop: ShopWords, products: readonly Product[], random: Random): readonly Asked[] {
  const questions: Asked[] = [];
  const { kinds, colours, departments, synonyms = [], unspaced } = shop;
  if (departments === undefined) return questions;
  const ask = asksAbout(shop, questions);
  const gap = unspaced ? '' : ' ';
  departments.slice(0, 3).forEach((department, at) => {
    const fits = (traits: Traits) => traits.colour === at && departmentOf(shop, traits.kind) === at;
    ask('department', `${colours[at]!}${gap}${department}`, fits);
  });
  for (const [word, kind] of synonyms) ask('synonym', word, (traits) => traits.kind === kind);
  const marked = kinds.flatMap(([one], kind) => (/\p{sc=Latin}\p{Mn}/u.test(one.normalize('NFD')) ? [kind] : []));
  for (const kind of marked.slice(0, 3)) {
    ask('without accents', withoutAccents(kinds[kind]![0]), (traits) => traits.kind === kind);
  }
  for (let n = 0; n < 3; n += 1) {
    const { brand, kind, colour } = products[below(random, products.length)]!.traits;
    const word = kinds[kind]![0];
    ask('kind of a brand', `${brand} ${word}`, (traits) => traits.brand === brand && traits.kind === kind);
    if ([...word].length < 5) continue;
    const text = `${colours[colour]!} ${slip(word, random, 'drop')}`;
    ask('attribute with a typo', text, (traits) => traits.kind === kind && traits.colour === colour);
  }
  return questions;
}

/** A word that stands in descriptions alone must be found, also where it resembles a word of a name. */
function guards(shop: ShopWords): readonly Asked[] {
  return shop.rare.map((word, at): Asked => {
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
