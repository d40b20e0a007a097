import type { JsonObject, JsonValue } from '../../contract/json.ts';
import { numberOf } from './number.ts';
import { isJsonArray, isJsonObject } from './object.ts';

/** True if two JSON values say the same: numbers by exact value, objects whatever the order of their keys. */
export function jsonEquals(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return sameNumber(a, b);
  if (isJsonArray(a)) return isJsonArray(b) && a.length === b.length && a.every((item, i) => jsonEquals(item, b[i]));
  if (isJsonObject(a)) return isJsonObject(b) && sameFields(a, b);
  return sameNumber(a, b);
}

function sameFields(a: JsonObject, b: JsonObject): boolean {
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && jsonEquals(a[key], b[key]));
}

function sameNumber(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  const value = numberOf(a);
  return value !== undefined && value === numberOf(b);
}
