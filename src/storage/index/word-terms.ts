import { lengthClass, timesClass } from '../../domain/search/relevance.ts';
import { type DocumentWords, lengthIn } from '../../domain/search/words/document-words.ts';
import { escapeText, unescapeText } from './term-encoding.ts';

/** The words of a document before and after a write: those of the fields that stay, and those of the others. */
export interface ChangedWords {
  readonly same: DocumentWords;
  readonly before: DocumentWords;
  readonly after: DocumentWords;
}

/**
 * Gathers the terms of words that a document loses and gains. Behind the head of project and projection there is an
 * empty path, which no value has, then `|<locale>|<word>` for each word, the same with `|2` or `|3` where it occurs
 * twice or more often, and `|<locale>||<class>` for the length of what a search in the locale reads. Strings under no
 * locale have an empty one. Only what differs is encoded: that is most of the cost.
 */
export function addTextDifference(head: string, words: ChangedWords, removed: string[], added: string[]): void {
  const { same, before, after } = words;
  for (const locale of new Set([...same.keys(), ...before.keys(), ...after.keys()])) {
    const prefix = localePrefix(head, locale);
    const [lost, gained] = [lengthMark(same, before, locale), lengthMark(same, after, locale)];
    if (lost !== gained) {
      if (lost !== undefined) removed.push(prefix + lost);
      if (gained !== undefined) added.push(prefix + gained);
    }
    const [kept, old, next] = [same.get(locale), before.get(locale), after.get(locale)];
    for (const [word, times] of old ?? []) addChange(word, times, next?.get(word) ?? 0);
    for (const [word, times] of next ?? []) if (!old?.has(word)) addChange(word, 0, times);

    function addChange(word: string, timesBefore: number, timesAfter: number): void {
      if (timesBefore === timesAfter) return;
      const elsewhere = kept?.get(word) ?? 0;
      const term = prefix + escapeText(word);
      const [marksBefore, marksAfter] = [timesMark(elsewhere + timesBefore), timesMark(elsewhere + timesAfter)];
      if (elsewhere === 0 && timesAfter === 0) removed.push(term);
      if (elsewhere === 0 && timesBefore === 0) added.push(term);
      if (marksBefore === marksAfter) return;
      if (marksBefore !== '') removed.push(term + marksBefore);
      if (marksAfter !== '') added.push(term + marksAfter);
    }
  }
}

/** The end of the term of a length; undefined where the document has no text under the locale. */
function lengthMark(same: DocumentWords, more: DocumentWords, locale: string): string | undefined {
  if (!same.has(locale) && !more.has(locale)) return undefined;
  return `|${lengthClass(lengthIn(same, locale) + lengthIn(more, locale))}`;
}

/** What follows the term of a word that occurs so often. */
function timesMark(times: number): string {
  const repeated = timesClass(times);
  return repeated > 1 ? `|${repeated}` : '';
}

/** The beginning of a locale's terms. Locales are letters of either case, which the index would fold. */
function localePrefix(head: string, locale: string): string {
  return `${head}|${escapeText(locale)}|`;
}

/** The term of documents with the word under the locale. `head` is that of `termHead`. */
export function wordTerm(head: string, locale: string, word: string): string {
  return localePrefix(head, locale) + escapeText(word);
}

/** The term of documents in which the word occurs twice, or three times and more. */
export function timesTerm(head: string, locale: string, word: string, times: 2 | 3): string {
  return `${wordTerm(head, locale, word)}|${times}`;
}

/** The term of documents whose text for the locale has a length of the class. */
export function lengthTerm(head: string, locale: string, length: number): string {
  return `${localePrefix(head, locale)}|${length}`;
}

/** A word of a project's vocabulary. */
export interface KnownWord {
  readonly projectKey: string;
  readonly locale: string;
  readonly word: string;
}

/** The word that a term is of; undefined for terms of lengths and of repetitions. */
export function wordOfTerm(term: string): KnownWord | undefined {
  const [project = '', , , locale = '', word = '', more] = term.split('|');
  if (word === '' || more !== undefined) return undefined;
  return { projectKey: unescapeText(project), locale: unescapeText(locale), word: unescapeText(word) };
}
