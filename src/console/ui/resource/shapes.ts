import { isMap, isNumber, type Json, type JsonMap } from '../api/json.ts';

/** How a value is edited. */
export type Shape = 'text' | 'longText' | 'instant' | 'localized' | 'number' | 'boolean' | 'list' | 'object' | 'json';

const languageTag = /^[a-z]{2,3}(?:-(?:[A-Z]{2}|[A-Z][a-z]{3}|\d{3}))*$/;
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/;
const longTextChars = 60;
/** Objects with more members than these are edited as JSON. */
const maxMembers = 60;

/** Texts by language: every name is a language tag, and every value a text. */
export function isLocalized(value: Json | undefined): value is Readonly<Record<string, string>> {
  if (!isMap(value)) return false;
  const entries = Object.entries(value);
  return entries.length > 0 && entries.every(([name, text]) => languageTag.test(name) && typeof text === 'string');
}

/** How a value is edited. `depth`: how many objects it is in. */
export function shapeOf(value: Json | undefined, depth: number): Shape {
  if (typeof value === 'string') {
    if (instant.test(value)) return 'instant';
    return value.length > longTextChars || value.includes('\n') ? 'longText' : 'text';
  }
  if (isNumber(value)) return 'number';
  if (typeof value === 'boolean') return 'boolean';
  if (isLocalized(value)) return 'localized';
  if (Array.isArray(value)) {
    const isFlat = value.every((item) => typeof item === 'string' || isNumber(item as Json));
    const isUniform = new Set(value.map((item) => typeof item === 'string')).size <= 1;
    return isFlat && isUniform && value.length <= maxMembers ? 'list' : 'json';
  }
  if (isMap(value) && depth < 3 && Object.keys(value).length <= maxMembers) return 'object';
  return 'json';
}

/** A field that was just added. */
export const newValues: Readonly<Record<'text' | 'localized' | 'number' | 'boolean' | 'list' | 'object', Json>> = {
  text: '',
  localized: { en: '' } satisfies JsonMap,
  number: 0,
  boolean: false,
  list: [],
  object: {},
};
