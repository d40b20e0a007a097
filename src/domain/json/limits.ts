import type { JsonValue } from '../../contract/json.ts';
import { isRawNumber } from './number.ts';

/** Limits of every JSON value that the service accepts or stores, so that a stored value can be sent back to it. */
export const jsonLimits = { depth: 64, itemsPerArray: 100_000, keysPerObject: 10_000 } as const;

/** Scalars in a stored document, at any depth: each is an index term, and a document is indexed as a whole. */
export const maxValues = 100_000;

/** No value with a shorter text can have an array or object with more members than the limits allow. */
export const shortText = 30_000;

/**
 * True if a text is so short and so shallow that its value is within the limits; if false, the value must be checked.
 * Accepts malformed text too, and never overflows.
 */
export function isSurelyWithinLimits(text: string): boolean {
  return text.length < shortText && isShallow(text);
}

/** True if no array or object of a text is deeper than the limit. Accepts malformed text too, and never overflows. */
export function isShallow(text: string): boolean {
  // Few brackets cannot nest deeply, and counting them is much cheaper than following them.
  if (countUpToLimit(text, '{') + countUpToLimit(text, '[') <= jsonLimits.depth) return true;
  let depth = 0;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === 0x22) {
      i = closingQuote(text, i + 1);
    } else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > jsonLimits.depth) return false;
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return true;
}

/** The limit that a value exceeds, in words that follow its path; undefined if it is within the limits. */
export function excessOf(value: JsonValue, depth = 1): string | undefined {
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return undefined;
  if (depth > jsonLimits.depth) return tooDeep;
  const items: readonly JsonValue[] = Array.isArray(value) ? value : Object.values(value);
  if (items.length > (Array.isArray(value) ? jsonLimits.itemsPerArray : jsonLimits.keysPerObject)) {
    return Array.isArray(value) ? tooManyItems : tooManyKeys;
  }
  for (const item of items) {
    const excess = typeof item === 'object' ? excessOf(item, depth + 1) : undefined;
    if (excess !== undefined) return excess;
  }
  return undefined;
}

/** The number of scalars in a value; stops counting above `maxValues`. */
export function countValues(value: JsonValue): number {
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return 1;
  let count = 0;
  for (const item of Array.isArray(value) ? value : Object.values(value)) {
    count += typeof item === 'object' ? countValues(item) : 1;
    if (count > maxValues) return count;
  }
  return count;
}

export const tooDeep = `expected at most ${jsonLimits.depth} levels of arrays and objects`;
export const tooManyItems = `expected at most ${jsonLimits.itemsPerArray} items in an array`;
export const tooManyKeys = `expected at most ${jsonLimits.keysPerObject} keys in an object`;

/** Occurrences of a character; stops counting beyond the depth limit. */
function countUpToLimit(text: string, character: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1 && count <= jsonLimits.depth; at = text.indexOf(character, at + 1)) {
    count += 1;
  }
  return count;
}

function closingQuote(text: string, from: number): number {
  for (let i = from; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === 0x22) return i;
    if (code === 0x5c) i += 1;
  }
  return text.length;
}
