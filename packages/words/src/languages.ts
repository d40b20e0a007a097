/**
 * Languages with rules of their own. Texts in all others are found by their words as written, in any case and with or
 * without accents.
 */

export interface Language {
  /** ISO 639-1, as in a locale. */
  readonly code: string;
  readonly name: string;
  /**
   * The module of `@orama/stemmers` by which inflected forms of a word find each other, or `own` where the rules are those
   * of `light-stems.ts`; without one they do not.
   */
  readonly stemmer?: string;
  /** The list of `stopword` whose words need not occur. */
  readonly stopWords?: string;
  /** What may stand between the parts of a compound, '' aside. Where there are compounds, a word finds those it ends. */
  readonly links?: readonly string[];
  /** True where the script puts no spaces between words, so that a dictionary finds them. */
  readonly usesDictionary?: true;
}

const table = [
  { code: 'ar', name: 'Arabic', stemmer: 'own', stopWords: 'ara' },
  { code: 'cs', name: 'Czech', stemmer: 'own', stopWords: 'ces' },
  { code: 'da', name: 'Danish', stemmer: 'danish', stopWords: 'dan', links: ['s', 'e'] },
  { code: 'de', name: 'German', stemmer: 'german', stopWords: 'deu', links: ['s', 'n', 'en', 'e', 'er', 'es'] },
  { code: 'el', name: 'Greek', stemmer: 'greek', stopWords: 'ell' },
  { code: 'en', name: 'English', stemmer: 'english', stopWords: 'eng' },
  { code: 'es', name: 'Spanish', stemmer: 'spanish', stopWords: 'spa' },
  { code: 'fi', name: 'Finnish', stemmer: 'finnish', stopWords: 'fin', links: [] },
  { code: 'fr', name: 'French', stemmer: 'french', stopWords: 'fra' },
  { code: 'hi', name: 'Hindi', stemmer: 'indian', stopWords: 'hin' },
  { code: 'hu', name: 'Hungarian', stemmer: 'hungarian', stopWords: 'hun', links: [] },
  { code: 'hy', name: 'Armenian', stemmer: 'armenian', stopWords: 'hye' },
  { code: 'id', name: 'Indonesian', stemmer: 'indonesian', stopWords: 'ind' },
  { code: 'it', name: 'Italian', stemmer: 'italian', stopWords: 'ita' },
  { code: 'ja', name: 'Japanese', stemmer: 'own', usesDictionary: true, stopWords: 'jpn' },
  { code: 'ko', name: 'Korean', stemmer: 'own', stopWords: 'kor' },
  { code: 'lt', name: 'Lithuanian', stemmer: 'lithuanian', stopWords: 'lit' },
  { code: 'nb', name: 'Norwegian Bokmål', stemmer: 'norwegian', stopWords: 'nob', links: ['s', 'e'] },
  { code: 'ne', name: 'Nepali', stemmer: 'nepali' },
  { code: 'nl', name: 'Dutch', stemmer: 'dutch', stopWords: 'nld', links: ['s', 'n', 'en', 'e'] },
  { code: 'nn', name: 'Norwegian Nynorsk', stemmer: 'norwegian', stopWords: 'nob', links: ['s', 'e'] },
  { code: 'no', name: 'Norwegian', stemmer: 'norwegian', stopWords: 'nob', links: ['s', 'e'] },
  { code: 'pl', name: 'Polish', stemmer: 'own', stopWords: 'pol' },
  { code: 'pt', name: 'Portuguese', stemmer: 'portuguese', stopWords: 'por' },
  { code: 'ro', name: 'Romanian', stemmer: 'romanian', stopWords: 'ron' },
  { code: 'ru', name: 'Russian', stemmer: 'russian', stopWords: 'rus' },
  { code: 'sr', name: 'Serbian', stemmer: 'serbian' },
  { code: 'sv', name: 'Swedish', stemmer: 'swedish', stopWords: 'swe', links: ['s'] },
  { code: 'ta', name: 'Tamil', stemmer: 'tamil' },
  { code: 'th', name: 'Thai', usesDictionary: true, stopWords: 'tha' },
  { code: 'tr', name: 'Turkish', stemmer: 'own', stopWords: 'tur' },
  { code: 'uk', name: 'Ukrainian', stemmer: 'ukrainian', stopWords: 'ukr' },
  { code: 'zh', name: 'Chinese', usesDictionary: true, stopWords: 'zho' },
] as const satisfies readonly Language[];

export type LanguageCode = (typeof table)[number]['code'];

type KnownLanguage = Language & { readonly code: LanguageCode };

/** All languages that are stemmed, or that need a dictionary to find their words. */
export const languages: readonly KnownLanguage[] = table;

const byCode: ReadonlyMap<string, KnownLanguage> = new Map(languages.map((one) => [one.code, one]));

/** The language of a locale such as `de` or `de-AT`; undefined where it has no special treatment. */
export function languageOf(locale: string): KnownLanguage | undefined {
  return byCode.get(locale.length > 2 ? locale.slice(0, 2) : locale);
}
