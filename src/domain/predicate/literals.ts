import { parseNumber } from '../json/number.ts';
import type { Literal } from './ast.ts';
import type { Cursor } from './cursor.ts';

/** Values of a list (`in`, `contains`), variables counted with each of their values. */
export const maxListItems = 500;

export interface ValueOptions {
  /** Texts of the input variables by name, without `:`; undefined where there can be none. */
  readonly variables: ReadonlyMap<string, readonly string[]> | undefined;
  /** A word without quotes is a text too. */
  readonly bareWords: boolean;
}

const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![-\w.])/y;
const boolean = /(?:true|false)(?![-\w.])/iy;
const nothing = /null(?![-\w.])/iy;
const variable = /:[-_A-Za-z0-9]+/y;
const bareWord = /[-_\p{L}\p{M}\p{N}]+/uy;
const quote = /"/y;
/** A text as in JSON, up to what may not stand in it. */
const validStart = /^"(?:[^"\\\p{Cc}]|[\x7f-\x9f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/u;

/** Reads one value. A variable must have exactly one. */
export function readValue(cursor: Cursor, options: ValueOptions): Literal {
  const position = cursor.position();
  const values = readValues(cursor, options);
  if (values.length === 1) return values[0]!;
  throw cursor.refused(`The variable has ${values.length} values, which only 'in' and 'contains' can take`, position);
}

/** Reads one value or a variable, which stands for all of its values. */
export function readValues(cursor: Cursor, options: ValueOptions): readonly Literal[] {
  const text = readString(cursor);
  if (text !== undefined) return [{ type: 'string', value: text }];
  if (cursor.sees(variable)) return readVariable(cursor, options);
  const truth = cursor.take(boolean);
  if (truth !== undefined) return [{ type: 'boolean', value: truth.toLowerCase() === 'true' }];
  if (cursor.sees(number)) return [{ type: 'number', value: readNumber(cursor) }];
  const word = options.bareWords ? cursor.take(bareWord) : undefined;
  if (word !== undefined) return [{ type: 'string', value: word }];
  if (cursor.sees(nothing)) throw cursor.expected("a value; where there is none, the condition is 'is not defined'");
  throw cursor.expected('a value: a text in double quotes, a number, true, false or a variable (:name)');
}

/** Reads `(value, value, …)` or a variable. */
export function readList(cursor: Cursor, options: ValueOptions): readonly Literal[] {
  const position = cursor.position();
  if (cursor.sees(variable)) return checkedLength(cursor, readVariable(cursor, options), position);
  if (cursor.take(/\(/y) === undefined) throw cursor.expected("'(' and a list of values, or a variable (:name)");
  const values: Literal[] = [];
  do {
    values.push(...readValues(cursor, options));
    checkedLength(cursor, values, position);
  } while (cursor.take(/,/y) !== undefined);
  if (cursor.take(/\)/y) === undefined) throw cursor.expected("',' or ')'");
  return values;
}

/** Reads a finite number, or a variable that holds one, as a double. */
export function readDouble(cursor: Cursor, options: ValueOptions, what: string): number {
  const position = cursor.position();
  if (!cursor.sees(variable) && !cursor.sees(number)) throw cursor.expected(what);
  const literal = readValue(cursor, options);
  const value = literal.type === 'untyped' && literal.value.trim() === '' ? Number.NaN : Number(literal.value);
  if (Number.isFinite(value)) return value;
  throw cursor.expected(what, position);
}

/** Reads a text in double quotes with the escapes of JSON; undefined where none begins here. */
export function readString(cursor: Cursor): string | undefined {
  const start = cursor.position();
  if (!cursor.sees(quote)) return undefined;
  const source = cursor.take(/"(?:[^"\\]|\\.)*"/sy);
  if (source === undefined) throw cursor.refused('Unexpected end, the text in double quotes is not closed', start);
  const text = unescaped(source);
  if (text === undefined) {
    const problem =
      'A text may hold no bare control character, and no escape but \\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX';
    throw cursor.refused(problem, start + validStart.exec(source)![0].length);
  }
  if (text.isWellFormed()) return text;
  throw cursor.refused('The text holds half of a surrogate pair', start);
}

function unescaped(source: string): string | undefined {
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}

function readNumber(cursor: Cursor): bigint | number {
  const position = cursor.position();
  const value = parseNumber(cursor.take(number)!);
  // Documents hold finite numbers only, so such a literal is a mistake (decision 5).
  if (typeof value === 'number' && !Number.isFinite(value)) throw cursor.refused('The number is too large', position);
  return value;
}

function readVariable(cursor: Cursor, { variables }: ValueOptions): readonly Literal[] {
  const position = cursor.position();
  const name = cursor.take(variable)!.slice(1);
  if (!variables) throw cursor.refused(`There are no variables here; write a value instead of ':${name}'`, position);
  const texts = variables.get(name) ?? [];
  if (texts.length > 0) return texts.map((value) => ({ type: 'untyped', value }));
  throw cursor.refused(`The variable ':${name}' has no value; give one as the parameter var.${name}`, position);
}

function checkedLength(cursor: Cursor, values: readonly Literal[], position: number): readonly Literal[] {
  if (values.length <= maxListItems) return values;
  throw cursor.refused(`The list has more than ${maxListItems} items, the most that a list may have`, position);
}
