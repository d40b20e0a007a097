/**
 * Relevance by BM25: a rare word weighs more than a common one, repeats weigh a little more, and a word in a short text
 * weighs more than in a long one. Counts are rounded to few classes, so that an index stores them in a few bits and a
 * search adds precomputed numbers.
 */

/** How soon further occurrences of a word stop mattering. */
export const k1 = 1.2;
/** How much the length of a text matters: 0 not at all, 1 in full. */
export const b = 0.75;
/** Words of a text of average length. Fixed, so that no write changes the rank of other texts. */
const pivotLength = 32;

/** 1 for once, 2 for twice, 3 for more. */
export type TimesClass = 1 | 2 | 3;
/** The class of all greater numbers of times. */
export const maxTimesClass = 3;
export type LengthClass = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7;

/** The middle of each class of lengths: up to 4, 8, 16, … 256 words, and more. */
const typicalLengths = [3, 6, 12, 24, 48, 96, 192, 384] as const;

/** The class of the number of times that a word occurs in a text. */
export function timesClass(times: number): TimesClass {
  return Math.min(times, maxTimesClass) as TimesClass;
}

/** The class of the length of a text in words: 0 for up to 4, then doubling to 6 for up to 256, 7 for more. */
export function lengthClass(words: number): LengthClass {
  if (words <= 4) return 0;
  return Math.min(7, Math.ceil(Math.log2(words)) - 2) as LengthClass;
}

/** The weight of a word that `matching` of all documents contain; always above 0. */
export function idf(documents: number, matching: number): number {
  return Math.log(1 + (documents - matching + 0.5) / (matching + 0.5));
}

/** What a word adds to the score of a document, before its weight: between 0 and k1 + 1. */
export function impact(times: TimesClass, length: LengthClass): number {
  const norm = 1 - b + (b * typicalLengths[length]) / pivotLength;
  return (times * (k1 + 1)) / (times + k1 * norm);
}
