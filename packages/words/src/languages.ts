import table from './languages.json' with { type: 'json' };

/**
 * Languages with rules and lists of words of their own: `languages.json` has one entry for each. Texts in all others are found by their words as written, in any case and with or
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
  /** The table of `tables` that knows the forms of frequent words. */
  readonly lemmas?: string;
  /** The list of `stopword` whose words need not occur. */
  readonly stopWords?: string;
  /** Linking sounds between the parts of a compound, besides none. Present in languages with compounds, where a word finds those that it ends. */
  readonly links?: readonly string[];
  /** True where the script puts no spaces between words, so that a dictionary finds them. */
  readonly usesDictionary?: boolean;
  /** The language whose lists below this one shares. */
  readonly listsOf?: string;
  /** Single letters that are stop words; other letters are sizes, or the beginning of a code. What elision leaves counts. */
  readonly stopLetters?: string;
  /** True where accents tell most words apart, as the tones of Vietnamese do. */
  readonly areAccentsLetters?: boolean;
  /**
   * Words with which people ask a shop for something: they buy, look for, want and need it, politely, and for little money.
   * None of them is also a thing that a shop may have, as the look, the order and the Spanish `compra` are, nor the beginning
   * of many: with Swedish `köp` one is about to type *kopp*.
   */
  readonly requestWords?: string;
  /**
   * How forms of words end, folded: a word that is still being typed may have a part of such an ending, or none yet. Of a
   * longer ending only the end is listed where its other letters stay in the stem as long as the word is not whole (`g` of
   * `-ig`). Chosen from word lists: first those that keep most forms found while they are typed, then those of everyday forms
   * (`je` of `kopje`).
   */
  readonly endings?: string;
}

export type LanguageCode = keyof typeof table;

type KnownLanguage = Language & { readonly code: LanguageCode };

/** All languages that are stemmed, or that need a dictionary to find their words. */
export const languages: readonly KnownLanguage[] = Object.entries<Omit<Language, 'code'>>(table).map(([code, one]) => ({
  code: code as LanguageCode,
  ...one,
}));

const byCode: ReadonlyMap<string, KnownLanguage> = new Map(languages.map((one) => [one.code, one]));

/** The language whose lists of words a language uses; undefined for a language without special treatment. */
export function listsFor(code: string): KnownLanguage | undefined {
  const own = byCode.get(code);
  return own?.listsOf === undefined ? own : byCode.get(own.listsOf);
}

/** The language of a locale such as `de` or `de-AT`; undefined where it has no special treatment. */
export function languageOf(locale: string): KnownLanguage | undefined {
  return byCode.get(locale.length > 2 ? locale.slice(0, 2) : locale);
}
