import type { JsonObject } from '../../contract/json.ts';
import { parseStoredJson } from '../json/parse.ts';
import { getOwn, jsonEquals } from '../json/values.ts';
import type { LoggedChange } from '../ports/change-log.ts';
import type { Documents } from '../ports/resource-store.ts';
import type { Replaced, ReplacedProjection } from './replaced.ts';

/**
 * The top-level fields that a change replaced, added or removed, `key` included, sorted; absent for a projection that is
 * as it was. Fields that change with every version do not count. Where nothing is staged, the staged projection is the
 * current one and is not told apart from it.
 */
export interface ChangedFields {
  readonly current?: readonly string[];
  readonly staged?: readonly string[];
}

const volatile: ReadonlySet<string> = new Set(['version', 'lastModifiedAt', 'lastModifiedBy', 'hasStagedChanges']);

/**
 * What the record of a change alone tells: undefined where the change is no update or was forgotten, `documentsNeeded`
 * where something became staged or is no longer: then only the documents tell.
 */
export function recordedFields({ origin, before }: LoggedChange): ChangedFields | 'documentsNeeded' | undefined {
  if (before === null || origin.type === 'deleted' || origin.type === 'forgotten') return undefined;
  const { current, staged } = parseStoredJson(before) as unknown as Replaced;
  if (staged === null || (staged && 'whole' in staged)) return 'documentsNeeded';
  return named(replacedNames(current), replacedNames(staged));
}

/** The changed fields, from the documents before and after an update. */
export function fieldsBetween(before: Documents, after: Documents): ChangedFields {
  const current = differences(before.current, after.current);
  if (!before.staged && !after.staged) return named(current, []);
  return named(current, differences(before.staged ?? before.current, after.staged ?? after.current));
}

function named(current: readonly string[], staged: readonly string[]): ChangedFields {
  return { ...(current.length > 0 && { current }), ...(staged.length > 0 && { staged }) };
}

function replacedNames(projection: ReplacedProjection | undefined): readonly string[] {
  if (!projection || 'whole' in projection) return [];
  return [...Object.keys(projection.fields), ...(projection.added ?? [])].filter((name) => !volatile.has(name)).sort();
}

function differences(before: JsonObject, after: JsonObject): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .filter((name) => !volatile.has(name) && !jsonEquals(getOwn(before, name), getOwn(after, name)))
    .sort();
}
