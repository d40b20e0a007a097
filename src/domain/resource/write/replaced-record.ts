import type { ResourceRecord, ResourceStore } from '../../ports/resource-store.ts';
import { DamagedResource } from '../damaged.ts';
import { emptied, parseRecord, type StoredResource } from '../resource.ts';

/**
 * The record that a write of the service itself replaces or deletes, whatever it says: an empty one in the place of one that is
 * damaged, created at `nowIso` where it is not known when.
 */
export async function findReplaced(
  store: Pick<ResourceStore, 'get'>,
  projectKey: string,
  id: string,
  nowIso: string,
): Promise<StoredResource | undefined> {
  try {
    const record = await store.get(projectKey, id);
    return record && parseRecord(record);
  } catch (error) {
    if (!(error instanceof DamagedResource)) throw error;
    return emptied(error.remains, { clientId: 'service' }, nowIso, '');
  }
}

/** What a change of the record expects to find. */
export function expectedOf({
  record,
  remains,
}: {
  readonly record: ResourceRecord;
  readonly remains?: ResourceRecord | undefined;
}) {
  if (remains) return { expectedVersion: remains.version, isOfDamaged: true } as const;
  return { expectedVersion: record.version, expectedIncarnation: record.incarnation };
}
