import type { Stock } from '../sets.ts';
import { createStoreProducts } from './catalogue.ts';
import { createStoreQuestions } from './questions.ts';
import { readStore } from './store.ts';
import { arabic } from './words/arabic.ts';
import { czech } from './words/czech.ts';
import { dutch } from './words/dutch.ts';
import { english } from './words/english.ts';
import { french } from './words/french.ts';
import { german } from './words/german.ts';
import { italian } from './words/italian.ts';
import { japanese } from './words/japanese.ts';
import { polish } from './words/polish.ts';
import { spanish } from './words/spanish.ts';
import { swedish } from './words/swedish.ts';
import { turkish } from './words/turkish.ts';

export const stores = [
  ...[english, german, dutch, swedish, french, spanish, italian, polish, czech, turkish, arabic, japanese],
].map(readStore);

export const storeLocales: readonly string[] = stores.map(({ words }) => words.locale);

/** The stores in all languages, with what they are asked. Everything follows from the seed. */
export function createStores(productsPerLanguage: number, seed: number): Stock {
  const stocks = stores.map((store, at) => {
    const catalogue = createStoreProducts(store, at, productsPerLanguage, seed);
    return { catalogue, questions: createStoreQuestions(store, catalogue, seed * 1000 + at) };
  });
  return {
    catalogue: stocks.flatMap(({ catalogue }) => catalogue),
    questions: stocks.flatMap(({ questions }) => questions),
    synonyms: [],
  };
}
