import type { JsonObject } from '../../../contract/json.ts';
import type { ResourceStore } from '../../ports/resource-store.ts';
import { DamagedResource } from '../damaged.ts';
import { emptied, parseRecord, type StoredResource } from '../resource.ts';

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
