import { hash } from 'node:crypto';
import type { Scalar } from '../../domain/predicate/scalar.ts';
import { numberKey } from './order-key.ts';

/**
 * The encoding of index terms: `<project>|<c or s>|<path>|<kind><value>`, one token of FTS5's ascii tokenizer each.
 * That folds A–Z and ends tokens at blanks, quotes and control characters, so these are escaped: `^x` is X, `~` a
 * blank, `%hh` any other. Bytes above 0x7f are token characters and stay. Two things never have one encoding.
 */
export type Projection = 'c' | 's';

/**
 * What follows a path in its terms, by the first letter. The value of a scalar: `n` number and `t` point in time, in an
 * order-preserving encoding, `s` string, `b` boolean. What else is there: `o` an object or array among the values, `e`
 * an array without values, `m` values that may be several (not said of mere strings and booleans), `r` a number that
 * occurs more than once. Of paths whose
 * texts are kept in order also: `u` the key of each text, `v` that there is a scalar, `d` the greatest one in descending order.
 */
export type PathFact = 'o' | 'e' | 'm' | 'r' | 'v';

/** Ends the `u` term of plain text and of a point in time; both are less than any digit, and so than any continuation. */
export const textMarks = { string: '+', instant: '-' } as const;

/** Longer strings, and longer paths, are a digest: FTS5 cuts tokens at 32 KiB, and posting lists need no prose. */
const maxEncoded = 64;
const maxPath = 160;

// Everything but a–z, digits, the signs that the tokenizer keeps and that mean nothing here, and non-ASCII.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is to be escaped.
const special = /[\x00-\x20"%'*A-Z\\^`|~\x7f]/;

/** The encoding of each ASCII character: a table, for most texts have a capital or a blank. */
const encodedAscii: readonly string[] = Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (!special.test(character)) return character;
  if (character === ' ') return '~';
  if (code >= 0x41 && code <= 0x5a) return `^${character.toLowerCase()}`;
  return `%${code.toString(16).padStart(2, '0')}`;
});

const isPlain: readonly boolean[] = encodedAscii.map((encoded, code) => encoded === String.fromCharCode(code));

/** Term of every document of a project that has the projection. A document has `s` where something is staged. */
export function projectionTerm(projectKey: string, projection: Projection): string {
  return `${escapeText(projectKey)}|${projection}`;
}

/** The beginning of all terms of a project's projection, to be followed by a path. */
export function termHead(projectKey: string, projection: Projection): string {
  return `${escapeText(projectKey)}|${projection}|`;
}

/** The encoding of a path one name further in; `parent` is '' at the document itself. */
export function encodePath(parent: string, name: string): string {
  const escaped = escapeText(name);
  // An empty name is a name too, and must not look like the document itself.
  const own = escaped === '' ? '%-' : escaped.replaceAll('.', '%2e');
  const path = parent === '' ? own : `${parent}.${own}`;
  return path.length > maxPath ? `*${digest(path)}` : path;
}

/** The end of the term of a scalar. */
export function encodeScalar(scalar: Scalar): string {
  switch (scalar.type) {
    case 'string':
      return encodeString(scalar.value);
    case 'instant':
      return `t${escapeText(scalar.value)}`;
    case 'number':
      return `n${numberKey(scalar.value)}`;
    case 'boolean':
      return scalar.value ? 'b1' : 'b0';
    default:
      return scalar satisfies never;
  }
}

/** The end of the term of a string that is no point in time. */
export function encodeString(text: string): string {
  return text.length > maxEncoded ? `s*${digest(text)}` : `s${escapeText(text)}`;
}

/** Encodes a text as a part of one token. */
export function escapeText(text: string): string {
  const wellFormed = text.isWellFormed();
  if (wellFormed && !special.test(text)) return text;
  let encoded = '';
  let plainFrom = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 128 ? isPlain[code] : wellFormed || !isHalf(text, at)) continue;
    encoded += text.slice(plainFrom, at) + (code < 128 ? encodedAscii[code]! : `%u${code.toString(16)}`);
    plainFrom = at + 1;
  }
  return encoded + text.slice(plainFrom);
}

/** Half a surrogate pair has no UTF-8; all such halves would become one replacement character. */
function isHalf(text: string, at: number): boolean {
  return !text.slice(at, at + 2).isWellFormed() && !text.slice(Math.max(0, at - 1), at + 1).isWellFormed();
}

/** Undoes `escapeText`. */
export function unescapeText(encoded: string): string {
  return encoded.replaceAll(/~|\^(.)|%u(....)|%(..)/g, (_all, letter?: string, unit?: string, byte?: string) => {
    if (letter !== undefined) return letter.toUpperCase();
    const code = unit ?? byte;
    return code === undefined ? ' ' : String.fromCharCode(Number.parseInt(code, 16));
  });
}

/** 128 bits of SHA-256. */
function digest(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 32);
}
