import type { Corpus, SearchDocument } from '../corpus.ts';
import { withTypo } from '../questions.ts';
import { below, type Random, seededRandom } from '../random.ts';
import { type Language, languages } from '../vocabulary.ts';

/** A search of the comparison, independent of the syntax of any engine. */
export interface ComparedQuestion {
  readonly language: Language;
  readonly text: string;
  readonly fuzzy: boolean;
  /** Cents, both ends included. It narrows the results, not the facets. */
  readonly price?: readonly [from: number, to: number];
  readonly facets: readonly ('color' | 'brand' | 'series')[];
  /**
   * Of two words both are needed, however few documents have them, or one suffices to every engine; of more any. Else the service goes on
   * with fewer where few documents have all, which the others do not.
   */
  readonly needs?: 'both' | 'one' | 'any';
  /** By price instead of relevance. */
  readonly isSorted?: boolean;
  /** The last word is still being typed. */
  readonly isTyped?: boolean;
}

export interface ComparedClass {
  readonly name: string;
  readonly question: (corpus: Corpus, documents: number, random: Random) => ComparedQuestion;
}

/** Words that the comparison adds to descriptions: of every document, and of eight in a hundred. */
const [everywhere, inSome] = ['standardly', 'seasonally'];
const someOf = 25;
const someFirst = 2;

/** Units of two letters and words that begin with them: in real titles these make the most expensive beginnings of all. */
const units = ['in', 'ft', 'sq', 'lb'];
const besideUnits = ['inspection', 'installed', 'inches', 'square', 'foot', 'pounds'];

/** Of every other document the title has a measure, and often a word that begins like a unit. */
function titleOf(corpus: Corpus, n: number): string {
  const { name } = corpus.document(n);
  if (n % 2 === 1) return name.en;
  const random = seededRandom(n);
  const measure = () => `${1 + below(random, 90)} ${units[below(random, units.length)]}.`;
  const word = below(random, 2) === 0 ? ` ${besideUnits[below(random, besideUnits.length)]}` : '';
  return `${name.en}${word} ${measure()} x ${measure()}`;
}

/** The document of the comparison with a number: that of the corpus, with these words. */
export function comparedDocument(corpus: Corpus, n: number): SearchDocument {
  const { name, description, ...document } = corpus.document(n);
  const more = n % someOf < someFirst ? ` ${inSome}` : '';
  const en = `${description.en} ${everywhere}${more}`;
  return { ...document, name: { ...name, en: titleOf(corpus, n) }, description: { ...description, en } };
}

/** The text of a customer who types the words of a title, after one of the letters. */
function typedTitle(corpus: Corpus, documents: number, random: Random): ComparedQuestion {
  const words = titleOf(corpus, below(random, documents))
    .split(' ')
    .filter((word) => /^[a-z]{4,}$/.test(word));
  const from = below(random, words.length);
  const text = words.slice(from, from + 1 + below(random, 2)).join(' ');
  const typed = text.slice(0, 2 + below(random, text.length - 1)).trimEnd();
  return { language: 'en', text: typed, fuzzy: true, facets: [], isTyped: true };
}

/** Different words of one document, so that something is found. */
function wordsTogether(corpus: Corpus, documents: number, random: Random, count: number) {
  const language = languages[below(random, languages.length)]!;
  const { description } = corpus.document(below(random, documents));
  const words = [...new Set(description[language].split(' '))].filter((word) => word.length > 3);
  const from = below(random, words.length - count);
  return { language, words: words.slice(from, from + count) };
}

function oneWord(corpus: Corpus, random: Random) {
  const language = languages[below(random, languages.length)]!;
  return { language, word: corpus.word(language, random) };
}

const plain = { fuzzy: false, facets: [] } as const;
const allFacets = ['color', 'brand', 'series'] as const;

function twoWords(corpus: Corpus, documents: number, random: Random): ComparedQuestion {
  const { language, words } = wordsTogether(corpus, documents, random, 2);
  const from = 500 + below(random, 50_000);
  const price = [from, from + 40_000] as const;
  return { language, text: words.join(' '), fuzzy: false, price, facets: ['color', 'brand'] };
}

export const comparedClasses: readonly ComparedClass[] = [
  { name: 'two words, filter, 2 facets', question: twoWords },
  {
    name: 'the same, both words needed',
    question: (corpus, documents, random) => ({ ...twoWords(corpus, documents, random), needs: 'both' }),
  },
  {
    name: 'the same, one of both suffices',
    question: (corpus, documents, random) => ({ ...twoWords(corpus, documents, random), needs: 'one' }),
  },
  {
    name: 'one word',
    question(corpus, _, random) {
      const { language, word } = oneWord(corpus, random);
      return { ...plain, language, text: word };
    },
  },
  {
    name: 'one word with a typo',
    question(corpus, _, random) {
      const { language, word } = oneWord(corpus, random);
      return { ...plain, language, text: withTypo(word, random), fuzzy: true };
    },
  },
  {
    name: 'three words, one with a typo',
    question(corpus, documents, random) {
      const { language, words } = wordsTogether(corpus, documents, random, 3);
      const wrong = below(random, words.length);
      const text = words.map((word, at) => (at === wrong ? withTypo(word, random) : word)).join(' ');
      return { ...plain, language, text, fuzzy: true };
    },
  },
  {
    name: 'six to twelve words, of which no document has all',
    question(corpus, documents, random) {
      const some = () => wordsTogether(corpus, documents, random, 3 + below(random, 4));
      const first = some();
      let second = some();
      while (second.language !== first.language) second = some();
      const words = [...new Set([...first.words, ...second.words])];
      return { ...plain, language: first.language, text: words.join(' '), needs: 'any' };
    },
  },
  { name: 'typing titles that have units of two letters', question: typedTitle },
  {
    name: 'a word of every document, 3 facets, sorted',
    question: () => ({ language: 'en', text: everywhere, fuzzy: false, facets: allFacets, isSorted: true }),
  },
  {
    name: 'the same ranked, without facets',
    question: () => ({ ...plain, language: 'en', text: everywhere }),
  },
  {
    name: 'a word of 8 % of the documents',
    question: () => ({ ...plain, language: 'en', text: inSome }),
  },
];

/** The first `count` questions of a class, the same for every engine. */
export function comparedQuestions(
  { question }: ComparedClass,
  corpus: Corpus,
  documents: number,
  count: number,
): readonly ComparedQuestion[] {
  const random = seededRandom(2026);
  return Array.from({ length: count }, () => question(corpus, documents, random));
}

/** A question in the parameters of E4. */
export function serviceParameters(question: ComparedQuestion): URLSearchParams {
  const { language, text, fuzzy, price, facets, needs, isSorted, isTyped } = question;
  const parameters = new URLSearchParams({ [`text.${language}`]: text, limit: '20' });
  if (needs === 'both' || needs === 'one') parameters.set('match', needs === 'both' ? 'all' : 'most');
  if (fuzzy) parameters.set('fuzzy', 'true');
  if (isTyped) parameters.set('prefix', 'true');
  if (price) parameters.set('filter', `price:range(${price[0]} to ${price[1]})`);
  for (const facet of facets) parameters.append('facet', facet);
  if (isSorted) parameters.set('sort', 'price');
  return parameters;
}

/** The same in those of the programs beside it, which need both of two words unless told. */
export function otherParameters(question: ComparedQuestion): URLSearchParams {
  const { language, text, fuzzy, price, facets, needs, isSorted, isTyped } = question;
  const parameters = new URLSearchParams({ locale: language, text, limit: '20' });
  if (needs === 'one' || needs === 'any') parameters.set('any', '1');
  if (fuzzy) parameters.set('fuzzy', '1');
  if (isTyped) parameters.set('prefix', '1');
  if (price) parameters.set('price', price.join('-'));
  for (const facet of facets) parameters.append('facet', facet);
  if (isSorted) parameters.set('sort', 'price');
  return parameters;
}
