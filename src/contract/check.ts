import { invalidJson } from './errors.ts';
import type { JsonArray, JsonObject, JsonValue, RawNumber } from './json.ts';

/**
 * Checks of a JSON value at a path. Each returns the value in its own type, or throws 400 `InvalidJsonInput` that
 * names the path and what is expected there (decision 9). `null` is absent everywhere (decision 8).
 */

/** JSON Schema (2020-12), as OpenAPI 3.1 uses it. */
export type JsonSchema = { readonly [key: string]: unknown };

/** A number as it is held in memory: integers beyond the safe ones of a double as raw numbers. */
export type JsonNumber = number | RawNumber;

/** True for a value that counts as not given. */
export function isAbsent(value: JsonValue | undefined): value is null | undefined {
  return value === undefined || value === null;
}

/** What a value of a field should be, or undefined where it is that. No path: arrays may have very many items. */
export type Expectation = (value: JsonValue | undefined) => string | undefined;

/** A JSON object; a number kept as its text is none. */
export const objectExpected: Expectation = (value) => {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);
  return isObject ? undefined : 'object expected';
};

/** An array. */
export const arrayExpected: Expectation = (value) => (Array.isArray(value) ? undefined : 'array expected');

/** A string. */
export const stringExpected: Expectation = (value) => (typeof value === 'string' ? undefined : 'string expected');

/** `true` or `false`, and nothing that only stands for them. */
export const booleanExpected: Expectation = (value) => (typeof value === 'boolean' ? undefined : 'boolean expected');

/** A finite number. */
export const numberExpected: Expectation = (value) =>
  typeof value === 'number' || JSON.isRawJSON(value) ? undefined : 'number expected';

/** An integer of 64 bits, exactly; `1.0` is 1 (decision 5). */
export const integerExpected: Expectation = (value) => {
  if (Number.isSafeInteger(value)) return undefined;
  const long = longInteger(value);
  if (long === undefined) return 'integer expected';
  return BigInt.asIntN(64, long) === long ? undefined : 'integer of 64 bits expected';
};

/** An integer of 32 bits. */
export const int32Expected: Expectation = (value) => {
  const fits = Number.isInteger(value) && ((value as number) | 0) === value;
  return integerExpected(value) ?? (fits ? undefined : 'integer from -2147483648 to 2147483647 expected');
};

/** Throws where the value is not what is expected. */
export function check(expectation: Expectation, value: JsonValue | undefined, path: string): void {
  const problem = expectation(value);
  if (problem !== undefined) throw mismatch(path, problem);
}

/** A JSON object. The path of a whole body is empty. */
export function checkObject(value: JsonValue | undefined, path: string): JsonObject {
  check(objectExpected, value, path);
  return value as JsonObject;
}

/** An array. */
export function checkArray(value: JsonValue | undefined, path: string): JsonArray {
  check(arrayExpected, value, path);
  return value as JsonArray;
}

/** A string. */
export function checkString(value: JsonValue | undefined, path: string): string {
  check(stringExpected, value, path);
  return value as string;
}

/** An integer of 64 bits. */
export function checkInteger(value: JsonValue | undefined, path: string): bigint {
  check(integerExpected, value, path);
  return integerOf(value as JsonNumber);
}

/** The value of a number that is known to be an integer. */
export function integerOf(value: JsonNumber): bigint {
  return BigInt(typeof value === 'number' ? value : value.rawJSON);
}

/** The refusal of a value at a path. */
export function mismatch(path: string, problem: string): Error {
  return invalidJson(path === '' ? `body: ${problem}` : `${path}: ${problem}`);
}

/** The refusal of a value that must be given and is not. */
export function missing(path: string): Error {
  return invalidJson(`${path}: Missing required value`);
}

/** Such an integer is a raw number after parsing; a fraction or an exponent in one makes it no integer here. */
function longInteger(value: JsonValue | undefined): bigint | undefined {
  return JSON.isRawJSON(value) && /^-?\d{1,400}$/.test(value.rawJSON) ? BigInt(value.rawJSON) : undefined;
}
