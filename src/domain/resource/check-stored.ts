import { ServiceError } from '../../contract/errors.ts';
import type { JsonObject, JsonValue } from '../../contract/json.ts';
import { countValues, excessOf, maxValues } from '../json/limits.ts';
import { isRawNumber } from '../json/number.ts';
import { pathText } from '../json/path-text.ts';
import type { Documents, ResourceRecord, StorableRecord } from '../ports/resource-store.ts';

/**
 * The one gate in front of the stores. Every record passes it, whichever way it came: a body, a line of CSV or NDJSON, a
 * batch, a form, a restore, a moved project, an action of the operator, the embedded backend, or the service itself. Only
 * this function makes a `StorableRecord`, so the compiler finds a way in that goes around it.
 *
 * Refuses what bodies of JSON may not hold either, and what no index can take: NUL and half surrogate pairs in names and
 * texts (400 `InvalidInput` with the path), and more than `jsonLimits` or `maxValues` (400 `ResourceSizeLimitExceeded`).
 */
export function checkStorable(
  record: ResourceRecord,
  own: readonly JsonObject[],
  documents: Documents,
): StorableRecord {
  checkTexts(record.current, documents.current);
  if (record.staged !== undefined) checkTexts(record.staged, documents.staged!);
  const excess = own.map(excessOfFields).find((each) => each !== undefined);
  if (excess !== undefined) throw tooLarge(excess);
  return record as StorableRecord;
}

/** The error of a resource that exceeds a limit. */
export function tooLarge(excess: string): ServiceError {
  return new ServiceError('ResourceSizeLimitExceeded', `The resource would exceed its limits: ${excess}.`);
}

/** The field that the service adds where the client sends none does not count as one of the client's. */
function excessOfFields(own: JsonObject): string | undefined {
  const { objectTypeProperty, ...fields } = own;
  const excess = excessOf(fields) ?? (objectTypeProperty === undefined ? undefined : excessOf(objectTypeProperty, 2));
  if (excess !== undefined || countValues(own) <= maxValues) return excess;
  return `expected at most ${maxValues} values, in all arrays and objects together`;
}

/** A NUL or half a surrogate pair as `JSON.stringify` writes it: behind an even number of other backslashes. */
const escapedForm = /(?<!\\)(?:\\\\)*\\u(?:0000|[dD][89a-fA-F])/;

/** Throws 400 `InvalidInput` if a name or a text in the document, whose JSON is the text, cannot be stored. */
export function checkTexts(text: string, document: JsonObject): void {
  // Few texts have such an escape at all.
  if (!text.includes('\\u') || !escapedForm.test(text)) return;
  const path = findUnstorable(document, []) ?? [];
  throw new ServiceError(
    'InvalidInput',
    `${pathText(path)}: names and texts cannot contain NUL (U+0000) or half of a surrogate pair; remove the character.`,
  );
}

const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed();

/** The path of the first name or text that cannot be stored. */
function findUnstorable(value: JsonValue, path: readonly (string | number)[]): typeof path | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : path;
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return undefined;
  for (const [name, item] of Array.isArray(value) ? value.entries() : Object.entries(value as JsonObject)) {
    const at = [...path, name];
    if (typeof name === 'string' && !isStorable(name)) return at;
    const found = findUnstorable(item, at);
    if (found) return found;
  }
  return undefined;
}
