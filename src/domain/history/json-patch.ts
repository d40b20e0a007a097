import type { JsonArray, JsonObject, JsonValue } from '../../contract/json.ts';
import { getOwn, isJsonArray, isJsonObject, jsonEquals } from '../json/values.ts';

/** One operation of a JSON Patch (RFC 6902): those three are all that a difference needs. */
export interface PatchOperation {
  readonly op: 'add' | 'remove' | 'replace';
  /** JSON Pointer (RFC 6901). */
  readonly path: string;
  /** Of `add` and `replace`. */
  readonly value?: JsonValue;
  /** Of `remove` and `replace`, where asked for: what was there. Appliers ignore members that they do not know. */
  readonly oldValue?: JsonValue;
}

/**
 * The JSON Patch that makes one value of another; empty where they are equal. Numbers stay exact, which no library does.
 * The order of keys is not part of a patch. Of arrays the items that both begin and end with are left alone. `undefined`
 * is a document that does not exist: its path is the empty one.
 */
export function jsonPatch(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  oldValues = false,
): readonly PatchOperation[] {
  const operations: PatchOperation[] = [];
  addDifference({ operations, oldValues }, '', before, after);
  return operations;
}

interface Patch {
  readonly operations: PatchOperation[];
  readonly oldValues: boolean;
}

function addDifference(patch: Patch, path: string, before: JsonValue | undefined, after: JsonValue | undefined): void {
  if (before === after) return;
  if (isJsonObject(before) && isJsonObject(after)) addFields(patch, path, before, after);
  else if (isJsonArray(before) && isJsonArray(after)) addItems(patch, path, before, after);
  else if (!jsonEquals(before, after)) addOperation(patch, path, before, after);
}

function addOperation(
  { operations, oldValues }: Patch,
  path: string,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): void {
  const old = oldValues && before !== undefined ? { oldValue: before } : undefined;
  if (after === undefined) operations.push({ op: 'remove', path, ...old });
  else operations.push({ op: before === undefined ? 'add' : 'replace', path, value: after, ...old });
}

function addFields(patch: Patch, path: string, before: JsonObject, after: JsonObject): void {
  for (const name of Object.keys(before)) {
    addDifference(patch, `${path}/${escaped(name)}`, before[name], getOwn(after, name));
  }
  for (const name of Object.keys(after)) {
    if (!Object.hasOwn(before, name)) addOperation(patch, `${path}/${escaped(name)}`, undefined, after[name]);
  }
}

function addItems(patch: Patch, path: string, before: JsonArray, after: JsonArray): void {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && jsonEquals(before[start], after[start])) start += 1;
  let same = 0;
  while (same < shorter - start && jsonEquals(before.at(-1 - same), after.at(-1 - same))) same += 1;
  const [endBefore, endAfter] = [before.length - same, after.length - same];
  for (let at = start; at < Math.min(endBefore, endAfter); at += 1) {
    addDifference(patch, `${path}/${at}`, before[at], after[at]);
  }
  // From the end, so that each index is that of the array as the operations before have left it.
  for (let at = endBefore - 1; at >= endAfter; at -= 1) addOperation(patch, `${path}/${at}`, before[at], undefined);
  for (let at = endBefore; at < endAfter; at += 1) addOperation(patch, `${path}/${at}`, undefined, after[at]);
}

/** A name as a token of a JSON Pointer (RFC 6901 §3). */
function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
