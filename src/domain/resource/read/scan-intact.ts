import type { ResourceRecord, ResourceStore } from '../../ports/resource-store.ts';
import { DamagedResource } from '../damaged.ts';

/**
 * The next records by id, after `afterId`, at most `limit` (1–500); only an empty list is the end. Skips damaged records,
 * so that one of them does not hide all records behind it.
 */
export async function scanIntact(
  store: Pick<ResourceStore, 'scan'>,
  projectKey: string,
  afterId: string | undefined,
  limit: number,
  onDamaged: (damaged: DamagedResource) => void = () => {},
): Promise<readonly ResourceRecord[]> {
  for (let after = afterId; ; ) {
    try {
      return await store.scan(projectKey, after, limit);
    } catch (error) {
      // An id that is damaged itself might lead back.
      const isKnown = error instanceof DamagedResource && (error.remains.id > (after ?? '') || error.remains.id === '');
      if (!isKnown) throw error;
      onDamaged(error);
      // An id that is no text comes behind all that are.
      if (error.remains.id === '') return [];
      after = error.remains.id;
    }
  }
}
