/**
 * Languages with special treatment. Texts in all others are found by the words as they are written, in any case and
 * with or without accents.
 */

export interface Language {
  /** ISO 639-1, as in a locale. */
  readonly code: string;
  readonly name: string;
  /** Whether inflected forms of a word find each other. */
  readonly stemmed: boolean;
  /** How words are found: at blanks and punctuation, or with a dictionary where the script has no blanks. */
  readonly segmentation: 'boundaries' | 'dictionary';
}

/** All languages that are stemmed, or that need a dictionary to find their words. */
export const languages = [
  { code: 'ar', name: 'Arabic', stemmed: true, segmentation: 'boundaries' },
  { code: 'da', name: 'Danish', stemmed: true, segmentation: 'boundaries' },
  { code: 'de', name: 'German', stemmed: true, segmentation: 'boundaries' },
  { code: 'el', name: 'Greek', stemmed: true, segmentation: 'boundaries' },
  { code: 'en', name: 'English', stemmed: true, segmentation: 'boundaries' },
  { code: 'es', name: 'Spanish', stemmed: true, segmentation: 'boundaries' },
  { code: 'fi', name: 'Finnish', stemmed: true, segmentation: 'boundaries' },
  { code: 'fr', name: 'French', stemmed: true, segmentation: 'boundaries' },
  { code: 'hi', name: 'Hindi', stemmed: true, segmentation: 'boundaries' },
  { code: 'hu', name: 'Hungarian', stemmed: true, segmentation: 'boundaries' },
  { code: 'hy', name: 'Armenian', stemmed: true, segmentation: 'boundaries' },
  { code: 'id', name: 'Indonesian', stemmed: true, segmentation: 'boundaries' },
  { code: 'it', name: 'Italian', stemmed: true, segmentation: 'boundaries' },
  { code: 'ja', name: 'Japanese', stemmed: false, segmentation: 'dictionary' },
  { code: 'ko', name: 'Korean', stemmed: false, segmentation: 'boundaries' },
  { code: 'lt', name: 'Lithuanian', stemmed: true, segmentation: 'boundaries' },
  { code: 'nb', name: 'Norwegian Bokmål', stemmed: true, segmentation: 'boundaries' },
  { code: 'ne', name: 'Nepali', stemmed: true, segmentation: 'boundaries' },
  { code: 'nl', name: 'Dutch', stemmed: true, segmentation: 'boundaries' },
  { code: 'nn', name: 'Norwegian Nynorsk', stemmed: true, segmentation: 'boundaries' },
  { code: 'no', name: 'Norwegian', stemmed: true, segmentation: 'boundaries' },
  { code: 'pt', name: 'Portuguese', stemmed: true, segmentation: 'boundaries' },
  { code: 'ro', name: 'Romanian', stemmed: true, segmentation: 'boundaries' },
  { code: 'ru', name: 'Russian', stemmed: true, segmentation: 'boundaries' },
  { code: 'sr', name: 'Serbian', stemmed: true, segmentation: 'boundaries' },
  { code: 'sv', name: 'Swedish', stemmed: true, segmentation: 'boundaries' },
  { code: 'ta', name: 'Tamil', stemmed: true, segmentation: 'boundaries' },
  { code: 'th', name: 'Thai', stemmed: false, segmentation: 'dictionary' },
  { code: 'tr', name: 'Turkish', stemmed: true, segmentation: 'boundaries' },
  { code: 'uk', name: 'Ukrainian', stemmed: true, segmentation: 'boundaries' },
  { code: 'zh', name: 'Chinese', stemmed: false, segmentation: 'dictionary' },
] as const satisfies readonly Language[];

export type LanguageCode = (typeof languages)[number]['code'];

const byCode: ReadonlyMap<string, (typeof languages)[number]> = new Map(languages.map((one) => [one.code, one]));

/** The language of a locale such as `de` or `de-AT`; undefined where it has no special treatment. */
export function languageOf(locale: string): (typeof languages)[number] | undefined {
  return byCode.get(locale.length > 2 ? locale.slice(0, 2) : locale);
}
