import { foldWord } from './fold-word.ts';
import { cut, maxWordUnits, type WordSpan, wordsOf } from './words.ts';

/**
 * Other ways to write what a text has: `10 l` is `10l`, `AB-12/7` is `ab127`, `الحقيبة` is `حقيبة`, and text without spaces
 * has a word wherever two letters follow each other.
 */

/** `mm2` measures areas. */
const numberWithUnit = /^(\p{Nd}+(?:\.\p{Nd}+)*)((?:\p{L}\p{M}*){1,4}|[cdkm]?m[23])$/u;
const number = /^\p{Nd}+(?:\.\p{Nd}+)*$/u;
const unit = /^(?:(?:\p{L}\p{M}*){1,4}|[cdkm]?m[23])$/u;
const grouped = /^[1-9]\p{Nd}{0,2}(?:\.\p{Nd}{3})+(?=\p{L}|$)/u;
const [firstThousands, threeDigits] = [/^[1-9]\p{Nd}{0,2}$/u, /^\p{Nd}{3}$/u];
const startsWithDigit = /^[0-9]|^\p{Nd}/u;

/** Another form of a word of a text, or of two: the places of the first and of the last. */
interface UnitForm {
  readonly form: string;
  readonly first: number;
  readonly last: number;
}

/** The further forms of numbers with units among the words of a text: in parts, or as one. */
export function unitsOf(words: readonly string[]): readonly UnitForm[] {
  const forms: UnitForm[] = [...thousandsIn(words)];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!;
    if (!startsWithDigit.test(word)) continue;
    const parts = numberWithUnit.exec(word);
    if (parts) for (const form of [parts[1]!, parts[2]!]) forms.push({ form, first: at, last: at });
    const next = words[at + 1];
    if (next === undefined || !number.test(word) || !unit.test(next)) continue;
    forms.push({ form: cut(word + next, maxWordUnits), first: at, last: at + 1 });
  }
  return forms;
}

/** Numbers with something between their thousands, without it: `1000` of `1,000` (which may also be one), `1.000` and `1 000`. */
export function thousandsIn(words: readonly string[]): readonly UnitForm[] {
  const forms: UnitForm[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const [first, word] = [at, words[at]!];
    const code = word.charCodeAt(0);
    if (code < 0x31 || code > 0x39) continue;
    const whole = word.length > 4 ? grouped.exec(word)?.[0] : undefined;
    if (whole !== undefined) forms.push({ form: whole.replaceAll('.', ''), first, last: at });
    if (words[at + 1]?.length !== 3 || !firstThousands.test(word)) continue;
    while (threeDigits.test(words[at + 1] ?? '')) at += 1;
    const form = cut(words.slice(first, at + 1).join(''), maxWordUnits);
    if (at > first) forms.push({ form, first, last: at });
  }
  return forms;
}

/** Words that are written twice in a row, as one: `duranduran`, `yoyo` and, of `M&M`, `mm`. */
export function doubledOf(words: readonly string[]): readonly UnitForm[] {
  const forms: UnitForm[] = [];
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at]!;
    const isPair = word === words[at - 1] && word !== words[at - 2] && word !== words[at + 1];
    if (!isPair || hasDigit.test(word)) continue;
    forms.push({ form: cut(word + word, maxWordUnits), first: at - 1, last: at });
  }
  return forms;
}

/** A code without its separators. */
export interface WrittenCode {
  readonly code: string;
  /** Its parts, as words. */
  readonly words: readonly string[];
  /** Where it begins in the text, and ends. */
  readonly start: number;
  readonly end: number;
}

const separated = /[\p{L}\p{M}\p{N}]+(?:[-_./][\p{L}\p{M}\p{N}]+)+/gu;
const hasSeparator = /[-_./]/;
const hasDigit = /\p{Nd}/u;
/** `3.5`, `1/2` and `1-1/2` are numbers. */
const onlyNumber = /^\p{Nd}+\.\p{Nd}+$|^[\p{Nd}/]{1,5}$|^\p{Nd}+-\p{Nd}+\/\p{Nd}+$/u;

/** The codes of a text: runs with a digit and separators. */
export function codesOf(text: string): readonly WrittenCode[] {
  return codeRunsOf(text).map(({ 0: run, index: start }) => ({
    code: codeOf(run),
    words: wordsOf(run),
    start,
    end: start + run.length,
  }));
}

/** The `code` of each of them alone. */
export function plainCodesOf(text: string): readonly string[] {
  return onlyCode.test(text) ? [codeOf(text)] : codeRunsOf(text).map(([run]) => codeOf(run));
}

/** Most texts with a code are nothing else. */
const onlyCode = /^[A-Za-z]+[-_][0-9]+$/;

function codeRunsOf(text: string): readonly RegExpExecArray[] {
  if (!hasSeparator.test(text) || !hasDigit.test(text)) return [];
  return [...text.matchAll(separated)].filter(([run]) => hasDigit.test(run) && !onlyNumber.test(run));
}

function codeOf(run: string): string {
  return cut(foldWord(run.replace(/[-_./]/g, '')), maxWordUnits);
}

/** The Arabic article, also with what is written as one with it: and, with, like, for, so. Three letters stay. */
const article = /^(?:[وف]?[بك]?ال|[وف]?لل)(?=\p{Script=Arabic}{3})/u;

/** A folded word without the Arabic article; the word itself if it has none. */
export function withoutArticle(word: string): string {
  return word.replace(article, '');
}

/** The words of a text that have the Arabic article, without it. */
export function barePartsOf(words: readonly string[]): readonly { readonly form: string; readonly at: number }[] {
  const forms: { readonly form: string; readonly at: number }[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const form = withoutArticle(words[at]!);
    if (form !== words[at]) forms.push({ form, at });
  }
  return forms;
}

const letter = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\u30fc]';
const unspaced = new RegExp(`${letter}{2,}`, 'gu');
const anyUnspaced = new RegExp(letter, 'u');
const onlyUnspaced = new RegExp(`^${letter}+$`, 'u');
/** Latin, Greek and Cyrillic text has none of these scripts. */
const simple = /^[\0-\u04ff]*$/;

/** True for a word of Chinese, Japanese or Korean letters. */
export function isUnspaced(word: string): boolean {
  return !simple.test(word) && onlyUnspaced.test(word);
}

/** All pairs of neighbours in the runs of Chinese, Japanese or Korean letters of a text, folded. */
export function bigramsOf(text: string): readonly string[] {
  if (simple.test(text) || !anyUnspaced.test(text)) return [];
  const bigrams: string[] = [];
  for (const [run] of foldWord(text).matchAll(unspaced)) {
    const letters = [...run];
    for (let at = 1; at < letters.length; at += 1) bigrams.push(letters[at - 1]! + letters[at]!);
  }
  return bigrams;
}

/** The bigrams of a text with where they stand; none in a text whose letters do not fold one by one. */
export function bigramSpansOf(text: string): readonly WordSpan[] {
  if (simple.test(text) || !anyUnspaced.test(text)) return [];
  const folded = foldWord(text);
  const places = foldedPlaces(text, folded);
  if (!places) return [];
  const spans: WordSpan[] = [];
  for (const { 0: run, index } of folded.matchAll(unspaced)) {
    const letters = [...run];
    let at = index;
    for (let next = 1; next < letters.length; next += 1) {
      const [first, second] = [letters[next - 1]!, letters[next]!];
      const end = at + first.length + second.length;
      spans.push({ word: first + second, start: places[at]!.start, end: places[end - 1]!.end });
      at += first.length;
    }
  }
  return spans;
}

/** Marks that repeat the letter before them. */
const repeating = /^[\u3005\u303b\u309d\u309e\u30fd\u30fe]$/;

/** The characters of a text, with those that are folded together as one. */
function foldedTogether(text: string): readonly { readonly letters: string; readonly start: number }[] {
  const found: { letters: string; start: number }[] = [];
  for (const { segment, index } of new Intl.Segmenter('und').segment(text)) {
    const before = found.at(-1);
    const isVowel = before !== undefined && /[ヴゔ]$/.test(before.letters) && /^[ァィェォぁぃぇぉ]$/.test(segment);
    if (before && (isVowel || repeating.test(segment))) before.letters += segment;
    else found.push({ letters: segment, start: index });
  }
  return found;
}

/** For each unit of the folded text where its letter stands in the text. */
function foldedPlaces(text: string, folded: string): readonly Pick<WordSpan, 'start' | 'end'>[] | undefined {
  const places: Pick<WordSpan, 'start' | 'end'>[] = [];
  let joined = '';
  for (const { letters, start } of foldedTogether(text)) {
    const letter = foldWord(letters);
    joined += letter;
    const place = { start, end: start + letters.length };
    for (let unit = 0; unit < letter.length; unit += 1) places.push(place);
  }
  return joined === folded ? places : undefined;
}
