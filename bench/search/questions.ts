import type { Corpus } from './corpus.ts';
import { below, type Random, seededRandom } from './random.ts';
import { type Language, languages } from './vocabulary.ts';

/** A search independent of the syntax of any engine: the same for the service and the libraries. */
export interface Question {
  readonly language: Language;
  /** One word; absent: everything. */
  readonly word?: string;
  readonly fuzzy: boolean;
  /** Cents, both ends included. */
  readonly price?: readonly [from: number, to: number];
  readonly facets: readonly ('color' | 'brand' | 'series')[];
  readonly limit: number;
}

export interface SearchTrial {
  readonly name: string;
  /** ms with one connection. */
  readonly goalP50Ms: number;
  readonly goalP99Ms?: number;
  /** At 16 connections. */
  readonly goalPerSecond?: number;
  /** The goal for p50 as a multiple of the p50 of the exact trial, if that exceeds `goalP50Ms`. */
  readonly goalTimesExact?: number;
  readonly question: (corpus: Corpus, random: Random) => Question;
}

const letters = 'abcdefghijklmnopqrstuvwxyz';

/** One mistake as fingers make it: two letters swapped, one left out, one too many, or a wrong one. */
export function withTypo(word: string, random: Random): string {
  const at = below(random, word.length - 1);
  const letter = letters[below(random, letters.length)]!;
  const [before, after] = [word.slice(0, at), word.slice(at)];
  const mistakes = [
    before + after[1] + after[0] + after.slice(2),
    before + after.slice(1),
    before + letter + after,
    before + letter + after.slice(1),
  ];
  return mistakes[below(random, mistakes.length)]!;
}

function drawWord(corpus: Corpus, random: Random): { readonly language: Language; readonly word: string } {
  const language = languages[below(random, languages.length)]!;
  return { language, word: corpus.word(language, random) };
}

const everything = { language: 'en', fuzzy: false, facets: [], limit: 20 } as const;

/** The searches of the bench, as data. */
export const searchTrials: readonly SearchTrial[] = [
  {
    name: 'text, 2 facets, 1 filter',
    ...{ goalP50Ms: 5, goalP99Ms: 50, goalPerSecond: 200 },
    question(corpus, random) {
      const from = 500 + below(random, 50_000);
      const facets = ['color', 'brand'] as const;
      return { ...everything, ...drawWord(corpus, random), facets, price: [from, from + 40_000] };
    },
  },
  {
    name: 'one word, exact',
    ...{ goalP50Ms: 5, goalP99Ms: 50, goalPerSecond: 200 },
    question: (corpus, random) => ({ ...everything, ...drawWord(corpus, random) }),
  },
  {
    name: 'one word with a typo, fuzzy',
    ...{ goalP50Ms: 0, goalTimesExact: 2, goalP99Ms: 50, goalPerSecond: 200 },
    question(corpus, random) {
      const { language, word } = drawWord(corpus, random);
      return { ...everything, language, word: withTypo(word, random), fuzzy: true };
    },
  },
  {
    name: 'facet of 10,000 values over everything',
    goalP50Ms: 30,
    question: () => ({ ...everything, facets: ['series'], limit: 0 }),
  },
];

/** Minimum number of queries. The median number of matches comes from these, which are the same for every engine. */
export const warmUpQuestions = 100;

/** The first `count` queries of a trial; the same for every engine. */
export function questionsOf(trial: SearchTrial, corpus: Corpus, count: number): readonly Question[] {
  const random = seededRandom(2026);
  return Array.from({ length: count }, () => trial.question(corpus, random));
}

/** A query in the parameters of E4. */
export function searchParameters({ language, word, fuzzy, price, facets, limit }: Question): URLSearchParams {
  const parameters = new URLSearchParams({ limit: String(limit) });
  if (word !== undefined) parameters.set(`text.${language}`, word);
  if (fuzzy) parameters.set('fuzzy', 'true');
  if (price) parameters.set('filter', `price:range(${price[0]} to ${price[1]})`);
  for (const facet of facets) parameters.append('facet', facet);
  return parameters;
}
