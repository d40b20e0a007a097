import type { JsonValue, RawNumber } from '../../contract/json.ts';

const least = -(2n ** 63n);
const greatest = 2n ** 63n - 1n;

/** The text of a JSON number. */
export const numberForm = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** True for a number kept as its text because a double cannot hold it. */
export function isRawNumber(value: unknown): value is RawNumber {
  return JSON.isRawJSON(value);
}

/** An exact 64-bit integer as `bigint`, any other number as a double; `1.0` and `1` are the same value (decision 5). */
export function exactNumber(value: number | bigint): bigint | number {
  if (typeof value === 'bigint') return value >= least && value <= greatest ? value : Number(value);
  return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? BigInt(value) : value;
}

/**
 * The value of a JSON number in the form of `exactNumber`; undefined for anything else. Beyond 2⁵³ it is the value of
 * the text that is stored: 2⁶² is written 4611686018427388000, and that integer is what every engine reads.
 */
export function numberOf(value: JsonValue | undefined): bigint | number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : parseNumber(String(value));
  return isRawNumber(value) ? parseNumber(value.rawJSON) : undefined;
}

/** The text of a JSON number, exact for integers of 64 bits, however it is written; undefined for anything else. */
export function numberText(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'number') return String(value);
  return isRawNumber(value) ? String(parseNumber(value.rawJSON)) : undefined;
}

/** Parses a text that is known to be a JSON number. */
export function parseNumber(text: string): bigint | number {
  if (/^-?\d+$/.test(text)) return exactNumber(BigInt(text));
  const digits = integerDigits(text);
  return digits === undefined ? exactNumber(Number(text)) : BigInt(digits);
}

/** The digits of a number that is an integer of 64 bits, however it is written (`1.0`, `12e3`); undefined for others. */
export function integerDigits(text: string): string | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = numberParts.exec(text) ?? [];
  const digits = whole + fraction;
  const shift = Number(exponent) - fraction.length;
  const wholeDigits = digits.length + shift;
  if (wholeDigits < 1 || shift > 19 || /[1-9]/.test(digits.slice(Math.min(wholeDigits, digits.length))))
    return undefined;
  const significant = digits.slice(0, wholeDigits).replace(/^0+(?=\d)/, '') + '0'.repeat(Math.max(0, shift));
  if (significant.length > 19) return undefined;
  const integer = BigInt(sign + significant);
  return integer >= least && integer <= greatest ? String(integer) : undefined;
}

const numberParts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
