import { foldWord } from '../fold-word.ts';
import { cut, maxWordUnits } from '../words.ts';

/**
 * Dimensions are one word, however they are written: `90 x 200 cm`, `90×200`, `90*200` and `90 cm x 200 cm` are `90x200`, in
 * documents and in queries. So a query never finds them by one number of the bed and another one of its price.
 */

/** Dimensions in a text, up to their last number: a unit behind it is a word of its own. */
export interface Dimensions {
  readonly word: string;
  /** Where they begin in the text, and end. */
  readonly start: number;
  readonly end: number;
  /** False: `wordsOf` finds exactly this word. */
  readonly isForm: boolean;
}

const gap = '[ \\t\\xa0\\u202f]{0,2}';
const numeral = '\\p{Nd}+(?:[.,]\\p{Nd}+)*';
/** The letter x, of the Cyrillic alphabet too, which looks the same, and what stands for it. */
const times = '[x×*х]';
/** A unit may be repeated behind each number. */
const length = '(?:mm|cm|dm|m|in|ft|мм|см|м|["″”])';
/** No part of a code, such as `AB-90x200`. */
const before = '(?<![\\p{L}\\p{N}]|[\\p{L}\\p{N}][-_./,])';
const after = '(?=\\p{L}{0,4}(?![\\p{L}\\p{N}]|[-_./,][\\p{L}\\p{N}]))';
const dimensions = new RegExp(
  `${before}${numeral}(?:(?:${gap}${length})?${gap}${times}${gap}${numeral}){1,3}${after}`,
  'giu',
);
const numerals = new RegExp(numeral, 'gu');
/** Most texts have none. */
const sign = /[xX×*хХ][ \t\xa0\u202f]{0,2}\p{Nd}/u;
const letter = /^\p{L}/u;

/** The dimensions in a text, in its order. */
export function dimensionsIn(text: string): readonly Dimensions[] {
  if (!sign.test(text)) return [];
  return [...text.matchAll(dimensions)].map(({ 0: run, index: start }) => {
    const end = start + run.length;
    const word = joined(run.match(numerals)!);
    return {
      word,
      start,
      end,
      isForm: run.toLowerCase().replaceAll(',', '.') !== word || letter.test(text.slice(end)),
    };
  });
}

/** The further forms of the dimensions in a text: as one word, and of three and more the first two, by which most are asked for. */
export function dimensionFormsOf(text: string): readonly Omit<Dimensions, 'isForm'>[] {
  return dimensionsIn(text).flatMap(({ word, start, end, isForm }) => {
    const [first, second, ...others] = word.split('x');
    const inPlane = others.length > 0 ? [{ word: `${first}x${second}`, start, end }] : [];
    return isForm ? [{ word, start, end }, ...inPlane] : inPlane;
  });
}

function joined(found: readonly string[]): string {
  return cut(foldWord(found.map((each) => each.replaceAll(',', '.')).join('x')), maxWordUnits);
}
