import { notJson, type ServiceError } from '../../contract/errors.ts';
import type { JsonValue } from '../../contract/json.ts';
import { integerDigits } from './number.ts';
import { pathText, shownName } from './path-text.ts';
import { jsonLimits, type ObjectInProgress, setOwn, tooDeep, tooManyItems, tooManyKeys } from './values.ts';

/** State of the scanner. `path[i]` is the key or index on level `i`. */
interface Scan {
  readonly text: string;
  readonly limited: boolean;
  readonly maxDepth: number;
  at: number;
  depth: number;
  readonly path: (string | number)[];
}

/** Levels that the service may put around a value of a client where it stores or sends it. */
const levelsAround = 16;

/**
 * Reads JSON by recursive descent: RFC 8259 and nothing else, no duplicate keys, no NUL, no half surrogate pairs, no
 * numbers beyond a double's range. `limited` adds the limits of `jsonLimits`; the depth is always bounded, and with it
 * the stack.
 */
export function scanJson(text: string, limits: 'limited' | 'unlimited'): JsonValue {
  const limited = limits === 'limited';
  const maxDepth = limited ? jsonLimits.depth : jsonLimits.depth + levelsAround;
  const scan: Scan = { text, limited, maxDepth, at: 0, depth: 0, path: [] };
  // A half pair in a body of bytes was refused as invalid UTF-8 already.
  if (!text.isWellFormed()) throw notJson('expected text without half surrogate pairs');
  skipSpaces(scan);
  const value = scanValue(scan);
  skipSpaces(scan);
  if (scan.at < text.length) throw syntaxError(scan, 'expected the end of the JSON text');
  return value;
}

function scanValue(scan: Scan): JsonValue {
  const code = scan.text.charCodeAt(scan.at);
  if (code === 0x22) return scanString(scan);
  if (code === 0x7b) return scanObject(scan);
  if (code === 0x5b) return scanArray(scan);
  if (code === 0x2d || (code >= 0x30 && code <= 0x39)) return scanNumber(scan);
  if (scan.text.startsWith('true', scan.at)) return scanLiteral(scan, 4, true);
  if (scan.text.startsWith('false', scan.at)) return scanLiteral(scan, 5, false);
  if (scan.text.startsWith('null', scan.at)) return scanLiteral(scan, 4, null);
  throw syntaxError(scan, 'expected a JSON value');
}

function scanLiteral(scan: Scan, length: number, value: boolean | null): JsonValue {
  scan.at += length;
  return value;
}

function scanObject(scan: Scan): JsonValue {
  const object: ObjectInProgress = {};
  const level = enter(scan);
  let count = 0;
  for (let more = !closes(scan, 0x7d); more; more = continues(scan, 0x7d)) {
    const start = scan.at;
    if (scan.text.charCodeAt(start) !== 0x22) throw syntaxError(scan, 'expected a key in double quotes');
    const key = scanString(scan);
    scan.path[level] = key;
    if (Object.hasOwn(object, key)) throw syntaxError(scan, `duplicate key ${shownName(key)}`, start, level);
    count += 1;
    if (scan.limited && count > jsonLimits.keysPerObject) throw syntaxError(scan, tooManyKeys, start, level);
    skipSpaces(scan);
    if (scan.text.charCodeAt(scan.at) !== 0x3a) throw syntaxError(scan, 'expected a colon');
    scan.at += 1;
    skipSpaces(scan);
    setOwn(object, key, scanValue(scan));
  }
  scan.depth = level;
  return object;
}

function scanArray(scan: Scan): JsonValue {
  const array: JsonValue[] = [];
  const level = enter(scan);
  for (let more = !closes(scan, 0x5d); more; more = continues(scan, 0x5d)) {
    if (scan.limited && array.length >= jsonLimits.itemsPerArray) {
      throw syntaxError(scan, tooManyItems, scan.at, level);
    }
    scan.path[level] = array.length;
    array.push(scanValue(scan));
  }
  scan.depth = level;
  return array;
}

/** Skips an opening bracket and returns the outer level. */
function enter(scan: Scan): number {
  const level = scan.depth;
  if (level >= scan.maxDepth) throw syntaxError(scan, tooDeep);
  scan.path[level] = '';
  scan.at += 1;
  skipSpaces(scan);
  scan.depth = level + 1;
  return level;
}

/** Skips the closing bracket if it is next. */
function closes(scan: Scan, bracket: number): boolean {
  if (scan.text.charCodeAt(scan.at) !== bracket) return false;
  scan.at += 1;
  return true;
}

/** After a member: skips a comma and returns true, or skips the closing bracket and returns false. */
function continues(scan: Scan, bracket: number): boolean {
  skipSpaces(scan);
  if (closes(scan, bracket)) return false;
  if (scan.text.charCodeAt(scan.at) !== 0x2c) {
    throw syntaxError(scan, `expected a comma or ${String.fromCharCode(bracket)}`);
  }
  scan.at += 1;
  skipSpaces(scan);
  return true;
}

function skipSpaces(scan: Scan): void {
  const { text } = scan;
  let at = scan.at;
  for (let code = text.charCodeAt(at); code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09; ) {
    at += 1;
    code = text.charCodeAt(at);
  }
  scan.at = at;
}

const numberForm = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;

function scanNumber(scan: Scan): JsonValue {
  numberForm.lastIndex = scan.at;
  const match = numberForm.exec(scan.text);
  if (match === null) throw syntaxError(scan, 'expected a JSON number');
  const text = match[0];
  const value = Number(text);
  if (!Number.isFinite(value)) throw syntaxError(scan, 'expected a number within the range of a double');
  scan.at += text.length;
  if (Number.isSafeInteger(value)) return value === 0 ? 0 : value;
  if (match[1] === undefined && match[2] === undefined) return JSON.rawJSON(text);
  const written = integerDigits(text) ?? String(value);
  return /^-?\d+$/.test(written) ? JSON.rawJSON(written) : value;
}

/** The native parser decodes escapes; what it accepts and we do not is checked here. */
function scanString(scan: Scan): string {
  const start = scan.at;
  const { end, escaped } = findQuote(scan, start + 1);
  scan.at = end + 1;
  if (!escaped) return scan.text.slice(start + 1, end);
  const value = unescaped(scan.text.slice(start, end + 1));
  if (value === undefined) throw syntaxError(scan, 'expected a string with escapes of JSON only', start);
  if (value.includes('\0')) throw syntaxError(scan, 'expected a string without NUL', start);
  if (!value.isWellFormed()) throw syntaxError(scan, 'expected a string without half surrogate pairs', start);
  return value;
}

/** Characters of a string that stand for themselves. */
const plainText = /[ !#-[\]-\uffff]*/y;

function findQuote(scan: Scan, from: number): { end: number; escaped: boolean } {
  const { text } = scan;
  let escaped = false;
  // For long strings the expression skips plain characters several times as fast as the loop.
  const longFrom = from + 64;
  for (let at = from; ; at += 1) {
    if (at >= longFrom) {
      plainText.lastIndex = at;
      plainText.test(text);
      at = plainText.lastIndex;
    }
    const code = text.charCodeAt(at);
    if (code === 0x22) return { end: at, escaped };
    if (code === 0x5c) {
      escaped = true;
      at += 1;
    } else if (code < 0x20) throw syntaxError(scan, 'control character in a string: expected an escape', at);
    else if (at >= text.length) throw syntaxError(scan, 'expected a closing quote', text.length);
  }
}

function unescaped(literal: string): string | undefined {
  try {
    return JSON.parse(literal);
  } catch {
    // Its message would quote the text; ours names the position.
    return undefined;
  }
}

/** An error with the JSON path, as far as it is known, and line and column. */
function syntaxError(scan: Scan, problem: string, at = scan.at, level = scan.depth): ServiceError {
  const position = positionText(scan.text, at);
  const path = pathText(scan.path.slice(0, level));
  return notJson(path === '' ? `${position}: ${problem}` : `${path} (${position}): ${problem}`);
}

function positionText(text: string, at: number): string {
  let line = 1;
  let start = 0;
  for (let next = text.indexOf('\n'); next !== -1 && next < at; next = text.indexOf('\n', start)) {
    line += 1;
    start = next + 1;
  }
  return `line ${line}, column ${at - start + 1}`;
}
