import type { JsonObject, JsonValue } from '../../../contract/json.ts';
import { systemFieldNames } from '../../../contract/resource.ts';
import { isJsonArray, isJsonObject } from '../../json/values.ts';
import { wordsOf } from './words.ts';

/** Locale ('' = text under none) → folded word → how often it occurs. */
export type DocumentWords = ReadonlyMap<string, ReadonlyMap<string, number>>;

type WordsInProgress = Map<string, Map<string, number>>;

/** To be raised when other words are found in a document, or under other locales: indexes are then built again. */
export const analysisVersion = 3;

const localeForm = /^[a-z]{2}(?:-[A-Z]{2})?$/;

/** ISO 639-1. */
const languageCodes: ReadonlySet<string> = new Set(
  `aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es
  et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj
  kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv
  ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw ta te tg th
  ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu`.split(/\s+/),
);

/**
 * A text in some language: it has three letters in a row, or a letter of a script without case, where one is a word.
 * Others (`42`, `8 1/2`, `XL`, `75B`) are in none, also where they are under names such as `eu` and `uk`, which are
 * languages and sizes (decision 97).
 */
const inSomeLanguage = /\p{Lo}|(?:\p{L}\p{M}*){3}/u;

function isLocale(name: string): boolean {
  return localeForm.test(name) && languageCodes.has(name.slice(0, 2));
}

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
  for (const name in object) if (object[name] !== null && !isLocale(name)) isLocalised = false;
  for (const name in object) if (object[name] !== null) addWordsOf(object[name]!, isLocalised ? name : locale, words);
}

function addText(text: string, under: string, words: WordsInProgress): void {
  const found = wordsOf(text);
  if (found.length === 0) return;
  const locale = under === '' || inSomeLanguage.test(text) ? under : '';
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
