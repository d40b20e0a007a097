import { ServiceError } from '../../../contract/errors.ts';
import type { JsonArray, JsonObject, JsonValue } from '../../../contract/json.ts';
import { systemFieldNames } from '../../../contract/resource.ts';
import { pathAtStart } from '../../json/path-syntax.ts';
import { getOwn, isJsonArray, isJsonObject, jsonLimits, type ObjectInProgress, setOwn } from '../../json/values.ts';
import type { ActionTools, VersionTools } from './define.ts';

/** Names that need no backticks, and no index: most paths. */
const plainPath = /^[-\w]+(?:\.[-\w]+)*$/;

/**
 * The names of a path of an update action, in which an index such as `[0]` is the name of an item, as `0` is. Throws 400
 * `InvalidInput` for a malformed path, and 400 `InvalidOperation` for an index into a value other than an array.
 */
export function namesOfPath(text: string, own: JsonObject, tools: ActionTools): readonly string[] {
  if (plainPath.test(text)) return text.split('.');
  const { steps, rest } = pathAtStart(text, { names: 'free', indexes: true }) ?? { steps: [], rest: text };
  if (steps.length === 0 || rest !== '') {
    const advice = text.includes('`') ? '; a backtick in a name is written as two, in backticks' : '';
    throw new ServiceError(
      'InvalidInput',
      `path '${text}': expected names separated by dots, such as name.en${advice}`,
    );
  }
  const names: string[] = [];
  for (const step of steps) {
    if (typeof step === 'string') names.push(step);
    else if (step.index === '*') {
      throw new ServiceError('InvalidInput', `path '${text}': expected one item, such as [0], not [*]`);
    } else if (isJsonArray(tools.get(own, names))) names.push(String(step.index));
    else return tools.refuse(`path '${text}': expected an array at ${names.join('.')}`);
  }
  return names;
}

/** Objects and arrays that one run of actions copied and that nothing else refers to. */
type Owned = WeakSet<object>;

/**
 * Tools that copy each object or array on a path once and then change the copy in place: five hundred actions on a
 * large document take five hundred steps, not five hundred copies. Values that are set stay foreign, so they are copied
 * before they are changed. Once two paths may share a value that these tools copied, new tools are needed.
 */
export function createTools({ earlier, comparisons }: Pick<VersionTools, 'earlier' | 'comparisons'>): VersionTools {
  const owned: Owned = new WeakSet();
  return {
    get: (own, path) => valueAt(own, checkPath(path)) ?? undefined,
    set: (own, path, value) => setAt(own, checkPath(path), 0, value, owned) as JsonObject,
    remove: (own, path) => removeAt(own, checkPath(path), 0, owned) as JsonObject,
    refuse,
    earlier,
    comparisons,
  };
}

/** Refuses an action in the present state of the resource. */
function refuse(message: string): never {
  throw new ServiceError('InvalidOperation', message);
}

function checkPath(path: readonly string[]): readonly string[] {
  const [first] = path;
  if (first === undefined || path.includes('')) {
    throw invalidPath(path, 'expected names separated by dots, such as name.en');
  }
  if (path.length > jsonLimits.depth) throw invalidPath(path, `expected at most ${jsonLimits.depth} names`);
  if (systemFieldNames.has(first)) {
    const advice = first === 'key' ? 'setKey changes it' : 'only the service changes it';
    throw invalidPath(path, `expected a field of the client; ${first} is a system field, ${advice}`);
  }
  return path;
}

/** An action may have several paths under any name, so a message names the path itself. */
function invalidPath(path: readonly string[], problem: string): ServiceError {
  return new ServiceError('InvalidInput', `path '${path.join('.')}': ${problem}`);
}

function valueAt(own: JsonObject, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = own;
  for (const name of path) value = value === undefined ? undefined : memberOf(value, name);
  return value;
}

function setAt(
  container: JsonValue | undefined,
  path: readonly string[],
  at: number,
  value: JsonValue,
  owned: Owned,
): JsonValue {
  const name = path[at];
  if (name === undefined) return value;
  if (isJsonArray(container)) {
    const index = itemToSet(container, path, at);
    const items = ownedArray(container, owned);
    items[index] = setAt(container[index], path, at + 1, value, owned);
    return items;
  }
  if (container !== undefined && container !== null && !isJsonObject(container)) {
    return refuse(`path '${path.join('.')}': expected an object or array at ${path.slice(0, at).join('.')}`);
  }
  const fields = ownedObject(container ?? {}, owned);
  setOwn(fields, name, setAt(getOwn(fields, name), path, at + 1, value, owned));
  return fields;
}

function removeAt(container: JsonValue, path: readonly string[], at: number, owned: Owned): JsonValue {
  const name = path[at]!;
  const inner = memberOf(container, name);
  if (inner === undefined) return container;
  const changed = at + 1 < path.length ? removeAt(inner, path, at + 1, owned) : undefined;
  if (changed === inner) return container;
  if (isJsonArray(container)) {
    const items = ownedArray(container, owned);
    items.splice(Number(name), 1, ...(changed === undefined ? [] : [changed]));
    return items;
  }
  const fields = ownedObject(container as JsonObject, owned);
  if (changed === undefined) delete fields[name];
  else setOwn(fields, name, changed);
  return fields;
}

function memberOf(container: JsonValue, name: string): JsonValue | undefined {
  if (isJsonArray(container)) return container[itemNumber(name) ?? container.length];
  return isJsonObject(container) ? getOwn(container, name) : undefined;
}

/** In an array a name is the index of an item. */
function itemNumber(name: string): number | undefined {
  return /^(?:0|[1-9]\d{0,5})$/.test(name) ? Number(name) : undefined;
}

/** The index that a name sets: that of an existing item, or the one after the last. */
function itemToSet(items: JsonArray, path: readonly string[], at: number): number {
  const index = itemNumber(path[at]!);
  if (index !== undefined && index <= items.length) return index;
  const array = path.slice(0, at).join('.');
  return refuse(`path '${path.join('.')}': expected item 0 to ${items.length} of the array ${array}, not ${path[at]}`);
}

function ownedObject(object: JsonObject, owned: Owned): ObjectInProgress {
  if (owned.has(object)) return object as ObjectInProgress;
  const copy = { ...object };
  owned.add(copy);
  return copy;
}

function ownedArray(array: JsonArray, owned: Owned): JsonValue[] {
  if (owned.has(array)) return array as JsonValue[];
  const copy = [...array];
  owned.add(copy);
  return copy;
}
