import { isMap, isNumber, type Json, type JsonMap } from '../api/json.ts';

/** How a value is edited. */
export type Shape =
  | 'text'
  | 'longText'
  | 'hugeText'
  | 'instant'
  | 'date'
  | 'localized'
  | 'number'
  | 'boolean'
  | 'list'
  | 'reference'
  | 'object'
  | 'json';

const languageTag = /^[a-z]{2,3}(?:-(?:[A-Z]{2}|[A-Z][a-z]{3}|\d{3}))*$/;
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/;
const date = /^\d{4}-\d{2}-\d{2}$/;
const longTextChars = 60;
/** Longer values are shown by their beginning, and edited in an editor of their own: texts as texts, the rest as JSON. */
export const hugeTextChars = 20_000;
/** Objects with more members than these are edited as JSON. */
const maxMembers = 60;

/** Texts by language: every name is a language tag, and every value a text. */
export function isLocalized(value: Json | undefined): value is Readonly<Record<string, string>> {
  if (!isMap(value)) return false;
  const entries = Object.entries(value);
  return entries.length > 0 && entries.every(([name, text]) => languageTag.test(name) && typeof text === 'string');
}

/** True for a day that exists: an input for dates would show nothing else. */
function isDate(text: string): boolean {
  if (!date.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

const textShapes: ReadonlySet<Shape> = new Set(['text', 'longText', 'hugeText', 'instant', 'date']);

/** The shape to go on with: a text that becomes longer while it is typed, or a date, keeps its input. */
export function keptShape(before: Shape, now: Shape): Shape {
  return textShapes.has(before) && textShapes.has(now) ? before : now;
}

/** True for a reference: a type with an id or a key, and perhaps the expanded resource. */
export function isReference(value: Json | undefined): value is JsonMap {
  if (!isMap(value) || typeof value.typeId !== 'string') return false;
  const { typeId: _typeId, id, key, obj: _obj, ...rest } = value;
  const isText = (one: Json | undefined) => one === undefined || typeof one === 'string';
  return Object.keys(rest).length === 0 && isText(id) && isText(key) && (id !== undefined || key !== undefined);
}

/** How a value is edited. `depth`: how many objects it is in. */
export function shapeOf(value: Json | undefined, depth: number): Shape {
  if (typeof value === 'string') {
    if (instant.test(value)) return 'instant';
    if (isDate(value)) return 'date';
    if (value.length > hugeTextChars) return 'hugeText';
    return value.length > longTextChars || value.includes('\n') ? 'longText' : 'text';
  }
  if (isNumber(value)) return 'number';
  if (typeof value === 'boolean') return 'boolean';
  if (isReference(value)) return 'reference';
  if (isLocalized(value)) return 'localized';
  if (Array.isArray(value)) {
    const isFlat = value.every((item) => typeof item === 'string' || isNumber(item as Json));
    const isUniform = new Set(value.map((item) => typeof item === 'string')).size <= 1;
    return isFlat && isUniform && value.length <= maxMembers ? 'list' : 'json';
  }
  if (isMap(value) && depth < 3 && Object.keys(value).length <= maxMembers) return 'object';
  return 'json';
}

type NewType = 'text' | 'localized' | 'number' | 'boolean' | 'date' | 'reference' | 'list' | 'object';

/** A field that was just added. */
export const newValues: Readonly<Record<NewType, Json>> = {
  text: '',
  localized: { en: '' } satisfies JsonMap,
  number: 0,
  boolean: false,
  date: new Date().toISOString().slice(0, 10),
  reference: { typeId: 'resource', key: '' },
  list: [],
  object: {},
};
