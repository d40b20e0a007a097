import { malformedParameter } from '../../contract/errors.ts';
import { type Rung, rungs } from '../../contract/search-pages.ts';
import type { Position } from '../../domain/ports/list-query.ts';
import type { SearchQuery, TextQuery } from '../../domain/search/query/query.ts';
import type { WordCounts } from './ladder.ts';
import type { PlannedWord, QueryText } from './words/word-choices.ts';

/**
 * Pages of a search with text that continue one another. Every write may move the weights of words, and with
 * them all scores, or let a search find enough on an earlier rung. So a position holds the last rung of the first page, and
 * the numbers from which that computed its weights: on all pages a resource is found, and has its score, as on the first
 * one, until it is written itself.
 */

/** How good a match is: an earlier rung first, then the greater score. */
export interface RankNumbers {
  /** The index of the rung in `rungs`. */
  readonly rung: number;
  readonly score: number;
}

/** Where a page begins that continues another one. */
export interface SearchStart {
  /** The last rung that the first page took. */
  readonly lastRung: Rung;
  /** Rank of the last item; unused in an order by fields. */
  readonly rank: RankNumbers;
  /** What the first page counted: see `numbersOf`. Empty where it needed no numbers. */
  readonly numbers: readonly number[];
  /** By which hour the first page judged recency; undefined where it did not. */
  readonly hour: number | undefined;
  /** The keys of the last item, for the order by fields or that of equally relevant resources, and its id. */
  readonly tail: Position;
  readonly id: string;
}

/** Numbers of documents: of the project, and by word. */
export interface CountedWords {
  readonly resources: number;
  readonly counts: WordCounts;
}

/** True if the order of a search is that of relevance. */
export function isRanked({ texts, sort }: SearchQuery): boolean {
  return texts.length > 0 && sort.length === 0;
}

/** Where a search with text goes on; undefined for a first page. Throws `ServiceError` InvalidInput for a strange position. */
export function searchStart(query: SearchQuery): SearchStart | undefined {
  const { texts, after } = query;
  if (texts.length === 0 || after === undefined) return undefined;
  const [ranks, numbers, ...tail] = after;
  const id = tail.at(-1);
  const [last, rung, score, hour] = Array.isArray(ranks) ? (ranks as readonly number[]) : [];
  const lastRung = rungs[last ?? -1];
  if (lastRung !== undefined && rung !== undefined && score !== undefined && typeof id === 'string') {
    return { lastRung, rank: { rung, score }, numbers: numbers as readonly number[], hour, tail, id };
  }
  throw malformedParameter('cursor', 'searches have other positions since it was made; start without a cursor');
}

/** The position behind an item. `tail` is that in the order by fields, or in that of equally relevant resources. */
export function searchPosition(
  lastRung: Rung,
  numbers: readonly number[],
  tail: Position,
  { rung, score }: RankNumbers = { rung: 0, score: 0 },
  hour?: number,
): Position {
  return [[rungs.indexOf(lastRung), rung, score, ...(hour === undefined ? [] : [hour])], numbers, ...tail];
}

/**
 * The numbers from which the weights of words follow, and which words a document needs: of resources and words, and of each word that counts
 * its place, and how many have it without typos, and with them.
 */
export function numbersOf(texts: readonly QueryText[], { resources, counts }: CountedWords): readonly number[] {
  const words = texts.flatMap((text) => text.words);
  const ofWord = (word: PlannedWord, at: number) =>
    word.isIgnored ? [] : [at, counts.strict(word), counts.loose(word)];
  return [resources, words.length, ...words.flatMap(ofWord)];
}

/** Of each word, by its place, what the first page counted; undefined where it counted other words, by other settings of the project. */
function numbersByPlace(
  start: SearchStart | undefined,
  words: number,
): ReadonlyMap<number, readonly [strict: number, loose: number]> | undefined {
  if (start?.numbers[1] !== words) return undefined;
  const { numbers } = start;
  const byPlace = new Map<number, readonly [number, number]>();
  for (let at = 2; at < numbers.length; at += 3) byPlace.set(numbers[at]!, [numbers[at + 1]!, numbers[at + 2]!]);
  return byPlace;
}

/** The places of the words of each text that counted on the first page; undefined if they are unknown. */
export function countedPlaces(
  start: SearchStart | undefined,
  texts: readonly TextQuery[],
): readonly ReadonlySet<number>[] | undefined {
  const ends: number[] = [];
  for (const { words } of texts) ends.push((ends.at(-1) ?? 0) + words.length);
  const places = numbersByPlace(start, ends.at(-1) ?? 0)?.keys();
  const all = places && [...places];
  return all && ends.map((_, n) => new Set(all.map((at) => at - (ends[n - 1] ?? 0)).filter((at) => at >= 0)));
}

/** The counts of the first page; undefined if they are unknown for these words. */
export function countedBefore(start: SearchStart | undefined, texts: readonly QueryText[]): CountedWords | undefined {
  const words = texts.flatMap((text) => text.words);
  const byPlace = numbersByPlace(start, words.length);
  if (!byPlace) return undefined;
  const numbers = new Map(words.map((word, at) => [word, byPlace.get(at) ?? [0, 0]]));
  return {
    resources: start!.numbers[0]!,
    counts: { strict: (word) => numbers.get(word)![0]!, loose: (word) => numbers.get(word)![1]! },
  };
}
