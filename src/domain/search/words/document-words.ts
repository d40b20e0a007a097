import {
  accentedWordsOf,
  barePartsOf,
  bigramsOf,
  doubledOf,
  isLocale,
  joinedPartsOf,
  katakanaRunsOf,
  measureFormsOf,
  plainCodesOf,
  signedWordsOf,
  textWordsOf,
  unitsOf,
  visibleTextOf,
} from '#words';
import type { JsonObject, JsonValue } from '../../../contract/json.ts';
import { systemFieldNames } from '../../../contract/resource.ts';
import { numberText } from '../../json/number.ts';
import { isJsonArray, isJsonObject } from '../../json/values.ts';

/**
 * Where a word stands in a document, the best place that it has: so often in text (3 is more often than twice), in an
 * attribute, in the name.
 */
export type Place = 1 | 2 | 3 | typeof inAttribute | typeof inName;
export const inAttribute = 4;
export const inName = 5;
/** The place of the words of one text. */
export type TextPlace = 1 | typeof inAttribute | typeof inName;

/** The words of a document under one locale. */
export interface LocaleWords {
  /** Folded words, and the forms that are found as well, such as `10l` for `10 l`. */
  readonly places: Map<string, Place>;
  /** Words of names, and of texts, repeats included; other forms do not count. */
  nameLength: number;
  textLength: number;
}

/** By locale; '' is text under none. */
export type DocumentWords = ReadonlyMap<string, Readonly<LocaleWords>>;

/** To be raised when other words are found in a document, or under other locales: indexes are then built again. */
export const analysisVersion = 15;

/**
 * A text in some language: it has three letters in a row, or a letter of a script without case, where one is a word.
 * Others (`42`, `8 1/2`, `XL`, `75B`) are in none, also where they are under names such as `eu` and `uk`, which are
 * languages and sizes (decision 97).
 */
const inSomeLanguage = /\p{Lo}|(?:\p{L}\p{M}*){3}/u;

/** The role of a field, by its name; in a list, a name is not the name of the resource. */
export type Role = 'name' | 'description' | 'listed' | undefined;

const nameFields = new Set(['name', 'title', 'label', 'headline', 'heading', 'displayname', 'productname']);
const descriptionField = /description|(?:summary|content|body|(?<!con)text|details?|comments?|notes?)$/;
/** A longer string is text, whatever its field is called. */
const longestAttribute = 8;

/** The place of the words of a text; `words`: how many it has. */
export function placeOfText(role: Role, words: number): TextPlace {
  if (role === 'name') return inName;
  return role === 'description' || words > longestAttribute ? 1 : inAttribute;
}

/** The words of all strings and numbers of a document, at any depth, by the locale that they are under (decision 21). */
export function wordsOfDocument(document: JsonObject): DocumentWords {
  return wordsOfFields(document, Object.keys(document));
}

/** The words of some top-level fields of a document; with `only`, of the texts under these locales alone. */
export function wordsOfFields(
  document: JsonObject,
  names: readonly string[],
  only?: ReadonlySet<string>,
): DocumentWords {
  const found: Found = { words: new Map(), only };
  for (const name of names) {
    if (!isSearchedField(name) || !Object.hasOwn(document, name)) continue;
    eachText(document[name]!, '', roleOf(name), (text, locale, role, isNumber) => {
      if (isNumber) addNumber(text, locale, role, found);
      else addText(text, locale, role, found);
    });
  }
  return found.words;
}

/** Fields of the service are not text, but for the key: it is searched as article numbers are. */
export function isSearchedField(name: string): boolean {
  return name === 'key' || !systemFieldNames.has(name);
}

/** Where a word stands in two parts of a document together; 0: not at all. */
export function placeInBoth(one: Place | 0, other: Place | 0): Place | 0 {
  const best = one > other ? one : other;
  return best >= inAttribute ? best : (Math.min(one + other, 3) as Place | 0);
}

interface Found {
  readonly words: Map<string, LocaleWords>;
  /** The locales to read; undefined for all. */
  readonly only: ReadonlySet<string> | undefined;
}

/** The role of a top-level field. */
export function roleOf(field: string): Role {
  const plain = field.toLowerCase().replace(/[_-]/g, '');
  if (nameFields.has(plain)) return 'name';
  return descriptionField.test(plain) ? 'description' : undefined;
}

/** Gets a string of a document, or the text of a number, with the locale that it is under. */
export type TakeText = (text: string, locale: string, role: Role, isNumber: boolean) => void;

/** Calls `take` for the texts of a value, in their order. `path`, where it is given, is the one of the text meanwhile. */
export function eachText(
  value: JsonValue,
  locale: string,
  role: Role,
  take: TakeText,
  path?: (string | number)[],
): void {
  if (typeof value === 'string') take(value, locale, role, false);
  else if (isJsonArray(value)) {
    const listed = role === 'description' ? role : 'listed';
    for (let at = 0; at < value.length; at += 1) {
      path?.push(at);
      eachText(value[at]!, locale, listed, take, path);
      path?.pop();
    }
  } else if (isJsonObject(value)) {
    const areLocales = hasLocales(value);
    const isLocalised = areLocales && !isIdentified(value);
    for (const name in value) {
      if (value[name] === null) continue;
      path?.push(name);
      eachText(value[name]!, isLocalised ? name : locale, areLocales ? role : roleIn(role, name), take, path);
      path?.pop();
    }
  } else {
    const text = numberText(value);
    if (text !== undefined) take(text, locale, role, true);
  }
}

/** A number has the words of its text; most are one word without further forms, and in no language. */
function addNumber(text: string, locale: string, role: Role, found: Found): void {
  const isAttribute = role === undefined || role === 'listed';
  if (!isAttribute || !onlyDigits.test(text)) addText(text, locale, role, found);
  else if (found.only?.has('') !== false) addWord(wordsUnder('', found.words).places, text, inAttribute);
}

/** Without a sign, point or exponent, and not longer than a word. */
const onlyDigits = /^[0-9]{1,20}$/;

/** The role of a member of an object. */
function roleIn(outer: Role, field: string): Role {
  if (outer === 'description') return outer;
  const own = roleOf(field);
  return outer === 'listed' && own !== 'description' ? outer : own;
}

/** True if the names of all members are locales. `null` is absent (decision 8). */
function hasLocales(object: JsonObject): boolean {
  for (const name in object) if (object[name] !== null && !isLocale(name)) return false;
  return true;
}

/**
 * True for `{"id": …}`: in most JSON that is the identifier of something and no Indonesian. What it is says
 * the field around it, so that words there keep its role.
 */
function isIdentified(object: JsonObject): boolean {
  for (const name in object) if (object[name] !== null && name !== 'id') return false;
  return true;
}

function addText(written: string, under: string, role: Role, { words, only }: Found): void {
  const text = visibleTextOf(written);
  const locale = localeOfText(text, under);
  if (only?.has(locale) === false) return;
  const { words: found, hasNumber, hasCode, hasJoint, isSimple } = textWordsOf(text);
  if (found.length === 0) return;
  const known = wordsUnder(locale, words);
  const { places } = known;
  const place = placeOfText(role, found.length);
  if (place === inName) known.nameLength += found.length;
  else if (place === 1) known.textLength += found.length;
  for (let at = 0; at < found.length; at += 1) addWord(places, found[at]!, place);
  if (hasNumber) for (const { form } of unitsOf(found)) addWord(places, form, place);
  if (hasNumber) for (const { word } of measureFormsOf(text)) addWord(places, word, place);
  if (hasJoint) for (const { word } of joinedPartsOf(text)) addWord(places, word, place);
  for (const { word } of signedWordsOf(text)) addWord(places, word, place);
  if (!isSimple) for (const { form } of barePartsOf(found)) addWord(places, form, place);
  if (!isSimple) for (const { word } of accentedWordsOf(text)) addWord(places, word, place);
  if (place === 1) return;
  for (const { form } of doubledOf(found)) addWord(places, form, place);
  if (hasCode) for (const code of plainCodesOf(text)) addWord(places, code, place);
  if (!isSimple) for (const { word } of katakanaRunsOf(text)) addWord(places, word, place);
  if (place === inName && !isSimple) for (const bigram of bigramsOf(text)) addWord(places, bigram, place);
}

function wordsUnder(locale: string, words: Map<string, LocaleWords>): LocaleWords {
  const known = words.get(locale);
  if (known) return known;
  const made: LocaleWords = { places: new Map(), nameLength: 0, textLength: 0 };
  words.set(locale, made);
  return made;
}

/** The locale that a text with words counts under: none where it is in no language. */
export function localeOfText(text: string, under: string): string {
  return under === '' || inSomeLanguage.test(text) ? under : '';
}

function addWord(places: Map<string, Place>, word: string, place: TextPlace): void {
  const known = places.get(word);
  const next = placeWith(known, place);
  if (next !== known) places.set(word, next);
}

/** The place of a word that has one already: in a text once more, else the better of both. */
export function placeWith(known: Place | undefined, place: TextPlace): Place {
  if (known === undefined || place > known) return place;
  return place === 1 && known < 3 ? ((known + 1) as Place) : known;
}
