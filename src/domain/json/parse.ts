import { isUtf8 } from 'node:buffer';
import { notJson, ServiceError } from '../../contract/errors.ts';
import type { JsonValue } from '../../contract/json.ts';
import { scanJson } from './scan.ts';
import { scalarsOf } from './values.ts';

/**
 * Parses JSON without losing anything (decision 5).
 *
 * In the result an integer beyond ±(2⁵³ − 1) that is written in digits is a raw number, so that every digit is written
 * back. A number written with a fraction or an exponent is the nearest double: `1.0` is 1, `1E5` 100000, `1e-400` 0.
 * `-0` is 0, however it is written. A double that is written back as such a long integer is a raw number of those
 * digits, so that parsing what was written always gives the same value again.
 */

/** Parses a JSON text from a client: strict and within the limits; else 400 `InvalidJsonInput` with the position. */
export function parseJson(text: string): JsonValue {
  // A text that the native parser and writer reproduce lost nothing in between, duplicate keys included; except that
  // long integers are not exact in memory, and that escapes may stand for NUL or half a surrogate pair.
  if (!text.includes('\\u') && !mayRound(text)) {
    try {
      const value: JsonValue = JSON.parse(text);
      if (JSON.stringify(value) === text && typeof scalarsOf(value) === 'number') return value;
    } catch {
      // Not JSON, or too deep: the scanner finds the position.
    }
  }
  return scanJson(text, 'limited');
}

/** Parses the bytes of a body: UTF-8 without byte order mark, else like `parseJson`. */
export function parseJsonBytes(bytes: Uint8Array): JsonValue {
  if (!isUtf8(bytes)) throw notJson('expected UTF-8');
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    throw notJson('line 1, column 1: expected JSON without byte order mark');
  }
  return parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
}

/** Parses a text that `stringifyJson` made, as a store returns it. Throws `DataCorruption` for any other text. */
export function parseStoredJson(text: string): JsonValue {
  try {
    return mayRound(text) || (text.includes('\\') && hasEscapedName(text))
      ? scanJson(text, 'unlimited')
      : JSON.parse(text);
  } catch (error) {
    const { message, details } = error as Error & Partial<Pick<ServiceError, 'details'>>;
    throw new ServiceError(
      'DataCorruption',
      `A stored document is not JSON: ${details?.detailedErrorMessage ?? message}`,
    );
  }
}

/**
 * True if the name of a member has an escape. The V8 of Node 26 compares such a name, as it is written, with the name that
 * an object of the same shape had at its place: it takes `"\t"`, a tab, for `"\\"`, a backslash, that was there before.
 */
function hasEscapedName(text: string): boolean {
  let first = text.indexOf('\\');
  while (first !== -1) {
    let end = text.indexOf('"', first + 2);
    let next = text.indexOf('\\', first + 2);
    // An escaped quote does not end the string: continue.
    while (next !== -1 && next < end) {
      if (end === next + 1) end = text.indexOf('"', next + 2);
      next = text.indexOf('\\', next + 2);
    }
    if (text.charCodeAt(end + 1) === 0x3a) return true;
    first = next;
  }
  return false;
}

/** Writes a value in its canonical form: no spaces, numbers in the shortest form, raw numbers digit by digit. */
export function stringifyJson(value: JsonValue): string {
  return JSON.stringify(value);
}

/** True if sixteen digits are in a row. Such a run covers one of any sixteen neighbouring positions: check only those. */
function mayRound(text: string): boolean {
  for (let at = 15; at < text.length; at += 16) {
    let [from, to] = [at, at];
    for (let code = text.charCodeAt(from); code >= 0x30 && code <= 0x39; code = text.charCodeAt(from)) from -= 1;
    for (let code = text.charCodeAt(to); code >= 0x30 && code <= 0x39; code = text.charCodeAt(to)) to += 1;
    // Both stand beside the run of digits; they are equal where no digit is at `at`.
    if (to - from > 16) return true;
  }
  return false;
}
