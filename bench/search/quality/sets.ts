import { below, type Random } from '../random.ts';
import { namesOf } from '../vocabulary.ts';
import { articleLocales, createArticles } from './articles.ts';
import { createCatalogue, type Item } from './catalogue.ts';
import { createStores, storeLocales } from './department-store/department-store.ts';
import { createQuestions, type Question } from './questions.ts';
import { createShelves, shelfLocales, shelfQuestions } from './shelves.ts';
import { everydayWords } from './words/everyday.ts';
import type { ShopWords } from './words/shop-words.ts';
import { easternTrades } from './words/trades-east.ts';
import { northernTrades } from './words/trades-north.ts';
import { southernTrades } from './words/trades-south.ts';

/** What is written about a product, in its language or in none. */
export type ProductTexts = {
  readonly name: string;
  readonly description: string;
  readonly colour: string;
  readonly brand: string;
  readonly sku: string;
  /** The department of the shop, where the shop has some. */
  readonly department: string | undefined;
};

type Document = Readonly<Record<string, unknown>>;

/** A vocabulary with the shape that its products are stored in. */
export interface WordSet {
  readonly name: string;
  readonly about: string;
  readonly shops: readonly ShopWords[];
  readonly brands: (seed: number) => readonly string[];
  /** At least as many names of series as asked for. */
  readonly series: (count: number, seed: number) => readonly string[];
  readonly sizes: readonly number[];
  readonly unit: string;
  readonly skuOf: (n: number, random: Random) => string;
  readonly documentOf: (locale: string, texts: ProductTexts, price: number, popularity: number) => Document;
}

const everyday: WordSet = {
  name: 'everyday',
  about: 'things of the household, the words that the rules of search were tuned with',
  shops: everydayWords,
  brands: (seed) => namesOf(24, seed),
  series: (count, seed) => namesOf(count, seed + 1),
  sizes: [5, 10, 25, 40],
  unit: 'l',
  skuOf: (n, random) =>
    `${String.fromCharCode(65 + (n % 26), 65 + below(random, 26))}-${1000 + n}/${below(random, 10)}`,
  documentOf: (locale, { name, description, colour, brand, sku }, price, popularity) => ({
    ...{ name: { [locale]: name }, description: { [locale]: description }, color: { [locale]: colour } },
    ...{ brand, sku, price, popularity },
  }),
};

const brandsOfTrades = [
  ...['Hortela', 'Grünfeld', "O'Malley", 'Steinmetz & Sohn', 'Vivace', 'Kordal', 'Apotheon', 'Nordlund'],
  ...['Tamburo', 'Bissmark', 'Verdanza', 'Ferrum Nova', 'Medivia', 'Ariosa', 'Kestrelle', 'Brückner'],
  ...['Sørland', 'Łąkowski', 'Çınarlı', 'Möbius', 'Pharmalux', 'Werkhold', 'Lyrebird', 'Eden Acre'],
];
const beginnings = 'Alb Cor Verd Tor Lim Nar Quil Sol Brim Fenn Gal Hesp Ir Jas Kol Mar Orl Pet Rav Zeph'.split(' ');
const endings = 'ano eon ira ix olt una wick dale ora est ium yra'.split(' ');

const trades: WordSet = {
  name: 'trades',
  about:
    'tools, gardens, medicine and music, words that were written and asked once before any rule was changed for them',
  shops: [...northernTrades, ...southernTrades, ...easternTrades],
  brands: () => brandsOfTrades,
  series: () => beginnings.flatMap((beginning) => endings.map((ending) => beginning + ending)),
  sizes: [35, 60, 90, 120],
  unit: 'cm',
  skuOf: (n, random) => `${4000 + below(random, 1000)}.${100 + n}-${String.fromCharCode(65 + (n % 26))}`,
  documentOf: (locale, { name, description, colour, brand, sku, department }, price, popularity) => ({
    ...{ title: { [locale]: name }, longDescription: { [locale]: description }, department: { [locale]: department } },
    ...{ attributes: { finish: { [locale]: colour } }, manufacturer: brand, articleNumber: sku },
    ...{ centAmount: price, rating: popularity },
  }),
};

/** Words that mean the same, as the settings of a project have them. */
export interface Synonym {
  readonly locale: string;
  readonly words: readonly string[];
}

/** What a shop has, and what it is asked. */
export interface Stock {
  readonly catalogue: readonly Item[];
  readonly questions: readonly Question[];
  readonly synonyms: readonly Synonym[];
}

/** Words of shops with judged questions, in some languages. */
export interface Vocabulary {
  readonly name: string;
  readonly about: string;
  readonly languages: number;
  /** The share of first hits that tests demand, where it is another than that of shops: titles of other articles answer a part of a question. */
  readonly leastTopHit?: number;
  /** Everything follows from the seed. */
  readonly stock: (productsPerLanguage: number, seed: number) => Stock;
}

function madeOf(set: WordSet): Vocabulary {
  const synonyms = set.shops.flatMap(({ locale, kinds, synonyms = [] }) =>
    synonyms.map(([word, kind]) => ({ locale, words: [word, kinds[kind]![0]] })),
  );
  return {
    ...{ name: set.name, about: set.about, languages: set.shops.length },
    stock: (productsPerLanguage, seed) => {
      const catalogue = createCatalogue(set, productsPerLanguage, seed);
      return { catalogue, questions: createQuestions(set, catalogue, seed), synonyms };
    },
  };
}

const shelves: Vocabulary = {
  name: 'shelves',
  about:
    'spare parts with codes, groceries with units, furniture and books, products and questions written by hand, and asked once before any rule was changed for them',
  languages: shelfLocales.length,
  stock: (productsPerLanguage, seed) => ({
    catalogue: createShelves(productsPerLanguage, trades.series(0, seed), seed),
    questions: shelfQuestions(),
    synonyms: [],
  }),
};

const departmentStore: Vocabulary = {
  name: 'department-store',
  about:
    'clothes, furniture, kitchenware, tools and more, words and questions, from one word to whole sentences, that were written without a look at the code of search',
  languages: storeLocales.length,
  stock: createStores,
};

const articles: Vocabulary = {
  name: 'articles',
  about:
    'articles of seventy words and more about several things of a department store, and questions of ten words and more, of which no article has all',
  languages: articleLocales.length,
  leastTopHit: 0.85,
  stock: createArticles,
};

/** The vocabularies of the bench, by name. */
export const vocabularies: ReadonlyMap<string, Vocabulary> = new Map(
  [madeOf(everyday), madeOf(trades), shelves, departmentStore, articles].map((each) => [each.name, each]),
);
