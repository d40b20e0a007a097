import { invalidJson } from './errors.ts';
import type { JsonArray, JsonObject, JsonValue, RawNumber } from './json.ts';

export type { JsonSchema } from './json.ts';

/**
 * Checks of a JSON value at a path. Each returns the value in its own type, or throws 400 `InvalidJsonInput` with the
 * path and what is expected there (decision 9). `null` is absent everywhere (decision 8).
 */

/** A number in memory. Integers beyond the safe ones of a double are raw numbers. */
export type JsonNumber = number | RawNumber;

/** True for a value that counts as absent. */
export function isAbsent(value: JsonValue | undefined): value is null | undefined {
  return value === undefined || value === null;
}

/** A JSON object; not a number that is kept as its text. The path of a whole body is empty. */
export function checkObject(value: JsonValue | undefined, path: string): JsonObject {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);
  if (!isObject) throw mismatch(path, 'expected an object');
  return value as JsonObject;
}

/** An object without other fields than these, so that a misspelt one is not lost. */
export function checkFields(value: JsonValue | undefined, path: string, names: readonly string[]): JsonObject {
  const object = checkObject(value, path);
  const unknown = Object.keys(object)
    .find((name) => !names.includes(name))
    ?.slice(0, 64);
  if (unknown === undefined) return object;
  throw mismatch(path === '' ? unknown : `${path}.${unknown}`, `unknown field; expected ${names.join(', ')}`);
}

/** An array. */
export function checkArray(value: JsonValue | undefined, path: string): JsonArray {
  if (!Array.isArray(value)) throw mismatch(path, 'expected an array');
  return value;
}

/** A string. */
export function checkString(value: JsonValue | undefined, path: string): string {
  if (typeof value !== 'string') throw mismatch(path, 'expected a string');
  return value;
}

/** `true` or `false`, and no value that only stands for them. */
export function checkBoolean(value: JsonValue | undefined, path: string): boolean {
  if (typeof value !== 'boolean') throw mismatch(path, 'expected a boolean');
  return value;
}

/** A finite number. */
export function checkNumber(value: JsonValue | undefined, path: string): JsonNumber {
  const problem = numberExpected(value);
  if (problem !== undefined) throw mismatch(path, problem);
  return value as JsonNumber;
}

/** An integer of 64 bits. */
export function checkInteger(value: JsonValue | undefined, path: string): bigint {
  if (Number.isSafeInteger(value)) return BigInt(value as number);
  const problem = integerExpected(value);
  if (problem !== undefined) throw mismatch(path, problem);
  return integerOf(value as JsonNumber);
}

/** The longest time for which a secret that was replaced stays valid: 30 days. */
export const maxOverlapSeconds = 2_592_000;

/** How many seconds a secret that is replaced stays valid. */
export function checkOverlap(value: JsonValue | undefined, path: string): number {
  const seconds = checkInteger(value, path);
  if (seconds >= 0n && seconds <= BigInt(maxOverlapSeconds)) return Number(seconds);
  throw mismatch(path, `expected 0 to ${maxOverlapSeconds}`);
}

/** The checked field of an object; undefined where it is absent. */
export function optional<T>(
  object: JsonObject,
  name: string,
  path: string,
  check: (value: JsonValue | undefined, path: string) => T,
): T | undefined {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return isAbsent(value) ? undefined : check(value, path === '' ? name : `${path}.${name}`);
}

/** The version that a request expects, in its body or in its query. Throws 400 if they name different ones. */
export function agreedVersion(inBody: bigint | undefined, inQuery: bigint | undefined): bigint | undefined {
  if (inBody === undefined || inQuery === undefined || inBody === inQuery) return inBody ?? inQuery;
  throw mismatch('version', `expected the version of the query, ${inQuery}, not ${inBody}; send one of them`);
}

/** The problem of an array item, or undefined. Without its path, since arrays may have many items. */
export type Expectation = (value: JsonValue | undefined) => string | undefined;

/** A string. */
export const stringExpected: Expectation = (value) => (typeof value === 'string' ? undefined : 'expected a string');

/** A finite number. */
export const numberExpected: Expectation = (value) =>
  typeof value === 'number' || JSON.isRawJSON(value) ? undefined : 'expected a number';

/** An integer of 64 bits, exactly; `1.0` is 1 (decision 5). */
export const integerExpected: Expectation = (value) => {
  if (Number.isSafeInteger(value)) return undefined;
  // A longer integer is a raw number after parsing; one with a fraction or an exponent is no integer here.
  const isLong = JSON.isRawJSON(value) && /^-?\d{1,400}$/.test(value.rawJSON);
  if (!isLong) return 'expected an integer';
  const long = integerOf(value);
  return BigInt.asIntN(64, long) === long ? undefined : 'expected an integer of 64 bits';
};

/** An integer of 32 bits. */
export const int32Expected: Expectation = (value) => {
  const fits = Number.isInteger(value) && ((value as number) | 0) === value;
  return integerExpected(value) ?? (fits ? undefined : 'expected an integer from -2147483648 to 2147483647');
};

/** The value of a number that is known to be an integer. */
export function integerOf(value: JsonNumber): bigint {
  return BigInt(typeof value === 'number' ? value : value.rawJSON);
}

/** The error for a wrong value at a path. */
export function mismatch(path: string, problem: string): Error {
  return invalidJson(path === '' ? `body: ${problem}` : `${path}: ${problem}`);
}

/** The error for a value that is required and absent. */
export function missing(path: string): Error {
  return invalidJson(`${path}: Missing required value`);
}
