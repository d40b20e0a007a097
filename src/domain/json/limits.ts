import type { JsonValue } from '../../contract/json.ts';
import { isRawNumber } from './number.ts';

/** Bounds of every JSON value that the service takes or keeps, so that what it keeps can be sent back to it. */
export const jsonLimits = { depth: 64, itemsPerArray: 100_000, keysPerObject: 10_000 } as const;

/** Below this length of its text no array and no object of a value can have more members than the limits allow. */
const shortText = 30_000;

/** True if a text is so short and so shallow that its value is within the limits; false where one has to look. */
export function isSurelyWithinLimits(text: string): boolean {
  return text.length < shortText && isShallow(text);
}

/** What a value has too much of, in words that follow its place; undefined where it is within the limits. */
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

export const tooDeep = `at most ${jsonLimits.depth} levels of arrays and objects expected`;
export const tooManyItems = `at most ${jsonLimits.itemsPerArray} items in an array expected`;
export const tooManyKeys = `at most ${jsonLimits.keysPerObject} keys in an object expected`;

/** True if no bracket of the text stands deeper than the limit. Reads malformed text too, and never overflows. */
function isShallow(text: string): boolean {
  // Few brackets cannot nest deeply, and counting them is much cheaper than following them.
  if (countUpTo(text, '{') + countUpTo(text, '[') <= jsonLimits.depth) return true;
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

/** Occurrences of a character; stops where there are more than the depth limit. */
function countUpTo(text: string, character: string): number {
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
