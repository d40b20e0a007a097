import type { JsonValue } from '../../contract/json.ts';
import { isRawNumber } from './number.ts';

/** Limits of every JSON value that the service accepts or stores, so that a stored value can be sent back to it. */
export const jsonLimits = { depth: 64, itemsPerArray: 100_000, keysPerObject: 10_000 } as const;

/** Scalars in a stored document, at any depth: each is an index term, and a document is indexed as a whole. */
export const maxValues = 100_000;

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
