import { ServiceError } from '../../contract/errors.ts';
import { instantOf } from '../instant.ts';
import { stringifyJson } from '../json/parse.ts';
import type { LoggedChange } from '../ports/change-log.ts';
import type { Documents, ResourceRecord } from '../ports/resource-store.ts';
import { type Target, targetNotFound } from '../resource/target.ts';
import { type HistorySource, isKnown, stepsBack } from './walk.ts';

/** A resource as it was in one of its versions: texts as they were served, to the byte. */
export type OldVersion = Pick<ResourceRecord, 'id' | 'version' | 'incarnation' | 'createdAt' | 'current' | 'staged'>;

/**
 * The id of a resource that exists or is deleted. A key names the resource that has it, else the one that had it when it
 * was deleted; undefined if there is neither.
 */
export async function historicId(
  { store, log }: HistorySource,
  projectKey: string,
  target: Target,
): Promise<string | undefined> {
  if ('id' in target) return target.id;
  const record = await store.getByKey(projectKey, target.key);
  return record?.id ?? (await log.deletionByKey(projectKey, target.key))?.id;
}

/**
 * A version of a resource, or of the last one of this id if it is deleted. Throws 404 for a version that never was, 410
 * `VersionGone` for one that is no longer kept.
 */
export async function getVersion(
  source: HistorySource,
  projectKey: string,
  target: Target,
  version: bigint,
  signal?: AbortSignal,
): Promise<OldVersion> {
  const id = await historicId(source, projectKey, target);
  if (id === undefined) throw targetNotFound(target);
  const record = await source.store.get(projectKey, id);
  if (record !== undefined && BigInt(record.version) === version) return record;
  const { found, range: earlier } = await findVersions(source, projectKey, id, new Set([version]), signal);
  const [old] = found.values();
  if (old) return textsOf(id, old.documents, old.change);
  const range = record ? { first: earlier?.first ?? record.version, last: record.version } : earlier;
  if (range === undefined) throw targetNotFound(target);
  throw noVersion(id, version, range);
}

/** The versions that are kept of a resource. There are no gaps between them. */
export interface VersionRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Finds versions before the current one, or, of a deleted resource, up to the one that was deleted, each with the change that
 * replaced it; and the range of all versions that were passed on the way.
 */
export async function findVersions(
  source: HistorySource,
  projectKey: string,
  id: string,
  versions: ReadonlySet<bigint>,
  signal?: AbortSignal,
) {
  const found = new Map<bigint, { readonly documents: Documents; readonly change: LoggedChange }>();
  let range: VersionRange | undefined;
  for await (const { change, before } of stepsBack(source, projectKey, id, signal)) {
    if (change.origin.type === 'created' || before === 'unknown') break;
    // Between a deletion and its undoing there is no version.
    if (!isKnown(before)) continue;
    const version = Number(before.current.version);
    range = { first: version, last: range?.last ?? version };
    if (versions.has(BigInt(version))) found.set(BigInt(version), { documents: before, change });
    if (found.size === versions.size) break;
  }
  return { found, range };
}

/** The error for a version that is not kept: 404 if it never was, else 410. */
export function noVersion(id: string, version: bigint, versions: VersionRange): ServiceError {
  const { first, last } = versions;
  const kept = first === last ? `version ${last}` : `versions ${first} to ${last}`;
  if (version < 1n || version > BigInt(last)) {
    return new ServiceError('ResourceNotFound', `The Resource '${id}' has no version ${version}, but ${kept}.`);
  }
  const message = `Version ${version} of the Resource '${id}' is no longer kept, but ${kept}.`;
  return new ServiceError('VersionGone', message, { versions });
}

function textsOf(id: string, { current, staged }: Documents, { incarnation }: LoggedChange): OldVersion {
  return {
    id,
    version: Number(current.version),
    incarnation,
    createdAt: instantOf(current.createdAt as string),
    current: stringifyJson(current),
    staged: staged && stringifyJson(staged),
  };
}
