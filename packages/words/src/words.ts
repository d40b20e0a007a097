import { foldWord, isFolded } from './fold-word.ts';

/**
 * Words of a text, found by the word boundaries of Unicode (UAX #29), with dictionaries for scripts without spaces. Each
 * is split further at everything that is neither a letter nor a digit, so that `l'homme`, `foo_bar` and `example.com`
 * are found by their parts; only numbers such as `3.5` stay whole, and `3,5` is the same one.
 */

/** UTF-16 units of a folded word; longer ones are cut off here, in texts and in queries. */
export const maxWordUnits = 64;

/** `1,5` and `1.5` are one number. */
const commaInNumber = /(?<=\p{Nd})[,，．](?=\p{Nd})/gu;
const anyComma = /[,，．]/;

/** Folding may shorten a word, so more units are read. */
const maxUnitsRead = 4 * maxWordUnits;

/** For these characters no segmenter is needed: letters and digits make words, all others separate them. */
const simpleLetters =
  'A-Za-z0-9\\xc0-\\xd6\\xd8-\\xf6\\xf8-\\u024f\\u0386\\u0388-\\u038a\\u038c\\u038e-\\u03a1\\u03a3-\\u03ce\\u0400-\\u0481\\u048a-\\u052f';
const simpleSeparators = '\\0-@[-`{-\\x7f\\xa0¡£§©«®°»¿×÷\\u2013\\u2014\\u2018-\\u201e\\u2022\\u2026€™';
const simple = new RegExp(`^[${simpleLetters}${simpleSeparators}]*$`);
const simpleWord = new RegExp(`[${simpleLetters}]+(?:(?<=[0-9])[.,](?=[0-9])[${simpleLetters}]+)*`, 'g');

const wordPart =
  /[\p{Alphabetic}\p{M}\p{N}\p{Cf}\u00b7]+(?:(?<=\p{Nd})[.,，．](?=\p{Nd})[\p{Alphabetic}\p{M}\p{N}\p{Cf}\u00b7]+)*/gu;
const meaning = /[\p{Alphabetic}\p{N}]/u;
/** Created on first use, since its dictionaries take a while to load. One locale for all: a text has one set of words. */
let segmenter: Intl.Segmenter | undefined;

/** The folded words of a text in its order, repeated ones as often as they occur. */
export function wordsOf(text: string): readonly string[] {
  if (simple.test(text)) return simpleWordsOf(text);
  const words: string[] = [];
  // Boundaries do not reach across spaces, so one other character slows down only its own chunk.
  let complex = '';
  for (const chunk of text.split(/[\t\n\r ]+/)) {
    if (!simple.test(chunk)) complex += `${chunk} `;
    else {
      addAll(words, complex === '' ? [] : segmentedWordsOf(complex));
      complex = '';
      addAll(words, simpleWordsOf(chunk));
    }
  }
  addAll(words, complex === '' ? [] : segmentedWordsOf(complex));
  return words;
}

/** The words of a text by the segmenter alone: defines `wordsOf`, but is several times slower. */
export function segmentedWordsOf(text: string): readonly string[] {
  const words: string[] = [];
  for (const { segment } of segmentsOf(text)) {
    for (const part of segment.match(wordPart) ?? []) {
      const word = meaning.test(part) ? wordOf(part) : '';
      // Nothing is left of letters that only lengthen a word, such as tatweel.
      if (word !== '') words.push(word);
    }
  }
  return words;
}

interface Segment {
  readonly segment: string;
  readonly index: number;
}

/** Square and cubic units: `mm²` is `mm2`. */
const powers = /(?<=m|ft|in)[²³]/g;

const katakana = /^[ァ-ヺーｦ-ﾟ]+$/;

/**
 * The words of a text as dictionaries divide it. Katakana that they do not know end up in single letters (`クツ`, which they
 * know as `くつ`): then all that stands together is one word.
 */
function segmentsOf(text: string): readonly Segment[] {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'word' });
  const found: Segment[] = [];
  // Where the katakana at the end of what was found begin, and whether one of them stands alone.
  let [run, isKnown] = [0, true];
  const join = () => {
    if (isKnown || run === found.length) return;
    const parts = found.splice(run);
    found.push({ segment: parts.map(({ segment }) => segment).join(''), index: parts[0]!.index });
  };
  const written = text.replace(powers, (power) => (power === '²' ? '2' : '3'));
  for (const { segment, index, isWordLike } of segmenter.segment(written)) {
    if (!isWordLike || !katakana.test(segment)) {
      join();
      if (isWordLike) found.push({ segment, index });
      [run, isKnown] = [found.length, true];
      continue;
    }
    if (segment.length === 1) isKnown = false;
    found.push({ segment, index });
  }
  join();
  return found;
}

/** A word of a text, and where it stands there: from `start` up to `end`, in UTF-16 units. */
export interface WordSpan {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** The words of `wordsOf`, with where they stand. */
export function wordSpansOf(text: string): readonly WordSpan[] {
  const spans: WordSpan[] = [];
  const add = (part: string, start: number) => {
    const word = wordOf(part);
    if (word !== '') spans.push({ word, start, end: start + part.length });
  };
  if (simple.test(text)) {
    for (const { 0: part, index } of text.matchAll(simpleWord)) add(part, index);
    return spans;
  }
  for (const { segment, index } of segmentsOf(text)) {
    for (const part of segment.matchAll(wordPart)) if (meaning.test(part[0])) add(part[0], index + part.index);
  }
  return spans;
}

/** Without spreading, which would put the words of a long text on the stack. */
function addAll(words: string[], more: readonly string[]): void {
  for (const word of more) words.push(word);
}

function simpleWordsOf(text: string): readonly string[] {
  return (text.match(simpleWord) ?? []).map(wordOf);
}

function wordOf(written: string): string {
  const part = anyComma.test(written) ? written.replace(commaInNumber, '.') : written;
  // Most words are done with this.
  if (part.length <= maxWordUnits) {
    const lower = part.toLowerCase();
    if (isFolded.test(lower)) return lower;
  }
  return cut(foldWord(cut(part, maxUnitsRead)), maxWordUnits);
}

/** The beginning of a text, not ending in half a surrogate pair. */
export function cut(text: string, units: number): string {
  if (text.length <= units) return text;
  const last = text.charCodeAt(units - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? units - 1 : units);
}
