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
}

export interface ComparedClass {
  readonly name: string;
  readonly question: (corpus: Corpus, documents: number, random: Random) => ComparedQuestion;
}

/** Words that the comparison adds to descriptions: of every document, and of eight in a hundred. */
const [everywhere, inSome] = ['standardly', 'seasonally'];
const someOf = 25;
const someFirst = 2;

/** The document of the comparison with a number: that of the corpus, with these words. */
export function comparedDocument(corpus: Corpus, n: number): SearchDocument {
  const document = corpus.document(n);
  const more = n % someOf < someFirst ? ` ${inSome}` : '';
  const en = `${document.description.en} ${everywhere}${more}`;
  return { ...document, description: { ...document.description, en } };
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
  const { language, text, fuzzy, price, facets, needs, isSorted } = question;
  const parameters = new URLSearchParams({ [`text.${language}`]: text, limit: '20' });
  if (needs === 'both' || needs === 'one') parameters.set('match', needs === 'both' ? 'all' : 'most');
  if (fuzzy) parameters.set('fuzzy', 'true');
  if (price) parameters.set('filter', `price:range(${price[0]} to ${price[1]})`);
  for (const facet of facets) parameters.append('facet', facet);
  if (isSorted) parameters.set('sort', 'price');
  return parameters;
}

/** The same in those of the programs beside it, which need both of two words unless told. */
export function otherParameters(question: ComparedQuestion): URLSearchParams {
  const { language, text, fuzzy, price, facets, needs, isSorted } = question;
  const parameters = new URLSearchParams({ locale: language, text, limit: '20' });
  if (needs === 'one' || needs === 'any') parameters.set('any', '1');
  if (fuzzy) parameters.set('fuzzy', '1');
  if (price) parameters.set('price', price.join('-'));
  for (const facet of facets) parameters.append('facet', facet);
  if (isSorted) parameters.set('sort', 'price');
  return parameters;
}
