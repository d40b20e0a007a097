import type { JsonArray, JsonObject, JsonValue } from '../../contract/json.ts';
import { numberOf } from './number.ts';

/** Limits of every JSON value that the service accepts or stores, so that a stored value can be sent back to it. */
export const jsonLimits = { depth: 64, itemsPerArray: 100_000, keysPerObject: 10_000 } as const;

export const tooDeep = `expected at most ${jsonLimits.depth} levels of arrays and objects`;
export const tooManyItems = `expected at most ${jsonLimits.itemsPerArray} items in an array`;
export const tooManyKeys = `expected at most ${jsonLimits.keysPerObject} keys in an object`;

/** The number of scalars in a value; or the limit that it exceeds, in words that follow its path. */
export function scalarsOf(value: JsonValue, depth = 1): number | string {
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return 1;
  if (depth > jsonLimits.depth) return tooDeep;
  const isArray = Array.isArray(value);
  const items: readonly JsonValue[] = isArray ? value : Object.values(value);
  if (items.length > (isArray ? jsonLimits.itemsPerArray : jsonLimits.keysPerObject)) {
    return isArray ? tooManyItems : tooManyKeys;
  }
  let count = 0;
  for (const item of items) {
    const inner = typeof item === 'object' ? scalarsOf(item, depth + 1) : 1;
    if (typeof inner === 'string') return inner;
    count += inner;
  }
  return count;
}

/** An object that is still being built; nothing else refers to it yet. */
export type ObjectInProgress = { [key: string]: JsonValue };

/** True for a JSON object; false for a number that is kept as its text. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value);
}

/** True for a JSON array. `Array.isArray` alone does not narrow to a readonly array. */
export function isJsonArray(value: JsonValue | undefined): value is JsonArray {
  return Array.isArray(value);
}

/** Sets a field under a name that a client chose: `__proto__` becomes plain data too (decision 9). */
export function setOwn(target: ObjectInProgress, key: string, value: JsonValue): void {
  if (key !== '__proto__') target[key] = value;
  else Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

/** The value of an own field; never one of a prototype. */
export function getOwn(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** True if two JSON values are equal: numbers by exact value, objects whatever the order of their keys. */
export function jsonEquals(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' && typeof b !== 'object') return false;
  if (isJsonArray(a)) return isJsonArray(b) && sameItems(a, b);
  if (isJsonObject(a)) return isJsonObject(b) && sameFields(a, b);
  const number = numberOf(a);
  return number !== undefined && number === numberOf(b);
}

/** True if two JSON values have the same text: cheaper than `jsonEquals`, and the order of keys counts. */
export function hasSameText(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  return typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b);
}

function sameItems(a: JsonArray, b: JsonArray): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at += 1) if (!jsonEquals(a[at], b[at])) return false;
  return true;
}

function sameFields(a: JsonObject, b: JsonObject): boolean {
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  for (const key of keys) if (!Object.hasOwn(b, key) || !jsonEquals(a[key], b[key])) return false;
  return true;
}

/** JSON Merge Patch (RFC 7396 §2): objects merge, `null` removes, anything else replaces. Changes neither argument. */
export function mergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  return isJsonObject(patch) ? mergeObject(isJsonObject(target) ? target : {}, patch) : patch;
}

/** Merges a patch that is known to be an object. */
export function mergeObject(target: JsonObject, patch: JsonObject): JsonObject {
  const result: ObjectInProgress = { ...target };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else setOwn(result, key, mergePatch(getOwn(target, key), value));
  }
  return result;
}
