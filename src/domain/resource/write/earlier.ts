import { integerOf, type JsonNumber } from '../../../contract/check.ts';
import { ServiceError } from '../../../contract/errors.ts';
import { findVersions, noVersion } from '../../history/versions.ts';
import type { Documents } from '../../ports/resource-store.ts';
import { restore } from '../actions/built-in.ts';
import type { Earlier, Working } from '../actions/define.ts';
import type { Step } from '../actions/run.ts';
import { ownFieldsOf, type StoredResource } from '../resource.ts';
import type { Write } from './commit.ts';

/** Where earlier versions cannot be read. */
export const noEarlier: Earlier = () => {
  throw new ServiceError('InvalidOperation', 'Earlier versions cannot be restored here.');
};

/**
 * Reads the versions that the restore actions of a request name, before the first action is applied: the actions run
 * without waiting. A version that is not kept is refused when its action runs.
 */
export async function readEarlier(
  { store, log, projectKey }: Write,
  { resource, documents }: StoredResource,
  steps: readonly Step[],
): Promise<Earlier> {
  if (log === undefined) return noEarlier;
  const { id, version: last } = resource;
  const wanted = new Set<bigint>();
  for (const { definition, values } of steps) {
    if (definition === (restore as unknown)) wanted.add(integerOf(values.version as JsonNumber));
  }
  wanted.delete(BigInt(last));
  const none = { found: new Map(), range: undefined };
  const { found, range } = wanted.size === 0 ? none : await findVersions({ store, log }, projectKey, id, wanted);
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
