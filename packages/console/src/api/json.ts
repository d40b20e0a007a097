import { parseJsonWith } from '../../../../src/contract/parse-json.ts';

/**
 * JSON with numbers of any size. A number that JavaScript would change (9007199254740993, 1.10) is kept as it is
 * written, so that a document that is read, edited and saved has the same digits.
 */

/** A number with its digits. */
export class Exact {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  toJSON(): unknown {
    return rawJson(this.source);
  }

  toString(): string {
    return this.source;
  }
}

export type Json = string | number | boolean | null | Exact | readonly Json[] | JsonMap;
export interface JsonMap {
  readonly [name: string]: Json;
}

const { rawJSON: rawJson } = JSON as unknown as { rawJSON(text: string): unknown };

/** Parses JSON. Throws `SyntaxError`. */
export function parseJson(text: string): Json {
  const exact = (value: unknown, source: string | undefined) =>
    typeof value === 'number' && source !== undefined && String(value) !== source ? new Exact(source) : value;
  return parseJsonWith(exact, text) as Json;
}

/** As `parseJson`, but returns undefined for a text that is not JSON. */
export function jsonOf(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Writes JSON, with the digits of exact numbers. */
export function writeJson(value: Json, indent?: number): string {
  return JSON.stringify(value, undefined, indent);
}

/** True for an object with members; not for lists, nor for exact numbers. */
export function isMap(value: Json | undefined): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Exact);
}

export function isNumber(value: Json | undefined): value is number | Exact {
  return typeof value === 'number' || value instanceof Exact;
}

/** True if both are the same value, numbers digit by digit, members in any order. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (isNumber(a) && isNumber(b)) return String(a) === String(b);
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, at) => sameJson(item, b[at] as Json));
  }
  if (!isMap(a) || !isMap(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && sameJson(a[name], b[name]))
  );
}

/** The value as a table cell shows it: one line, cut. */
export function briefly(value: Json | undefined, limit = 200): string {
  if (value === undefined) return '';
  const text =
    typeof value === 'object' && value !== null && !(value instanceof Exact) ? writeJson(value) : String(value);
  return text.length > limit ? `${text.slice(0, limit)}…` : text;
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A number with the digits that were typed; undefined for what is no number. */
export function numberOf(text: string): number | Exact | undefined {
  if (!jsonNumber.test(text)) return undefined;
  return String(Number(text)) === text ? Number(text) : new Exact(text);
}
