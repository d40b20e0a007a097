import { foldWord } from '../fold-word.ts';
import { cut, maxWordUnits } from '../words.ts';

/**
 * Dimensions and fractions are one word, however they are written: `90 x 200 cm`, `90×200`, `90*200` and `90 cm x 200 cm` are `90x200`,
 * `1 1/2`, `1-1/2` and `1½` are `1.5`, in documents and in queries. So a query never finds them by one number of the bed and another one
 * of its price, nor `1-1/2` by `1/2`.
 */

/** A measure in a text, up to its last number: a unit behind it is a word of its own. */
export interface Measure {
  readonly word: string;
  /** Where it begins in the text, and ends. */
  readonly start: number;
  readonly end: number;
  /** False: `wordsOf` finds exactly this word. */
  readonly isForm: boolean;
}

const space = '[ \\t\\xa0\\u202f]';
const gap = `${space}{0,2}`;
const [slash, single] = ['[/\\u2044]', '[¼-¾⅐-⅞]'];
/** By parts that things are measured in: `9/7` and `24/7` are none. */
const fraction = `[0-9]{1,2}${slash}(?:2|3|4|5|6|8|16|32|64)(?!\\p{Nd}|${slash})`;
const mixed = `(?:\\p{Nd}{1,3}(?:-|${space}))?${fraction}|\\p{Nd}{0,3}(?:-|${space})?${single}`;
const numeral = `(?:${mixed}|\\p{Nd}+(?:[.,．，]\\p{Nd}+)*)`;
/** The letter x, of the Cyrillic alphabet too, which looks the same, and what stands for it. */
const times = '[x×*хｘ]';
/** A unit may be repeated behind each number. */
const length = '(?:(?:mm|cm|dm|m|inch|in|feet|ft|мм|см|м)\\.?|["″”\'′’])';
/** No part of a code, such as `AB-90x200`. */
const before = '(?<![\\p{L}\\p{N}]|[\\p{L}\\p{N}][-_./,])';
const after = '(?=(?:\\p{L}{0,4}|mm[23²³])(?![\\p{L}\\p{N}]|[-_./,][\\p{L}\\p{N}]))';
/** A letter says what is measured: `M8 x 40`. The sign of the diameter is left out. */
const dimensions = new RegExp(
  `${before}[Øø⌀]?${gap}((?:(?![Øø])\\p{L})?${numeral}(?:(?:${gap}${length})?${gap}${times}${gap}${numeral}){1,3})${after}`,
  'giu',
);
/** A unit may follow with a hyphen: `1/2-inch`. */
const fractions = new RegExp(`${before}(${mixed})(?=\\p{L}{0,4}(?![\\p{L}\\p{N}]|[-_./,]\\p{N}))`, 'gu');
const numerals = new RegExp(`(?:^\\p{L})?${numeral}`, 'gu');
/** Most texts have none. */
const sign = /[xX×*хХｘ][ \t\xa0\u202f]{0,2}[\p{Nd}¼-¾⅐-⅞]/u;
const bar = /[0-9][/\u2044][0-9]|[¼-¾⅐-⅞]/;
const letter = /^\p{L}/u;

/** The measures in a text, in its order. */
export function measuresIn(text: string): readonly Measure[] {
  const isDivided = bar.test(text);
  if (!isDivided && !sign.test(text)) return [];
  const found = sign.test(text) ? [...text.matchAll(dimensions)].map((match) => measureOf(match, text)) : [];
  if (!isDivided) return found;
  let next = 0;
  /** For one measure after the other: both kinds are in the order of the text, which may have many of them. */
  const isOutside = ({ start }: Measure) => {
    while (next < found.length && found[next]!.end <= start) next += 1;
    return next === found.length || start < found[next]!.start;
  };
  const others = [...text.matchAll(fractions)].filter(([run]) => !improper(run)).map((match) => measureOf(match, text));
  return [...found, ...others.filter(isOutside)].sort((a, b) => a.start - b.start);
}

function measureOf({ 0: run, 1: numbers, index }: RegExpExecArray, text: string): Measure {
  const end = index + run.length;
  const word = cut(foldWord(numbers!.match(numerals)!.map(decimal).join('x')), maxWordUnits);
  const start = index + run.search(/\S/);
  const isWritten = run.length === numbers!.length && numbers!.toLowerCase().replaceAll(',', '.') === word;
  return { word, start, end, isForm: !isWritten || letter.test(text.slice(end)) };
}

/** Part of a code or of a name, such as `11/2`. */
function improper(run: string): boolean {
  const [, part, of] = /(\p{Nd}+)[/\u2044](\p{Nd}+)$/u.exec(run) ?? [];
  return Number(part) >= Number(of);
}

/** A number with a point, of a fraction its value. */
function decimal(written: string): string {
  const plain = written.replace(/[¼-¾⅐-⅞]/u, ' $&').normalize('NFKC');
  const parts = /^(\p{Nd}*)[-\s]*(\p{Nd}+)[/\u2044](\p{Nd}+)$/u.exec(plain.trim());
  if (!parts) return plain.replaceAll(',', '.');
  const [whole, part, of] = parts.slice(1).map(Number) as [number, number, number];
  return String(Number((whole + part / of).toFixed(4)));
}

/** The further forms of the measures in a text: as one word, and of three dimensions and more the first two, by which most are asked for. */
export function measureFormsOf(text: string): readonly Omit<Measure, 'isForm'>[] {
  return measuresIn(text).flatMap(({ word, start, end, isForm }) => {
    const [first, second, ...others] = word.split('x');
    const inPlane = others.length > 0 ? [{ word: `${first}x${second}`, start, end }] : [];
    return isForm ? [{ word, start, end }, ...inPlane] : inPlane;
  });
}
