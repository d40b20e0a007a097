import { beginningOf, matchesWord } from '#words';
import type { Boost } from './boosts.ts';
import type { FieldRule } from './field-rules.ts';
import type { Pins } from './settings/pins.ts';

/** How many of the words must occur: as many as find something, all, or most. */
export const matchModes = ['auto', 'all', 'most', 'any'] as const;
export type MatchMode = (typeof matchModes)[number];

/** The search settings of a project (decision 133), as searches use them. */
export interface SearchSettings {
  readonly fields: readonly FieldRule[];
  readonly synonyms: Synonyms;
  /** By locale: words that need not occur, beside those of the language. */
  readonly stopWords: ReadonlyMap<string, ReadonlySet<string>>;
  /** Where a search says nothing. */
  readonly match: MatchMode;
  readonly boosts: readonly Boost[];
  readonly pins: Pins;
  /** Whether the texts of searches are counted. */
  readonly countSearches: boolean;
}

/** Words that find other words: one or several in a row, folded. */
export interface Synonym {
  readonly locale: string;
  readonly from: readonly string[];
  readonly to: readonly string[];
}

/** Synonyms by the beginning of their first word. */
export type Synonyms = ReadonlyMap<string, readonly Synonym[]>;

export const noSettings: SearchSettings = {
  fields: [],
  synonyms: new Map(),
  stopWords: new Map(),
  match: 'auto',
  boosts: [],
  pins: new Map(),
  countSearches: true,
};

/** Synonyms as they are looked up. */
export function synonymsOf(all: readonly Synonym[]): Synonyms {
  return Map.groupBy(all, ({ from }) => beginningOf(from[0]!));
}

/** True if settings for a locale are for texts in another one: `de` is for `de-AT` as well, `zh-Hant` for `zh-Hant-TW`. */
export function isFor(locale: string, text: string): boolean {
  return locale === text || text.startsWith(`${locale}-`);
}

/** True if a project says that a folded word says little by itself. */
export function isOwnStopWord({ stopWords }: SearchSettings, word: string, locale: string): boolean {
  return [...stopWords].some(([own, words]) => isFor(own, locale) && words.has(word));
}

/** The synonyms of single words, for a locale. */
export function singleSynonyms({ synonyms }: SearchSettings, locale: string): readonly Synonym[] {
  return [...synonyms.values()].flat().filter((one) => one.from.length === 1 && isFor(one.locale, locale));
}

/** The synonyms whose words, in some form, are in a row from a place on. */
export function synonymsAt(
  { synonyms }: SearchSettings,
  words: readonly string[],
  at: number,
  locale: string,
): readonly Synonym[] {
  const candidates = synonyms.get(beginningOf(words[at]!)) ?? [];
  return candidates.filter(
    (one) =>
      isFor(one.locale, locale) &&
      one.from.every((word, n) => words[at + n] !== undefined && matchesWord(words[at + n]!, word, locale)),
  );
}
