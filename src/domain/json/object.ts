import type { JsonArray, JsonObject, JsonValue } from '../../contract/json.ts';
import { isRawNumber } from './number.ts';

/** An object that is still being built; nothing else sees it yet. */
export type ObjectInProgress = { [key: string]: JsonValue };

/** True for a JSON object; a number kept as its text is none. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);
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

/** The fields of an object in their order. */
export function fieldsOf(object: JsonObject): readonly (readonly [string, JsonValue])[] {
  return Object.entries(object);
}

/** An object of these fields; a later field of a name wins. */
export function objectOf(fields: Iterable<readonly [string, JsonValue]>): JsonObject {
  return Object.fromEntries(fields);
}
