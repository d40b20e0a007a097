import type { JsonObject } from '../../../contract/json.ts';
import type { ResourceRecord, ResourceStore } from '../../ports/resource-store.ts';
import { DamagedResource } from '../damaged.ts';
import { emptied, parseRecord, type StoredResource } from '../resource.ts';

/** For an empty record in the place of a damaged one, whose own times nobody sees. */
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

/**
 * The next records by id, after `afterId`, at most `limit` (1–500); only an empty list is the end. Skips damaged records,
 * so that one of them does not hide all records behind it.
 */
export async function scanIntact(
  store: Pick<ResourceStore, 'scan'>,
  projectKey: string,
  afterId: string | undefined,
  limit: number,
  onDamaged: (id: string) => void = () => {},
): Promise<readonly ResourceRecord[]> {
  for (let after = afterId; ; ) {
    try {
      return await store.scan(projectKey, after, limit);
    } catch (error) {
      if (!(error instanceof DamagedResource) || error.remains.id <= (after ?? '')) throw error;
      after = error.remains.id;
      onDamaged(after);
    }
  }
}
