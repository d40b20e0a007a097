import { foldWord } from '../fold-word.ts';
import { cut, maxWordUnits, type WordSpan } from '../words.ts';

/**
 * What people write with a hyphen or an apostrophe or as one word: *Wi-Fi* is `wifi`, *T-Shirt* `tshirt`, *USB-C* `usbc` and *Levi's*
 * `levis`. A document has it as one word too where a part is of one or two letters. By such parts alone a query would find too
 * much: `sand` the word *and* beside a size S. Longer ones it finds by themselves.
 */

const shortPart = 2;
/** A longer word with an apostrophe before its end; what elision leaves stands before one (`l'homme`) and is a small word. */
const leastBeforeEnd = 3;

const letters = '[\\p{L}\\p{M}]';
/** No part of a code, such as the key `p-en-12`. */
const before = '(?<![\\p{L}\\p{M}\\p{N}]|\\p{N}[-‐‑_./])';
const after = '(?![\\p{L}\\p{M}\\p{N}]|[-‐‑_./]\\p{N})';
const hyphenated = new RegExp(`${before}${letters}+(?:[-‐‑]${letters}+)+${after}`, 'gu');
const withEnd = new RegExp(`${before}${letters}{${leastBeforeEnd},}['’]${letters}{1,${shortPart}}${after}`, 'gu');
/** No text without it has any: most have none, or between longer words. */
const joint =
  /[-‐‑](?<=[^\s\d].)(?=[^\s\d])(?:(?<![A-Za-z]{3}.)|(?![A-Za-z]{3}))|['’](?<=[^\s\d].)(?=[^\s\d])(?![A-Za-z]{3})/;

/** The further forms of a text: two parts as one word, each part once. */
export function joinedPartsOf(text: string): readonly WordSpan[] {
  if (!joint.test(text)) return [];
  const found = [...text.matchAll(hyphenated)].flatMap(({ 0: run, index }) => pairsOf(run, index));
  for (const { 0: run, index } of text.matchAll(withEnd)) {
    found.push({ word: joined(run), start: index, end: index + run.length });
  }
  return found;
}

/** From the first part on: *Wi-Fi-Router* has `wifi`. */
function pairsOf(run: string, start: number): WordSpan[] {
  const parts = [...run.matchAll(/[^-‐‑]+/g)].map(({ 0: part, index }) => ({ part, at: start + index }));
  const pairs: WordSpan[] = [];
  for (let at = 1; at < parts.length; at += 1) {
    const [first, second] = [parts[at - 1]!, parts[at]!];
    if (first.part.length > shortPart && second.part.length > shortPart) continue;
    pairs.push({ word: joined(first.part + second.part), start: first.at, end: second.at + second.part.length });
    at += 1;
  }
  return pairs;
}

function joined(written: string): string {
  return cut(foldWord(written.replace(/['’]/, '')), maxWordUnits);
}
