/**
 * Languages with rules of their own. Texts in all others are found by their words as written, in any case and with or
 * without accents.
 */

export interface Language {
  /** ISO 639-1, as in a locale. */
  readonly code: string;
  readonly name: string;
  /** The module of `@orama/stemmers` by which inflected forms of a word find each other; without one they do not. */
  readonly stemmer?: string;
  /** True where the script puts no spaces between words, so that a dictionary finds them. */
  readonly usesDictionary?: true;
}

const table = [
  { code: 'ar', name: 'Arabic', stemmer: 'arabic' },
  { code: 'da', name: 'Danish', stemmer: 'danish' },
  { code: 'de', name: 'German', stemmer: 'german' },
  { code: 'el', name: 'Greek', stemmer: 'greek' },
  { code: 'en', name: 'English', stemmer: 'english' },
  { code: 'es', name: 'Spanish', stemmer: 'spanish' },
  { code: 'fi', name: 'Finnish', stemmer: 'finnish' },
  { code: 'fr', name: 'French', stemmer: 'french' },
  { code: 'hi', name: 'Hindi', stemmer: 'indian' },
  { code: 'hu', name: 'Hungarian', stemmer: 'hungarian' },
  { code: 'hy', name: 'Armenian', stemmer: 'armenian' },
  { code: 'id', name: 'Indonesian', stemmer: 'indonesian' },
  { code: 'it', name: 'Italian', stemmer: 'italian' },
  { code: 'ja', name: 'Japanese', usesDictionary: true },
  { code: 'ko', name: 'Korean' },
  { code: 'lt', name: 'Lithuanian', stemmer: 'lithuanian' },
  { code: 'nb', name: 'Norwegian Bokmål', stemmer: 'norwegian' },
  { code: 'ne', name: 'Nepali', stemmer: 'nepali' },
  { code: 'nl', name: 'Dutch', stemmer: 'dutch' },
  { code: 'nn', name: 'Norwegian Nynorsk', stemmer: 'norwegian' },
  { code: 'no', name: 'Norwegian', stemmer: 'norwegian' },
  { code: 'pt', name: 'Portuguese', stemmer: 'portuguese' },
  { code: 'ro', name: 'Romanian', stemmer: 'romanian' },
  { code: 'ru', name: 'Russian', stemmer: 'russian' },
  { code: 'sr', name: 'Serbian', stemmer: 'serbian' },
  { code: 'sv', name: 'Swedish', stemmer: 'swedish' },
  { code: 'ta', name: 'Tamil', stemmer: 'tamil' },
  { code: 'th', name: 'Thai', usesDictionary: true },
  { code: 'tr', name: 'Turkish', stemmer: 'turkish' },
  { code: 'uk', name: 'Ukrainian', stemmer: 'ukrainian' },
  { code: 'zh', name: 'Chinese', usesDictionary: true },
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
