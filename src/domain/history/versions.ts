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
  const found = await documentsOfVersion(source, projectKey, id, version, signal);
  if ('documents' in found) return textsOf(id, found.documents, found.change);
  const range = withCurrent(found, record);
  if (range === undefined) throw targetNotFound(target);
  throw noVersion(id, version, range);
}

/** The versions that are kept of a resource. There are no gaps between them. */
export interface VersionRange {
  readonly first: number;
  readonly last: number;
}

interface FoundVersion {
  readonly documents: Documents;
  /** What replaced it. */
  readonly change: LoggedChange;
}

/** An earlier version of a resource; if it is not kept, which ones are, as far as the log has them. */
export async function documentsOfVersion(
  source: HistorySource,
  projectKey: string,
  id: string,
  version: bigint,
  signal?: AbortSignal,
): Promise<FoundVersion | { readonly range: VersionRange | undefined }> {
  let range: VersionRange | undefined;
  for await (const { change, before } of stepsBack(source, projectKey, id, signal)) {
    if (change.origin.type === 'created' || before === 'unknown') break;
    // Between a deletion and its undoing, or after forgetting: there is no version.
    if (!isKnown(before)) continue;
    const found = Number(before.current.version);
    if (BigInt(found) === version) return { documents: before, change };
    range = { first: found, last: range?.last ?? found };
    // Versions only become smaller from here.
    if (BigInt(found) < version) break;
  }
  return { range };
}

function withCurrent(
  { range }: { readonly range: VersionRange | undefined },
  record: ResourceRecord | undefined,
): VersionRange | undefined {
  if (record === undefined) return range;
  return { first: range?.first ?? record.version, last: record.version };
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
