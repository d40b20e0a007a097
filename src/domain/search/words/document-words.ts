import type { JsonObject, JsonValue } from '../../../contract/json.ts';
import { systemFieldNames } from '../../../contract/resource.ts';
import { isJsonArray, isJsonObject } from '../../json/values.ts';
import { wordsOf } from './words.ts';

/** Locale ('' = text under none) → folded word → how often it occurs. */
export type DocumentWords = ReadonlyMap<string, ReadonlyMap<string, number>>;

type WordsInProgress = Map<string, Map<string, number>>;

const localeForm = /^[a-z]{2}(?:-[A-Z]{2})?$/;

/** The words of all strings of a document, at any depth, by the locale that they are under (decision 21). */
export function wordsOfDocument(document: JsonObject): DocumentWords {
  return wordsOfFields(document, Object.keys(document));
}

/** The words of some top-level fields. Those of all fields together are the words of the document. */
export function wordsOfFields(document: JsonObject, names: Iterable<string>): DocumentWords {
  const words: WordsInProgress = new Map();
  for (const name of names) {
    // Fields of the service are not text: an id is not searched by its words.
    if (!systemFieldNames.has(name) && Object.hasOwn(document, name)) addWordsOf(document[name]!, '', words);
  }
  return words;
}

/** Number of words, repeats included, for a search in a locale: those under the locale and those under none. */
export function lengthIn(words: DocumentWords, locale: string): number {
  const everywhere = countOf(words.get(''));
  return locale === '' ? everywhere : everywhere + countOf(words.get(locale));
}

function addWordsOf(value: JsonValue, locale: string, words: WordsInProgress): void {
  if (typeof value === 'string') addText(value, locale, words);
  else if (isJsonArray(value)) for (const item of value) addWordsOf(item, locale, words);
  else if (isJsonObject(value)) addMembers(value, locale, words);
}

function addMembers(object: JsonObject, locale: string, words: WordsInProgress): void {
  // `null` is absent (decision 8).
  let isLocalised = true;
  for (const name in object) if (object[name] !== null && !localeForm.test(name)) isLocalised = false;
  for (const name in object) if (object[name] !== null) addWordsOf(object[name]!, isLocalised ? name : locale, words);
}

function addText(text: string, locale: string, words: WordsInProgress): void {
  const found = wordsOf(text);
  if (found.length === 0) return;
  let counts = words.get(locale);
  if (!counts) {
    counts = new Map();
    words.set(locale, counts);
  }
  for (const word of found) counts.set(word, (counts.get(word) ?? 0) + 1);
}

function countOf(counts: ReadonlyMap<string, number> | undefined): number {
  let sum = 0;
  for (const count of counts?.values() ?? []) sum += count;
  return sum;
}
