import { integerOf, type JsonNumber } from '../../../contract/check.ts';
import type { JsonArray, JsonObject, JsonValue } from '../../../contract/json.ts';
import { sumOf } from '../../json/decimal.ts';
import { isRawNumber } from '../../json/number.ts';
import { isJsonArray, jsonEquals } from '../../json/values.ts';
import { type ActionDefinition, type ActionTools, defineAction, type VersionTools } from './define.ts';
import { namesOfPath } from './edit-fields.ts';

/** Actions that are right whatever the version is: they change the value that is current when they are carried out. */

const path = {
  type: 'string',
  description: 'Path of the value, as for setField. Objects on the way are created.',
} as const;

/** Items of arrays that the actions of a request may compare: about a second of work, during which nothing else runs. */
export const maxComparisons = 5_000_000;

/** The list at a path; empty where there is none. */
function listAt(own: JsonObject, names: readonly string[], tools: ActionTools): JsonArray {
  const list = tools.get(own, names) ?? [];
  return isJsonArray(list) ? list : tools.refuse(`path '${names.join('.')}': expected an array, or no value`);
}

export const actionsOnCurrent: readonly ActionDefinition[] = [
  defineAction({
    name: 'incrementNumber',
    summary:
      'Adds to a number, exactly: integers of 64 bits, and decimals as they are written. An absent number counts as 0.',
    changes: 'fields',
    needsVersion: false,
    fields: {
      path: { ...path, example: 'stock' },
      by: { type: 'number', description: 'What to add; a negative number is taken away.', example: -1 },
    },
    apply(own, { path: text, by }, tools) {
      const names = namesOfPath(text, own, tools);
      const before = tools.get(own, names) ?? 0;
      if (typeof before !== 'number' && !isRawNumber(before)) {
        return tools.refuse(`path '${text}': expected a number, or no value`);
      }
      const sum = sumOf(before as JsonNumber, by);
      if (sum !== undefined) return tools.set(own, names, sum);
      return tools.refuse(
        `path '${text}': expected a sum that is an integer of 64 bits, or has at most 15 digits; setField sets any number`,
      );
    },
  }),
  defineAction({
    name: 'addToList',
    summary: 'Adds an item to an array. An absent array counts as an empty one.',
    changes: 'fields',
    needsVersion: false,
    fields: {
      path: { ...path, example: 'tags' },
      value: { type: 'any', description: 'The new item, any JSON but null.', example: 'sale' },
      unique: {
        type: 'boolean',
        optional: true,
        description: 'Add nothing where the array has an equal item: numbers by value, objects in any order of names.',
        example: true,
      },
      at: {
        type: 'integer',
        optional: true,
        description: 'The index that the item gets: 0 is the first one, -1 is behind the last one, as without it.',
        example: 0,
      },
    },
    apply(own, { path: text, value, unique, at }, tools) {
      const names = namesOfPath(text, own, tools);
      const list = listAt(own, names, tools);
      if (unique && without(list, value, tools).length < list.length) return own;
      const index = at === undefined || integerOf(at) === -1n ? BigInt(list.length) : integerOf(at);
      if (index < 0n || index > list.length)
        return tools.refuse(`at: expected 0 to ${list.length}, or -1, not ${index}`);
      if (list.length === 0) return tools.set(own, names, [value]);
      if (index === BigInt(list.length)) return tools.set(own, [...names, String(index)], value);
      return tools.set(own, names, list.toSpliced(Number(index), 0, value));
    },
  }),
  defineAction({
    name: 'removeFromList',
    summary: 'Removes all items from an array that are equal to a value. Without such an item, nothing changes.',
    changes: 'fields',
    needsVersion: false,
    fields: {
      path: { ...path, example: 'tags' },
      value: {
        type: 'any',
        description: 'The item: numbers are equal by value, objects in any order of names.',
        example: 'sale',
      },
    },
    apply(own, { path: text, value }, tools) {
      const names = namesOfPath(text, own, tools);
      const list = listAt(own, names, tools);
      const left = without(list, value, tools);
      return left.length < list.length ? tools.set(own, names, left) : own;
    },
  }),
  defineAction({
    name: 'setIfAbsent',
    summary: 'Sets a field that is absent or null. Where it has a value, nothing changes.',
    changes: 'fields',
    needsVersion: false,
    fields: {
      path: { ...path, example: 'firstSeenAt' },
      value: { type: 'any', description: 'The value, any JSON but null.', example: '2026-05-04' },
    },
    apply(own, { path: text, value }, tools) {
      const names = namesOfPath(text, own, tools);
      return tools.get(own, names) === undefined ? tools.set(own, names, value) : own;
    },
  }),
];

/** The items that are not equal to a value. */
function without(list: JsonArray, value: JsonValue, tools: ActionTools): JsonArray {
  const { comparisons } = tools as VersionTools;
  comparisons.left -= list.length;
  if (comparisons.left < 0) {
    tools.refuse(`expected at most ${maxComparisons} items of arrays to compare; send fewer actions at a time`);
  }
  return list.filter((item) => !jsonEquals(item, value));
}
