import { type Rung, rungs } from '../../contract/search-pages.ts';
import type { MatchResult, SearchQuery, TextWeights } from '../../domain/search/query/query.ts';
import { fewHits, idf } from '../../domain/search/relevance.ts';
import {
  type Alternative,
  allWords,
  looseAlternatives,
  mostWords,
  type Needed,
  type PlannedWord,
  type QueryText,
} from './words/word-choices.ts';

/** Of so many words, most is any; with more than the others a text is a question: few documents have most of it, and others may answer it better. */
const [fewWords, wordsOfQuery] = [2, 3];

/** The rungs that a search may take (decision 112). */
export function rungsOf({ match, fuzzyLevel }: SearchQuery, texts: readonly QueryText[]): readonly Rung[] {
  return rungs.filter((rung) => {
    if (rung === 'typos') return fuzzyLevel > 0 && (match === 'auto' || match === 'all');
    if (match === 'auto') return rung !== 'any' || texts.some((text) => allWords(text).count > fewWords);
    return match === rung;
  });
}

/**
 * True where a search with so many hits stops at a rung. A search sorted by fields cannot rank weaker hits; of a question those that have
 * most of its words, or all but for typos, are not the best.
 */
export function isEnough({ match, sort }: SearchQuery, rung: Rung, texts: readonly QueryText[], hits: number): boolean {
  const isRanked = match === 'auto' && sort.length === 0;
  return (
    hits >= (isRanked ? fewHits : 1) &&
    !(isRanked && rung !== 'all' && texts.some((text) => allWords(text).count > wordsOfQuery))
  );
}

/** The alternatives of a word that count: those of typos only where they are tolerated. */
export type AlternativesOf = (word: PlannedWord) => readonly Alternative[];

/** The words of a text that a document needs on a rung, and which alternatives count. */
export interface NeededText extends Needed, Pick<QueryText, 'withPhrases'> {
  readonly alternativesOf: AlternativesOf;
}

/** Numbers of documents with a word in some form: without typos, and with them. */
export interface WordCounts {
  readonly strict: (word: PlannedWord) => number;
  readonly loose: (word: PlannedWord) => number;
}

/** The words that each text needs on this rung or an earlier one. */
export function neededOn(rung: Rung, texts: readonly QueryText[], counts: WordCounts): readonly NeededText[] {
  return texts.map((text) => {
    const { withPhrases } = text;
    if (rung === 'all') return { ...allWords(text), withPhrases, alternativesOf: (word) => word.strict };
    // Words that resemble one which some document has would find more than it does.
    const knownOrLoose = (word: PlannedWord) => (counts.strict(word) > 0 ? word.strict : looseAlternatives(word));
    if (rung === 'any') return { ...allWords(text), count: 1, withPhrases, alternativesOf: knownOrLoose };
    const needed = rung === 'typos' ? allWords(text) : mostWords(text, counts.loose);
    return { ...needed, withPhrases, alternativesOf: looseAlternatives };
  });
}

/** The last part of the answer: which rungs were taken, and what was dropped and corrected. */
export function matchResult(
  rung: Rung,
  totals: MatchResult['totals'],
  texts: readonly QueryText[],
  counts: WordCounts,
  correctionOf: (text: QueryText, word: PlannedWord) => string | undefined,
): MatchResult {
  const dropped = new Set<string>();
  const corrected = new Map<string, string>();
  for (const text of texts) {
    for (const word of rung === 'all' ? [] : text.words.filter(({ isRequired }) => isRequired)) {
      if ((rung === 'most' || rung === 'any') && counts.loose(word) === 0) dropped.add(word.word);
      if (corrected.has(word.word) || counts.strict(word) > 0) continue;
      const taken = correctionOf(text, word);
      if (taken !== undefined) corrected.set(word.word, taken);
    }
  }
  const ignored = texts.flatMap(({ words }) => words.filter(({ isIgnored }) => isIgnored).map(({ word }) => word));
  return {
    ...{ rung, totals, dropped: [...dropped], corrected: Object.fromEntries(corrected) },
    ...(ignored.length > 0 && { ignored }),
  };
}

/**
 * The different words that resemble a word, in groups of one number of edits, the fewest first, its head before all: what it may be
 * taken for.
 * A beginning that resembles it is taken for none of the words that begin so.
 */
export function resemblingWords({ typos }: PlannedWord): readonly (readonly string[])[] {
  const whole = typos.filter(({ isShort, isNearBeginning, isSynonym }) => !isShort && !isNearBeginning && !isSynonym);
  return whole.map(({ parts }) => [...new Set(parts[0]!.map(({ word }) => word))]);
}

/** A word with its number of documents. */
export interface CountedWord {
  readonly word: string;
  readonly documents: number;
}

/** The word that most documents have, of several the first by its letters; undefined if no document has any. */
export function mostFrequent(words: readonly CountedWord[]): string | undefined {
  const found = words.filter(({ documents }) => documents > 0);
  return found.sort((a, b) => b.documents - a.documents || (a.word < b.word ? -1 : 1))[0]?.word;
}

/** The weight of a word that so many of all documents have; 0 if none has it. */
export function weightOf({ share }: Pick<PlannedWord, 'share'>, matching: number, resources: number): number {
  return matching === 0 ? 0 : share * idf(resources, matching);
}

/** The weights of the words of a text in a corpus of this size, on the chosen rung; 0 for words that no document has. */
export function weigh(
  { words }: QueryText,
  needed: Needed,
  counts: WordCounts,
  resources: number,
): Omit<TextWeights, 'isAny'> {
  const weight = (word: PlannedWord, matching: number) => weightOf(word, matching, resources);
  return {
    strict: words.map((word) => weight(word, counts.strict(word))),
    loose: words.map((word) => weight(word, counts.loose(word))),
    deciding: needed.words.map((word) => words.indexOf(word)),
    needed: needed.count,
    heads: words.map(({ head }) => head),
    doubtful: words.map((word) => {
      const some = looseAlternatives(word).filter(({ isDoubtful }) => isDoubtful);
      return some.flatMap(({ parts }) => parts.flat().map((choice) => choice.word));
    }),
    begun: words.flatMap(({ isBegun }, at) => (isBegun ? [at] : [])),
    ignored: words.flatMap(({ isIgnored }, at) => (isIgnored ? [at] : [])),
  };
}

/** The weights of all texts, for who explains the scores. */
export function weightsOf(
  rung: Rung,
  texts: readonly QueryText[],
  needed: readonly Needed[],
  counts: WordCounts,
  resources: number,
): readonly TextWeights[] {
  return texts.map((text, at) => ({
    ...weigh(text, needed[at]!, counts, resources),
    isAny: rung === 'any',
  }));
}
