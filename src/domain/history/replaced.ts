import type { JsonObject } from '../../contract/json.ts';
import { parseStoredJson, stringifyJson } from '../json/parse.ts';
import { hasSameText } from '../json/values.ts';
import type { Documents } from '../ports/resource-store.ts';

/**
 * What a change replaced, as its record keeps it: with the resource as it is after the change this gives the one before
 * it (decision 98), to the byte. For a projection either the top-level fields that the change replaced or removed
 * (`fields`), the names of those that it added, and the order of all where it moved; or the whole document where there is
 * none after the change. `null` where there was none before; absent where the projection stays as it is.
 */
export type ReplacedProjection =
  | { readonly fields: JsonObject; readonly added?: readonly string[]; readonly order?: readonly string[] }
  | { readonly whole: JsonObject }
  | null;

/** The values that a change replaced, for both projections. */
export interface Replaced {
  readonly current?: ReplacedProjection;
  readonly staged?: ReplacedProjection;
}

/** The values that an update replaces, as JSON text, without fields whose text stays the same. */
export function replacedBy(before: Documents, after: Documents): string {
  const [current, staged] = [
    replacedProjection(before.current, after.current),
    replacedProjection(before.staged, after.staged),
  ];
  const replaced: Replaced = {
    ...(current !== undefined && { current }),
    ...(staged !== undefined && { staged }),
  };
  return stringifyJson(replaced as JsonObject);
}

function replacedProjection(
  before: JsonObject | undefined,
  after: JsonObject | undefined,
): ReplacedProjection | undefined {
  if (before === after) return undefined;
  if (!before) return null;
  if (!after) return { whole: before };
  const changed: [string, JsonObject[string]][] = [];
  for (const name of Object.keys(before)) {
    const old = before[name]!;
    if (!Object.hasOwn(after, name) || !hasSameText(old, after[name])) changed.push([name, old]);
  }
  const added: string[] = [];
  for (const name of Object.keys(after)) if (!Object.hasOwn(before, name)) added.push(name);
  // From entries, since a field may be named like a setter of Object.prototype.
  const fields = Object.fromEntries(changed);
  const kept = { fields, ...(added.length > 0 && { added }) };
  return isInOrder(before, after, fields) ? kept : { ...kept, order: Object.keys(before) };
}

/** True if the names have the same order where the replaced fields are put into the document after the change. */
function isInOrder(before: JsonObject, after: JsonObject, fields: JsonObject): boolean {
  const names = Object.keys(before);
  let at = 0;
  for (const name of Object.keys(after)) {
    if (name === names[at]) at += 1;
    else if (Object.hasOwn(before, name)) return false;
  }
  for (const name of Object.keys(fields)) {
    if (Object.hasOwn(after, name)) continue;
    if (name !== names[at]) return false;
    at += 1;
  }
  return at === names.length;
}

/**
 * The documents before a change, from its record and the documents after it; undefined where there are none. Fields that
 * the change left alone are the same values in both.
 */
export function documentsBefore(replaced: string | null, after: Documents | undefined): Documents | undefined {
  if (replaced === null) return undefined;
  const { current, staged } = parseStoredJson(replaced) as unknown as Replaced;
  const before = projectionBefore(current, after?.current);
  if (!before) throw new Error('A change record does not fit the resource.');
  const stagedBefore = projectionBefore(staged, after?.staged);
  return stagedBefore ? { current: before, staged: stagedBefore } : { current: before };
}

function projectionBefore(
  replaced: ReplacedProjection | undefined,
  after: JsonObject | undefined,
): JsonObject | undefined {
  if (replaced === undefined) return after;
  if (replaced === null) return undefined;
  if ('whole' in replaced) return replaced.whole;
  const { fields, added, order } = replaced;
  const both: Record<string, JsonObject[string]> = { ...after, ...fields };
  if (order) return Object.fromEntries(order.map((name) => [name, both[name]!]));
  for (const name of added ?? []) delete both[name];
  return both;
}
