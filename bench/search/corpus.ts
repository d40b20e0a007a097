import { below, type Random, seededRandom, zipfRank } from './random.ts';
import { type Language, languages, namesOf, vocabularyOf, wordsPerLanguage } from './vocabulary.ts';

export const colours =
  'red green blue black white grey brown pink gold silver teal navy olive lime coral beige ivory plum rust sand'.split(
    ' ',
  );
const brandCount = 1000;
const seriesCount = 10_000;
const nameWords = 3;
const descriptionWords = 22;

type Localised = Readonly<Record<Language, string>>;

/** A document of the search bench, as it is sent: about 1 KB, 25 words in each of three languages. */
export interface SearchDocument {
  readonly key: string;
  readonly name: Localised;
  readonly description: Localised;
  readonly color: string;
  readonly size: readonly number[];
  readonly brand: string;
  readonly sku: string;
  readonly series: string;
  /** Cents. */
  readonly price: number;
}

/** Texts and documents of the bench. Everything follows from `offset` and the numbers that are asked for. */
export interface Corpus {
  /** A word as the texts have it, the frequent ones more often. */
  word(language: Language, random: Random): string;
  document(n: number): SearchDocument;
  /** The same with one long word of the same length instead of every text. */
  documentWithoutText(n: number): SearchDocument;
}

/** Makes the words once. `offset` flattens the head of Zipf's law, see `zipfRank`. */
export function createCorpus(offset: number): Corpus {
  const vocabularies = new Map(languages.map((language) => [language, vocabularyOf(language)]));
  const brands = namesOf(brandCount, 11);
  const series = namesOf(seriesCount, 12);

  function word(language: Language, random: Random): string {
    return vocabularies.get(language)![zipfRank(random, wordsPerLanguage, offset)]!;
  }

  function localised(random: Random, count: number): Localised {
    const text = (language: Language) => Array.from({ length: count }, () => word(language, random)).join(' ');
    return { en: text('en'), de: text('de'), fr: text('fr') };
  }

  function document(n: number): SearchDocument {
    const random = seededRandom(Math.imul(n + 1, 0x9e3779b1));
    const first = 30 + below(random, 20);
    return {
      ...{ key: `s-${n}`, name: localised(random, nameWords), description: localised(random, descriptionWords) },
      color: colours[below(random, colours.length)]!,
      size: [first, first + 2, first + 4],
      brand: brands[zipfRank(random, brandCount, 0)]!,
      sku: `SKU${String(n).padStart(8, '0')}`,
      series: series[below(random, seriesCount)]!,
      price: 500 + below(random, 99_500),
    };
  }

  function documentWithoutText(n: number): SearchDocument {
    const { name, description, ...others } = document(n);
    const filled = (text: string) => 'x'.repeat(Buffer.byteLength(text));
    const without = ({ en, de, fr }: Localised) => ({ en: filled(en), de: filled(de), fr: filled(fr) });
    return { ...others, name: without(name), description: without(description) };
  }

  return { word, document, documentWithoutText };
}
