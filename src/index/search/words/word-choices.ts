import { maxCountedWords } from '../../../domain/search/query/limits.ts';
import { mostOf } from '../../../domain/search/relevance.ts';

/** A word of documents that finds a word of a query. */
export interface Choice {
  /** The locale it stands under: that of the query, its language, or '' for none; or a space of plain words. */
  readonly locale: string;
  readonly word: string;
}

/** One way for a document to have a word that is asked for: it has one of the choices of each part. */
export interface Alternative {
  /** The lowest factor of the parts, relative to the word as written. */
  readonly factor: number;
  /** True if only words of names and attributes count. */
  readonly isShort: boolean;
  readonly parts: readonly (readonly Choice[])[];
  /** The choices are all words that begin like this. */
  readonly beginning?: string;
  /** True if the choices begin like the word before it and it as one word. */
  readonly isJoined?: boolean;
  /** True if some beginning of the choices resembles the word, which is still being typed. */
  readonly isNearBeginning?: boolean;
  /** True for words that stand for another one by the settings of the project, or as its irregular forms. */
  readonly isSynonym?: boolean;
  /** True if the choices end in the word, but may be no compounds of it. */
  readonly isDoubtful?: boolean;
}

/** A word of a query with all that finds it. */
export interface PlannedWord {
  readonly word: string;
  /** False for a word that says little by itself. */
  readonly isRequired: boolean;
  /** What it weighs beside another word that as many documents have: more where the text has it more than once. */
  readonly share: number;
  /** True for one of more words than count: nothing has it, and nothing needs it. */
  readonly isIgnored?: boolean;
  /** True if the client says that it is still being typed. */
  readonly isUnfinished: boolean;
  /** True for an unfinished one that begins what some document has. */
  readonly isBegun: boolean;
  readonly strict: readonly Alternative[];
  /** Those of `strict` by which it weighs where some document has one; absent: all. */
  readonly weighed?: readonly Alternative[] | undefined;
  /** What it is taken for where no resource has it: its `typos` have what finds that. */
  readonly head?: string;
  /** The words that resemble it, where typos are tolerated and were looked up. */
  readonly typos: readonly Alternative[];
}

/** A text of a query. */
export interface QueryText {
  readonly locale: string;
  /** Whose words it is compared with. */
  readonly spaces: readonly string[];
  readonly words: readonly PlannedWord[];
  /** The rows of these that have the phrases of the text; absent where it has none. */
  readonly withPhrases?: ((rows: Uint32Array) => Uint32Array) | undefined;
}

/** The places of the words that count: of many those of the greatest weight, of equal ones the first. */
export function heaviestOf(weights: readonly number[]): ReadonlySet<number> {
  const places = [...weights.keys()].sort((a, b) => weights[b]! - weights[a]!);
  return new Set(places.slice(0, maxCountedWords));
}

/** A word that does not count. */
export const ignoredWord = (word: string): PlannedWord => ({
  ...{ word, isIgnored: true, isRequired: false, isUnfinished: false, isBegun: false, share: 0, strict: [], typos: [] },
});

/** All alternatives, those of typos included. */
export function looseAlternatives({ strict, typos }: PlannedWord): readonly Alternative[] {
  return [...strict, ...typos];
}

/** Fewer words with a common beginning are listed. */
export const manyChoices = 20;

/** With more candidates than this, and the asked word among them, they are not listed. */
export const manyBegun = manyChoices + 1;

/** For longer texts, the rarest words decide whether a document has most words. */
const decidingWords = 8;

/** Words of which a document needs some. */
export interface Needed {
  readonly words: readonly PlannedWord[];
  readonly count: number;
}

/**
 * The words that decide whether a document has most of a text, and how many it needs. `countOf` counts documents: on a later page those of
 * the first one. Where that had none of the words, only a document with all of them, written since, is found.
 */
export function mostWords(text: QueryText, countOf: (word: PlannedWord) => number): Needed {
  const all = allWords(text);
  const known = all.words.filter((word) => countOf(word) > 0);
  if (known.length === 0) return all;
  const rarest = known.toSorted((a, b) => countOf(a) - countOf(b)).slice(0, decidingWords);
  return { words: rarest, count: mostOf(rarest.length) };
}

/** The words that a document needs for all of a text. */
export function allWords({ words }: QueryText): Needed {
  const required = words.filter((word) => word.isRequired);
  return { words: required, count: required.length };
}
