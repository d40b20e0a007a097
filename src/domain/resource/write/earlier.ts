import { integerExpected, integerOf, type JsonNumber } from '../../../contract/check.ts';
import { ServiceError } from '../../../contract/errors.ts';
import type { JsonValue } from '../../../contract/json.ts';
import type { UpdateRequest } from '../../../contract/update.ts';
import { findVersions, noVersion } from '../../history/versions.ts';
import type { HistorySource } from '../../history/walk.ts';
import { isJsonArray, isJsonObject } from '../../json/values.ts';
import type { Eventually } from '../../ports/eventually.ts';
import type { Documents } from '../../ports/resource-store.ts';
import type { Earlier, Working } from '../actions/define.ts';
import restore from '../actions/restore.ts';
import { ownFieldsOf, type StoredResource } from '../resource.ts';
import type { Write } from './commit.ts';

/** Where earlier versions cannot be read. */
export const noEarlier: Earlier = () => {
  throw new ServiceError('InvalidOperation', 'Earlier versions cannot be restored here.');
};

/**
 * Reads the versions that the restore actions of a request name, before anything of it is checked: the actions run
 * without waiting. A version that is not kept is refused when its action runs.
 */
export function readEarlier(
  { store, log, projectKey }: Write,
  before: StoredResource,
  { version, actions }: UpdateRequest,
): Eventually<Earlier> {
  const isConflict = version !== BigInt(before.resource.version);
  const wanted = isConflict ? new Set<bigint>() : restoredVersions(actions);
  if (log === undefined || wanted.size === 0) return noEarlier;
  return readVersions({ store, log }, projectKey, before, wanted);
}

async function readVersions(
  source: HistorySource,
  projectKey: string,
  { resource, documents }: StoredResource,
  wanted: Set<bigint>,
): Promise<Earlier> {
  const { id, version: last } = resource;
  wanted.delete(BigInt(last));
  const none = { found: new Map(), range: undefined };
  const { found, range } = wanted.size === 0 ? none : await findVersions(source, projectKey, id, wanted);
  return (wantedVersion) => {
    if (wantedVersion === BigInt(last)) return workingOf(documents);
    const earlier = found.get(wantedVersion);
    if (earlier) return workingOf(earlier.documents);
    const error = noVersion(id, wantedVersion, { first: range?.first ?? last, last });
    throw error.code === 'VersionGone' ? error : new ServiceError('InvalidOperation', error.message);
  };
}

/** The content of a version. */
export function workingOf({ current, staged }: Documents): Working {
  const key = current.key as string | undefined;
  return { key, current: ownFieldsOf(current), staged: staged && ownFieldsOf(staged) };
}

/** The versions in a list of actions that is not checked yet. */
function restoredVersions(actions: JsonValue | undefined): Set<bigint> {
  const versions = new Set<bigint>();
  if (!isJsonArray(actions)) return versions;
  for (const action of actions) {
    if (!isJsonObject(action) || action.action !== restore.name) continue;
    if (integerExpected(action.version) === undefined) versions.add(integerOf(action.version as JsonNumber));
  }
  return versions;
}
