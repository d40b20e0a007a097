import { isStopWord, wordsOf } from '#words';

/** Phrases and exclusions in a text: `"new york" hotel -hostel`. What is neither is looked up word by word. */

/** Words that stand side by side in one text of a resource, in this order, as they are written. */
export interface Phrase {
  /** As it was typed, without its quotes. */
  readonly typed: string;
  readonly words: readonly string[];
}

/** A word or a phrase that no result has, under the locale of its text. */
export interface Excluded {
  readonly locale: string;
  /** In all of its forms; undefined for a phrase. */
  readonly word?: string;
  readonly phrase: readonly string[];
}

/** A text by its operators. */
export interface ReadText {
  /** The text with spaces for quotes and exclusions, so that all others stand where they stood. */
  readonly plain: string;
  /** With spaces for phrases as well. */
  readonly loose: string;
  readonly phrases: readonly Phrase[];
  readonly excluded: readonly Excluded[];
  /** True if it ends with a phrase or an exclusion: no word of it is still being typed. */
  readonly isClosed: boolean;
}

/** Quotes that look alike on both sides: only those around words, not behind a number (`19" rack`). */
const alike = ['"', '”', '＂'].map(
  (quote) => `(?<![^\\s\\p{Ps}\\-−－])${quote}(?=[^\\s${quote}])[^${quote}]*(?<=\\S)${quote}(?![\\p{L}\\p{N}])`,
);
/** Quotes with two sides, in the ways of different languages. */
const paired = ['„[^„“”"]+[“”"]', '“[^“”]+”', '«[^«»]+»', '»[^«»]+«', '「[^「」]+」', '『[^『』]+』'];
const quoted = `(?:${[...alike, ...paired].join('|')})`;
/** Up to a space or a comma, but for one within a number. */
const token = '[\\p{L}\\p{N}](?:[^\\s,;，、。]|(?<=\\p{Nd}),(?=\\p{Nd}))*';
/** Behind a number below zero, in the languages of shops. */
const degrees =
  '(?:[°℃℉度]|(?:[cf]|grad\\p{L}*|degr\\p{L}*|graus|градус\\p{L}*|stop(?:ni|ień)\\p{L}*|derece|astetta)(?![\\p{L}\\p{N}]))';
/** A hyphen before a word or phrase and behind a space, but for temperatures. */
const excluding = `(?<![^\\s])[-−－](?!\\p{Nd}+(?:[.,]\\p{Nd}+)?\\s?${degrees})(?<word>${token}|${quoted})`;
const operator = new RegExp(`${excluding}|${quoted}`, 'giu');
const mayHaveOperator = /["“”„«»「『＂]|(?<!\S)[-−－]\S/u;

/** A question, or a text of more words, is prose: its quotes cite, and would find nothing. */
const longestQuery = 16;
const question = /[?？؟;\u037e]\s*$/u;

/** Reads the operators of a text in a locale. Quotes that are not closed, and hyphens within words, are none. */
export function readOperators(locale: string, text: string): ReadText {
  const isPlain = !mayHaveOperator.test(text) || question.test(text) || wordsOf(text).length > longestQuery;
  if (isPlain) return { plain: text, loose: text, phrases: [], excluded: [], isClosed: false };
  let [plain, loose] = [text, text];
  const phrases: Phrase[] = [];
  const excluded: Excluded[] = [];
  let end = 0;
  for (const { 0: all, index, groups } of text.matchAll(operator)) {
    const word = groups!.word;
    if (word !== undefined && isPartOfWord(locale, text.slice(0, index), word)) continue;
    const isQuoted = word === undefined || !/^[\p{L}\p{N}]/u.test(word);
    const typed = isQuoted ? (word ?? all).slice(1, -1).trim() : word;
    const words = wordsOf(typed);
    if (words.length === 0) continue;
    end = index + all.length;
    const blank = ' '.repeat(all.length);
    loose = loose.slice(0, index) + blank + loose.slice(end);
    plain = plain.slice(0, index) + (word === undefined ? ` ${all.slice(1, -1)} ` : blank) + plain.slice(end);
    if (word === undefined) phrases.push({ typed, words });
    else excluded.push(...excludedBy(locale, words, isQuoted));
  }
  return { plain, loose, phrases, excluded, isClosed: end > 0 && text.slice(end).trim() === '' };
}

/** A range of numbers, or the second of two compounds, as `Gartenstühle und -tische`. */
function isPartOfWord(locale: string, before: string, word: string): boolean {
  const last = /(\S+)\s+$/u.exec(before)?.[1];
  if (last === undefined) return false;
  if (/^\p{Nd}/u.test(word) && /\p{Nd}\p{L}{0,3}$/u.test(last)) return true;
  const [small] = wordsOf(last);
  return small === undefined ? /[&+/]$/.test(last) : isStopWord(small, locale);
}

/** A word with hyphens is excluded as one word, too: `-wi-fi` excludes *Wifi*. */
function excludedBy(locale: string, words: readonly string[], isQuoted: boolean): readonly Excluded[] {
  const whole = { locale, word: words.join(''), phrase: [] };
  if (isQuoted) return [{ locale, phrase: words }];
  return words.length === 1 ? [whole] : [{ locale, phrase: words }, whole];
}
