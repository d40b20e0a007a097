import { type Random, seededRandom, shuffled } from '../../random.ts';
import type { Question } from '../questions.ts';
import type { StoreProduct, Traits } from './catalogue.ts';
import type { Kind, Store } from './store.ts';

/** What asks about the products in one language. */
export interface Asking {
  readonly store: Store;
  readonly products: readonly StoreProduct[];
  readonly random: Random;
  /** Adds a question, in small letters; false where no product answers it, or where it was asked already. */
  readonly ask: (kind: string, text: string, fits: (traits: Traits) => boolean) => boolean;
  readonly askAsWritten: Asking['ask'];
  /** Asks about random items of a list until the given number of questions is added. */
  readonly upTo: <Value>(count: number, from: readonly Value[], add: (value: Value) => boolean) => void;
}

export const guardKind = 'word of a description';

export function createAsking(
  store: Store,
  products: readonly StoreProduct[],
  seed: number,
): { readonly asking: Asking; readonly all: () => readonly Question[] } {
  const { locale } = store.words;
  const random = seededRandom(seed);
  const questions = new Map<string, Question>();
  const askAsWritten: Asking['ask'] = (kind, text, fits) => {
    const right = new Set(products.filter(({ traits }) => fits(traits)).map(({ key }) => key));
    if (right.size === 0 || questions.has(text)) return false;
    questions.set(text, { kind, locale, text, guards: kind === guardKind, right });
    return true;
  };
  const ask: Asking['ask'] = (kind, text, fits) => askAsWritten(kind, text.toLocaleLowerCase(locale), fits);
  const upTo: Asking['upTo'] = (count, from, add) => {
    let added = 0;
    for (const value of shuffled(from, random)) {
      if (added === count) return;
      if (add(value)) added += 1;
    }
  };
  return { asking: { store, products, random, ask, askAsWritten, upTo }, all: () => [...questions.values()] };
}

/** True if a product answers a question for a kind: it is of the kind, or of a special form of it. */
export const isOf =
  ({ key }: Kind) =>
  ({ kind }: Traits) =>
    kind.within.has(key);
