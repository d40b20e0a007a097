import { intendedLocale, localePattern } from '#words';
import { checkArray, checkNumber, checkObject, checkString, mismatch } from '../../../contract/check.ts';
import { ServiceError } from '../../../contract/errors.ts';
import type { JsonValue } from '../../../contract/json.ts';
import { numberOf } from '../../json/number.ts';
import { createCursor } from '../../predicate/cursor.ts';
import { readPath } from '../../predicate/parse.ts';

/** Checks of the values in the settings of a search. Each names the place of what is wrong. */

/** Limits of the settings of one project. */
export const settingsLimits = {
  paths: 100,
  weight: 100,
  synonyms: 1000,
  /** Words or phrases of one synonym, on either side. */
  phrases: 10,
  /** Words of a phrase. */
  words: 4,
  /** Pairs of a phrase and one that it finds. */
  pairs: 10_000,
  stopWords: 1000,
  boosts: 10,
  /** UTF-16 units of the predicate of a boost. */
  boostText: 2000,
  factor: 100,
  pins: 1000,
  /** Resources that are pinned for a text, or hidden; UTF-16 units of the text, and of an id or key. */
  pinned: 50,
  pinText: 200,
  reference: 300,
  halfLifeDays: 36_500,
} as const;

const localeForm = new RegExp(`^${localePattern}$`);

/** Checks a value at a place of the settings. */
export type Check<T> = (value: JsonValue | undefined, place: string) => T;

export function oneOf<T extends string>(allowed: readonly T[]): Check<T> {
  return (value, place) => {
    const found = allowed.find((each) => each === value);
    if (found === undefined) throw mismatch(place, `expected one of ${allowed.join(', ')}`);
    return found;
  };
}

/** A number as a double, also one that is kept as its text. */
export const checkDouble: Check<number> = (value, place) => Number(numberOf(checkNumber(value, place)));

export function numberUpTo(most: number): Check<number> {
  return (value, place) => {
    const number = checkDouble(value, place);
    if (number > 0 && number <= most) return number;
    throw mismatch(place, `expected a number above 0 and up to ${most}`);
  };
}

export function listOf<T>(most: number, check: Check<T>): Check<readonly T[]> {
  return (value, place) => {
    const items = checkArray(value, place);
    if (items.length > most) throw mismatch(place, `expected at most ${most}`);
    return items.map((item, at) => check(item, `${place}[${at}]`));
  };
}

/** An object, by whose names something is said. */
export function membersOf<T>(checkName: Check<string>, check: Check<T>): Check<Readonly<Record<string, T>>> {
  return (value, place) => {
    const entries = Object.entries(checkObject(value, place)).map(([name, member]): [string, T] => {
      const at = `${place}.${name}`;
      return [checkName(name, at), check(member, at)];
    });
    return Object.fromEntries(entries);
  };
}

/** The names of a dotted path; undefined if it is none. */
export function readNames(path: string): readonly string[] | undefined {
  try {
    const cursor = createCursor(path, 'path');
    const found = readPath(cursor);
    return cursor.sees(/$/y) ? found : undefined;
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

export function checkLocale(value: JsonValue | undefined, place: string): string {
  const locale = checkString(value, place);
  if (localeForm.test(locale)) return locale;
  const meant = intendedLocale(locale);
  throw mismatch(place, `expected a locale such as en, de-AT or zh-Hant${meant ? `; did you mean ${meant}?` : ''}`);
}
