import {
  isUnspaced,
  matchesWord,
  otherForms,
  spacesOf,
  visibleTextOf,
  type WordSpan,
  wordSpansOf,
  wordsOf,
} from '#words';
import type { JsonObject } from '../../../contract/json.ts';
import { type FieldRule, hasPlainRules, spaceOfText, textsByRules, weightOfPath } from '../field-rules.ts';
import { askedWord, type TextQuery } from './asked-text.ts';
import type { DocumentText } from './document-texts.ts';
import { eachText, isSearchedField, localeOfText, roleOf } from './document-words.ts';
import type { Excluded } from './operators.ts';

/** Whether a document meets the phrases and exclusions of a search: conditions on every rung, by the words as they are written. */

/** Words in a row as one string; those of scripts without spaces are not told apart, since dictionaries divide them by what is around them. */
function joined(words: readonly string[]): string {
  return words.map(padded).join('');
}

function padded(word: string): string {
  return isUnspaced(word) ? word : ` ${word} `;
}

/** The words of which a document with a phrase has each. */
export function wordsOfPhrase(phrase: readonly string[]): readonly string[] {
  return [...new Set(phrase)].filter((word) => !isUnspaced(word));
}

/** True if one text of a document, under a locale and by the rules of the project, has the words of a phrase side by side. */
export function hasPhrase(
  document: JsonObject,
  phrase: readonly string[],
  locale: string,
  rules: readonly FieldRule[],
): boolean {
  const wanted = joined(phrase);
  const path: (string | number)[] = [];
  let isFound = false;
  for (const name of Object.keys(document)) {
    if (isFound || !isSearchedField(name)) continue;
    path[0] = name;
    const take = (written: string, under: string) => {
      if (isFound) return;
      const text = visibleTextOf(written);
      isFound = isSearched(localeOfText(text, under), path, locale, rules) && joined(wordsOf(text)).includes(wanted);
    };
    eachText(document[name]!, '', roleOf(name), take, path);
  }
  return isFound;
}

/** True if the words of a text are searched by a text in a locale. */
function isSearched(under: string, path: DocumentText['path'], locale: string, rules: readonly FieldRule[]): boolean {
  const isPlain = hasPlainRules(rules) && spaceOfText(under, path, rules) !== under;
  return (isPlain || spacesOf(locale).includes(under)) && weightOfPath(path, rules) > 0;
}

/** True if a document has all phrases of a text. */
export function hasPhrases(document: JsonObject, { phrases, locale }: TextQuery, rules: readonly FieldRule[]): boolean {
  return phrases.every(({ words }) => hasPhrase(document, words, locale, rules));
}

/** An excluded word and its irregular forms, each of which stands for all of its forms. */
export function excludedWords(word: string, locale: string): readonly string[] {
  const asked = askedWord(word, locale);
  return [asked, ...otherForms(asked, locale)];
}

/** True if a document has an excluded word in some form, or an excluded phrase. */
export function isExcluded(
  document: JsonObject,
  { locale, word, phrase }: Excluded,
  rules: readonly FieldRule[],
): boolean {
  if (word === undefined) return hasPhrase(document, phrase, locale, rules);
  const forms = excludedWords(word, locale);
  return textsByRules(document, rules).some(
    (text) =>
      isSearched(text.locale, text.path, locale, rules) &&
      text.words.some((span) => forms.some((form) => matchesWord(span.word, form, locale))),
  );
}

/** Where a text has a phrase: from its first unit up to its last. */
export function phraseRanges(text: string, phrase: readonly string[]): readonly (readonly [number, number])[] {
  const spans = wordSpansOf(text);
  const all = joined(spans.map(({ word }) => word));
  const wanted = joined(phrase);
  /** The place in the text of one in the joined words. */
  const placeOf = (at: number, isEnd: boolean): number => {
    let begin = 0;
    for (const span of spans) {
      const end = begin + padded(span.word).length;
      if (isEnd ? at <= end : at < end) return within(span, at - begin, isEnd);
      begin = end;
    }
    return text.length;
  };
  const ranges: [number, number][] = [];
  for (let at = all.indexOf(wanted); at >= 0; at = all.indexOf(wanted, at + 1)) {
    ranges.push([placeOf(at, false), placeOf(at + wanted.length, true)]);
  }
  return ranges;
}

/** A letter of a word without spaces around it; else an end of the word. */
function within({ word, start, end }: WordSpan, at: number, isEnd: boolean): number {
  const hasLetters = isUnspaced(word) && word.length === end - start;
  return hasLetters ? start + at : isEnd ? end : start;
}
