import type { Question } from '../questions.ts';
import { createAsking } from './asking.ts';
import type { StoreProduct } from './catalogue.ts';
import { askForKinds } from './questions-of-kinds.ts';
import { askForProducts } from './questions-of-products.ts';
import { askInSentences } from './questions-of-sentences.ts';
import type { Store } from './store.ts';

/** The questions about a store, all with at least one right answer. Everything follows from the seed. */
export function createStoreQuestions(
  store: Store,
  products: readonly StoreProduct[],
  seed: number,
): readonly Question[] {
  const questions = createAsking(store, products, seed);
  askForKinds(questions.asking);
  askForProducts(questions.asking);
  askInSentences(questions.asking);
  return questions.all();
}
