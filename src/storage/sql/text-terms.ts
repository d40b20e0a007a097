import { type DocumentWords, lengthIn } from '../../domain/search/document-words.ts';
import { lengthClass, timesClass } from '../../domain/search/relevance.ts';
import { escapeText, type Projection, termHead, unescapeText } from './term-text.ts';

/**
 * Terms of the words of a document: behind the head of project and projection an empty path, which no value has, then
 * `|<locale>|<word>` for each word, the same with `|2` or `|3` where it occurs twice or more often, and
 * `|<locale>||<class>` for the length of what a search in the locale reads. Strings under no locale have an empty one.
 */
export function textTerms(projectKey: string, projection: Projection, words: DocumentWords): readonly string[] {
  const head = termHead(projectKey, projection);
  const terms: string[] = [];
  for (const [locale, counts] of words) {
    const prefix = localePrefix(head, locale);
    terms.push(`${prefix}|${lengthClass(lengthIn(words, locale))}`);
    for (const [word, times] of counts) {
      const term = prefix + escapeText(word);
      terms.push(term);
      const repeated = timesClass(times);
      if (repeated > 1) terms.push(`${term}|${repeated}`);
    }
  }
  return terms;
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
