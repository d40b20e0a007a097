import { malformedParameter, ServiceError } from '../../contract/errors.ts';
import type { JsonObject, JsonValue } from '../../contract/json.ts';
import { isRawNumber, parseNumber } from '../../domain/json/number.ts';
import { parseJson } from '../../domain/json/parse.ts';
import type { Parameter } from '../route.ts';

/** What of a parameter its values are read by. */
type Reading = Omit<Parameter, 'description' | 'pattern'> & { readonly pattern?: RegExp | undefined };

/** The grammar of a JSON number: no sign +, no blanks, no hexadecimal, no names (RFC 8259 §6). */
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Reads one value of a scalar parameter, or throws `ServiceError` `InvalidInput` that names what is expected. */
export function readScalar(name: string, parameter: Reading, text: string): string | number | boolean {
  switch (parameter.type) {
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw malformedParameter(name, 'true or false expected');
      return text === 'true';
    case 'number':
    case 'integer':
      return readNumber(name, parameter, text);
    case 'string':
    case 'object':
      if (parameter.pattern && !parameter.pattern.test(text)) {
        throw malformedParameter(name, `text that matches ${parameter.pattern.source} expected`);
      }
      return text;
    default:
      parameter.type satisfies never;
      return text;
  }
}

function readNumber(name: string, parameter: Reading, text: string): string | number {
  const { type, minimum = -Infinity, maximum = Infinity } = parameter;
  // 7.0 is the integer 7, and must not go through a double to be one (decision 5).
  const digits = type === 'integer' ? text.replace(/^(-?\d+)\.0+$/, '$1') : text;
  const value = jsonNumber.test(digits) ? Number(digits) : Number.NaN;
  const isWanted = type === 'integer' ? isInteger(digits) : Number.isFinite(value);
  if (!isWanted || !(value >= minimum && value <= maximum)) {
    throw malformedParameter(name, `${expected(parameter)} expected`);
  }
  return parameter.exact ? digits : value;
}

/** A 64-bit integer in digits, or a number with an exponent that is exactly an integer. */
function isInteger(digits: string): boolean {
  if (/^-?\d+$/.test(digits)) return typeof parseNumber(digits) === 'bigint';
  return /e/i.test(digits) && Number.isSafeInteger(Number(digits));
}

function expected({ type, minimum, maximum }: Reading): string {
  const noun = type === 'integer' ? 'a whole number' : 'a number';
  if (minimum !== undefined && maximum !== undefined) return `${noun} from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `${noun} not below ${minimum}`;
  return maximum === undefined ? noun : `${noun} not above ${maximum}`;
}

/** An object parameter, sent as JSON or as `name[member]=value` pairs; the members of the latter are lists of texts. */
export function readObject(
  name: string,
  values: readonly string[],
  inside: ReadonlyMap<string, readonly string[]>,
): JsonObject {
  if (values.length + Math.min(inside.size, 1) > 1) {
    throw malformedParameter(name, 'one JSON object, or members in brackets expected, not both and not twice');
  }
  return values[0] === undefined ? fromMembers(inside) : fromJson(name, values[0]);
}

function fromJson(name: string, text: string): JsonObject {
  const value = parsed(name, text);
  if (isObject(value)) return value;
  throw malformedParameter(name, 'a JSON object expected');
}

function parsed(name: string, text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof ServiceError) throw malformedParameter(name, 'a JSON object expected');
    throw error;
  }
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);
}

/** Members are defined, not assigned: `__proto__` is a name like any other (decision 9). */
function fromMembers(inside: ReadonlyMap<string, readonly string[]>): JsonObject {
  const object: JsonObject = {};
  for (const [member, texts] of inside) {
    Object.defineProperty(object, member, { value: texts, enumerable: true, writable: true, configurable: true });
  }
  return object;
}
