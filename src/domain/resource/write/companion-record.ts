import type { JsonObject } from '../../../contract/json.ts';
import type { ResourceStore } from '../../ports/resource-store.ts';
import { DamagedResource } from '../damaged.ts';
import { emptied, parseRecord, type Resource, type StoredResource, serializeResource } from '../resource.ts';
import { expectedOf } from './decision.ts';

/** The times of an empty record in the place of a damaged one; no response shows them. */
const anyTime = '1970-01-01T00:00:00.000Z';

/**
 * Reads a record that the service keeps for itself in a companion project, for a write that needs nothing of a damaged one:
 * such a record is empty, and the write heals it.
 */
export async function readCompanionRecord(
  store: Pick<ResourceStore, 'get'>,
  projectKey: string,
  id: string,
  author: JsonObject,
): Promise<StoredResource | undefined> {
  try {
    const record = await store.get(projectKey, id);
    return record && parseRecord(record);
  } catch (error) {
    if (!(error instanceof DamagedResource)) throw error;
    return emptied(error.remains, author, anyTime, '');
  }
}

/** The change that creates a record of a companion project, or replaces the whole content of the one before. */
export function companionWrite(
  { projectKey, id }: Pick<Resource, 'projectKey' | 'id'>,
  before: StoredResource | undefined,
  current: JsonObject,
  author: JsonObject,
  nowIso: string,
) {
  const { record: next, documents: after } = serializeResource({
    projectKey,
    id,
    key: undefined,
    version: (before?.record.version ?? 0) + 1,
    createdAt: before?.resource.createdAt ?? nowIso,
    lastModifiedAt: nowIso,
    createdBy: author,
    lastModifiedBy: author,
    current,
    staged: undefined,
    incarnation: undefined,
    history: '',
  });
  if (!before) return { kind: 'create', next, after } as const;
  return { kind: 'update', ...expectedOf(before), next, before: before.documents, after } as const;
}

/** The change that deletes a record of a companion project. */
export function companionDeletion(before: StoredResource) {
  const { projectKey, id } = before.record;
  return { kind: 'delete', projectKey, id, ...expectedOf(before), before: before.documents } as const;
}
