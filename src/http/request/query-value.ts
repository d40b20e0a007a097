import { malformedParameter, ServiceError } from '../../contract/errors.ts';
import type { JsonObject, JsonValue } from '../../contract/json.ts';
import { parseNumber } from '../../domain/json/number.ts';
import { parseJson } from '../../domain/json/parse.ts';
import { isJsonObject } from '../../domain/json/values.ts';
import type { Parameter } from '../route.ts';

/** The part of a parameter's definition that its values are checked against. */
type Check = Omit<Parameter, 'description' | 'pattern'> & { readonly pattern?: RegExp | undefined };

/** The grammar of a JSON number: no plus sign, spaces, hexadecimal digits or names (RFC 8259 §6). */
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Reads one value of a scalar parameter. Throws `ServiceError` `InvalidInput`, which says what is expected. */
export function readScalar(name: string, check: Check, text: string): string | number | boolean {
  switch (check.type) {
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw malformedParameter(name, 'expected true or false');
      return text === 'true';
    case 'number':
    case 'integer':
      return readNumber(name, check, text);
    case 'string':
    case 'object':
      if (check.pattern && !check.pattern.test(text)) {
        throw malformedParameter(
          name,
          `expected ${check.form ?? wordsOf(check.pattern)?.join(' or ') ?? `text that matches ${check.pattern.source}`}`,
        );
      }
      return text;
    default:
      check.type satisfies never;
      return text;
  }
}

/** The words that a pattern is for, where it says no more than these: `^(?:ndjson|csv)$`. */
export function wordsOf({ source }: RegExp): readonly string[] | undefined {
  return /^\^\(\?:([\w|]+)\)\$$/.exec(source)?.[1]?.split('|');
}

function readNumber(name: string, check: Check, text: string): string | number {
  const { type, minimum = -Infinity, maximum = Infinity } = check;
  // 7.0 is the integer 7, and must not become a double on the way (decision 5).
  const digits = type === 'integer' ? text.replace(/^(-?\d+)\.0+$/, '$1') : text;
  const value = jsonNumber.test(digits) ? Number(digits) : Number.NaN;
  const isValid = type === 'integer' ? isInteger(digits) : Number.isFinite(value);
  if (!isValid || !(value >= minimum && value <= maximum)) {
    const beyond = value > maximum && check.beyond !== undefined ? `; ${check.beyond}` : '';
    throw malformedParameter(name, `expected ${expected(check)}${beyond}`);
  }
  return check.exact ? digits : value;
}

/** A 64-bit integer in digits, or a number with an exponent that is exactly an integer. */
function isInteger(digits: string): boolean {
  if (/^-?\d+$/.test(digits)) return typeof parseNumber(digits) === 'bigint';
  return /e/i.test(digits) && Number.isSafeInteger(Number(digits));
}

function expected({ type, minimum, maximum }: Check): string {
  const noun = type === 'integer' ? 'an integer' : 'a number';
  if (minimum !== undefined && maximum !== undefined) return `${noun} from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `${noun} of at least ${minimum}`;
  return maximum === undefined ? noun : `${noun} of at most ${maximum}`;
}

/** Reads an object parameter, sent as JSON or as `name[member]=value` pairs, whose members are lists of strings. */
export function readObject(
  name: string,
  values: readonly string[],
  members: ReadonlyMap<string, readonly string[]>,
): JsonObject {
  if (values.length + Math.min(members.size, 1) > 1) {
    throw malformedParameter(name, 'expected one JSON object, or members in brackets; not both, and not twice');
  }
  if (values[0] === undefined) return Object.fromEntries(members);
  const value = parse(name, values[0]);
  if (isJsonObject(value)) return value;
  throw malformedParameter(name, 'expected a JSON object');
}

function parse(name: string, text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof ServiceError) throw malformedParameter(name, 'expected a JSON object');
    throw error;
  }
}
