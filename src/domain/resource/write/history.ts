import type { JsonObject } from '../../../contract/json.ts';
import { jsonEquals } from '../../json/equals.ts';
import type { VersionChange } from '../../ports/resource-store.ts';
import type { Resource } from '../resource.ts';

/** How many versions back a conflict can tell what changed. */
export const historyLength = 20;

/** The history with a further version, newest first. */
export function extendHistory(before: Resource, after: Resource): readonly VersionChange[] {
  const entry: VersionChange = { version: after.version, fields: changedFields(before, after) };
  return [entry, ...before.history].slice(0, historyLength);
}

/**
 * The top-level fields that changed after a version, sorted; undefined where the history no longer reaches back to it
 * or it never was a version.
 */
export function changedFieldsSince(resource: Resource, version: bigint): readonly string[] | undefined {
  const later = resource.history.filter((change) => BigInt(change.version) > version);
  const missed = BigInt(resource.version) - version;
  if (version < 1n || missed < 1n || BigInt(later.length) !== missed) return undefined;
  return [...new Set(later.flatMap((change) => change.fields))].sort();
}

/** Own fields and `key` that differ in one of the projections. What changes with every version is left out. */
function changedFields(before: Resource, after: Resource): readonly string[] {
  const names = new Set(differences(before.current, after.current));
  if (before.staged !== undefined || after.staged !== undefined) {
    const staged = differences(before.staged ?? before.current, after.staged ?? after.current);
    for (const name of staged) names.add(name);
  }
  if (before.key !== after.key) names.add('key');
  return [...names].sort();
}

function differences(before: JsonObject, after: JsonObject): string[] {
  if (before === after) return [];
  const isChanged = (name: string) =>
    before[name] !== after[name] && !jsonEquals(fieldOf(before, name), fieldOf(after, name));
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name) && isChanged(name));
  return [...Object.keys(after).filter(isChanged), ...gone];
}

/** A missing `objectTypeProperty` is answered as `{}`, so it is no change either. */
function fieldOf(own: JsonObject, name: string): JsonObject[string] | undefined {
  if (Object.hasOwn(own, name)) return own[name];
  return name === 'objectTypeProperty' ? {} : undefined;
}
