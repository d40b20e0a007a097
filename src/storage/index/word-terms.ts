import { lengthClass, maxTimesClass } from '../../domain/search/relevance.ts';
import { type DocumentWords, lengthIn } from '../../domain/search/words/document-words.ts';
import { escapeText, unescapeText } from './term-encoding.ts';

/** The words of a document before and after a write: of the fields that are unchanged, and of the others. */
export interface ChangedWords {
  readonly same: DocumentWords;
  readonly before: DocumentWords;
  readonly after: DocumentWords;
}

/** What follows the term of a word, by the class of how often it occurs; a word that does not occur has no term. */
const timesMarks = ['', '', '|2', '|3'] as const;

/**
 * Collects the terms of words that a document loses and gains. `root` is the prefix of the empty path, which no value
 * has. It is followed by `<locale>|<word>` for each word, the same with `|2` or `|3` where the word occurs twice or more
 * often, and by `<locale>||<class>` for the length of what a search in the locale reads. Strings under no locale have an
 * empty one. Only differences are encoded, since encoding is most of the cost.
 */
export function addWordDifference(root: string, words: ChangedWords, removed: string[], added: string[]): void {
  const { same, before, after } = words;
  for (const locale of new Set([...same.keys(), ...before.keys(), ...after.keys()])) {
    // Locales have letters of either case, which the index would fold.
    const prefix = `${root}${escapeText(locale)}|`;
    if (before.has(locale) !== after.has(locale) || lengthIn(before, locale) !== lengthIn(after, locale)) {
      const [lost, gained] = [lengthMark(same, before, locale), lengthMark(same, after, locale)];
      if (lost !== undefined && lost !== gained) removed.push(prefix + lost);
      if (gained !== undefined && lost !== gained) added.push(prefix + gained);
    }
    const [unchanged, old, next] = [same.get(locale), before.get(locale), after.get(locale)];
    for (const [word, times] of old ?? []) addChange(word, times, next?.get(word) ?? 0);
    for (const [word, times] of next ?? []) if (!old?.has(word)) addChange(word, 0, times);

    function addChange(word: string, timesBefore: number, timesAfter: number): void {
      if (timesBefore === timesAfter) return;
      const elsewhere = unchanged?.get(word) ?? 0;
      const term = prefix + escapeText(word);
      const markBefore = timesMarks[Math.min(elsewhere + timesBefore, maxTimesClass)];
      const markAfter = timesMarks[Math.min(elsewhere + timesAfter, maxTimesClass)];
      if (elsewhere === 0 && timesAfter === 0) removed.push(term);
      if (elsewhere === 0 && timesBefore === 0) added.push(term);
      if (markBefore === markAfter) return;
      if (markBefore !== '') removed.push(term + markBefore);
      if (markAfter !== '') added.push(term + markAfter);
    }
  }
}

/** The end of the term of a length; undefined where the document has no text under the locale. */
function lengthMark(same: DocumentWords, more: DocumentWords, locale: string): string | undefined {
  if (!same.has(locale) && !more.has(locale)) return undefined;
  return `|${lengthClass(lengthIn(same, locale) + lengthIn(more, locale))}`;
}

/** The term of documents with the word under the locale. `head` is that of `termHead`. */
export function wordTerm(head: string, locale: string, word: string): string {
  return `${head}|${escapeText(locale)}|${escapeText(word)}`;
}

/** The term of documents in which the word occurs twice, or three times and more. */
export function timesTerm(head: string, locale: string, word: string, times: 2 | 3): string {
  return `${wordTerm(head, locale, word)}|${times}`;
}

/** The term of documents whose text for the locale has a length of the class. */
export function lengthTerm(head: string, locale: string, length: number): string {
  return `${head}|${escapeText(locale)}||${length}`;
}

/** A word of a project's vocabulary. */
export interface KnownWord {
  readonly projectKey: string;
  readonly locale: string;
  readonly word: string;
}

/** The word of a term; undefined for terms of lengths and of repetitions. */
export function wordOfTerm(term: string): KnownWord | undefined {
  const [project = '', , , locale = '', word = '', more] = term.split('|');
  if (word === '' || more !== undefined) return undefined;
  return { projectKey: unescapeText(project), locale: unescapeText(locale), word: unescapeText(word) };
}
