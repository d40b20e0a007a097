import { wordsOf } from '#words';
import {
  checkBoolean,
  checkFields,
  checkInteger,
  checkString,
  isAbsent,
  mismatch,
  optional,
} from '../../contract/check.ts';
import type { JsonValue } from '../../contract/json.ts';
import type { SettingsKind } from '../settings/stored-settings.ts';
import type { FieldRule } from './field-rules.ts';
import { checkLocale, listOf, membersOf, numberUpTo, oneOf, readNames, settingsLimits } from './settings/checks.ts';
import { checkPin, pinsOf } from './settings/pins.ts';
import { boostOf, checkBoost } from './settings/written-boost.ts';
import { matchModes, noSettings, type SearchSettings, type Synonym, synonymsOf } from './settings.ts';
import { askedWordsOf } from './words/asked-text.ts';
import { isSearchedField } from './words/document-words.ts';

/** The settings of a search as a client writes them (decision 133). */

const names = [
  'version',
  'match',
  'weights',
  'excludedPaths',
  'types',
  'synonyms',
  'stopWords',
  'boosts',
  'pins',
  'countSearches',
];

/** The type of the texts at a path: no language, or the language that the names around them give. */
const textTypes = ['plain', 'localised'] as const;

/** Settings that were checked. */
export type SettingsDraft = ReturnType<typeof parseSettings>;

/** Both ways with `words`, else one way. */
interface WrittenSynonym {
  readonly locale: string;
  readonly words?: readonly string[];
  readonly from?: readonly string[];
  readonly to?: readonly string[];
}

/** Checks a body. What is absent has its default. Throws `ServiceError` InvalidJsonInput that names the place. */
export function parseSettings(body: JsonValue | undefined) {
  const own = checkFields(body, '', names);
  const { paths: maxPaths, weight, synonyms, stopWords, boosts, pins } = settingsLimits;
  const draft = {
    /** The version that must be current; undefined: any. */
    version: optional(own, 'version', '', checkInteger),
    match: optional(own, 'match', '', oneOf(matchModes)) ?? 'auto',
    weights: optional(own, 'weights', '', membersOf(checkPath, numberUpTo(weight))) ?? {},
    excludedPaths: optional(own, 'excludedPaths', '', listOf(maxPaths, checkPath)) ?? [],
    types: optional(own, 'types', '', membersOf(checkPath, oneOf(textTypes))) ?? {},
    synonyms: optional(own, 'synonyms', '', listOf(synonyms, checkSynonym)) ?? [],
    stopWords: optional(own, 'stopWords', '', membersOf(checkLocale, listOf(stopWords, checkWord))) ?? {},
    boosts: optional(own, 'boosts', '', listOf(boosts, checkBoost)) ?? [],
    pins: optional(own, 'pins', '', listOf(pins, checkPin)) ?? [],
    countSearches: optional(own, 'countSearches', '', checkBoolean) ?? true,
  };
  const paths = Object.keys(draft.weights).length + draft.excludedPaths.length;
  if (paths > maxPaths) throw mismatch('weights', `expected at most ${maxPaths} paths`);
  if (Object.keys(draft.types).length > maxPaths) throw mismatch('types', `expected at most ${maxPaths} paths`);
  const pairs = draft.synonyms.flatMap(pairsOf).length;
  if (pairs > settingsLimits.pairs) {
    throw mismatch('synonyms', `expected at most ${settingsLimits.pairs} pairs of phrases, not ${pairs}`);
  }
  return draft;
}

/** The settings as searches use them. */
export function settingsOf(draft: SettingsDraft): SearchSettings {
  const { match, weights, excludedPaths, types, synonyms, stopWords, boosts, pins, countSearches } = draft;
  const weighted = Object.entries(weights).map(([path, weight]) => ({ path: namesOf(path, path), weight }));
  const excluded = excludedPaths.map((path) => ({ path: namesOf(path, path), weight: 0 }));
  const typed = Object.entries(types).map(([path, type]) => ({ path: namesOf(path, path), isPlain: type === 'plain' }));
  const weighing = [...excluded, ...weighted];
  const fields: readonly FieldRule[] = [
    // A path that is both is excluded.
    ...excluded,
    // A weight of 1 is what every field has, unless a path that leads there says otherwise.
    ...weighted.filter(({ path, weight }) => weight !== 1 || weighing.some((other) => leadsInto(other.path, path))),
    // Alone, `localised` is what every field is.
    ...(typed.some(({ isPlain }) => isPlain) ? typed : []),
  ];
  const settings: SearchSettings = {
    ...noSettings,
    match,
    fields,
    synonyms: synonymsOf(synonyms.flatMap(pairsOf)),
    stopWords: new Map(
      Object.entries(stopWords).map(([locale, words]) => [
        locale,
        new Set(words.flatMap((word) => askedWordsOf(locale, word))),
      ]),
    ),
    boosts: boosts.map(boostOf),
    countSearches,
  };
  return { ...settings, pins: pinsOf(pins, settings) };
}

export const searchSettings: SettingsKind<SearchSettings> = {
  id: 'search',
  parse: parseSettings,
  valueOf: (body) => settingsOf(parseSettings(body)),
};

/** True if one path leads to what is around another one. */
function leadsInto(outer: readonly string[], inner: readonly string[]): boolean {
  return outer.length < inner.length && outer.every((name, at) => name === inner[at]);
}

function pairsOf({ locale, words, from = words, to = words }: WrittenSynonym): readonly Synonym[] {
  return from!.flatMap((one) =>
    to!
      .filter((other) => other !== one)
      .map((other) => ({ locale, from: askedWordsOf(locale, one), to: askedWordsOf(locale, other) })),
  );
}

function checkPath(value: JsonValue | undefined, place: string): string {
  const path = checkString(value, place);
  namesOf(path, place);
  return path;
}

/** The names of a dotted path, those of other characters in backticks. */
function namesOf(path: string, place: string): readonly string[] {
  const found = readNames(path);
  if (found === undefined) throw mismatch(place, 'expected a dotted path such as supplier.notes');
  if (!isSearchedField(found[0]!)) throw mismatch(place, `${found[0]} is a system field, which is not searched`);
  return found;
}

function checkSynonym(value: JsonValue | undefined, place: string): WrittenSynonym {
  const { locale, words, from, to } = checkFields(value, place, ['locale', 'words', 'from', 'to']);
  const own = { locale: checkLocale(locale, `${place}.locale`) };
  const phrases = (list: JsonValue | undefined, name: string, least: number) => {
    const found = listOf(settingsLimits.phrases, checkPhrase)(list, `${place}.${name}`);
    if (found.length < least) throw mismatch(`${place}.${name}`, `expected at least ${least}`);
    return found;
  };
  if (isAbsent(words)) return { ...own, from: phrases(from, 'from', 1), to: phrases(to, 'to', 1) };
  if (isAbsent(from) && isAbsent(to)) return { ...own, words: phrases(words, 'words', 2) };
  throw mismatch(place, 'expected words (both ways), or from and to (one way)');
}

function checkPhrase(value: JsonValue | undefined, place: string): string {
  const phrase = checkString(value, place);
  const words = wordsOf(phrase);
  if (words.length >= 1 && words.length <= settingsLimits.words) return phrase;
  throw mismatch(place, `expected 1 to ${settingsLimits.words} words`);
}

function checkWord(value: JsonValue | undefined, place: string): string {
  const word = checkString(value, place);
  if (wordsOf(word).length === 1) return word;
  throw mismatch(place, 'expected one word');
}
