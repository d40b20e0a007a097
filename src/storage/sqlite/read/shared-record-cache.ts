import type { ResourceRecord } from '../../../domain/ports/resource-store.ts';
import type { PointReads } from './point-reads.ts';
import { createRecordCache, type RecordCache } from './record-cache.ts';

/**
 * The memory of hot records where other processes write too (decision 79). A record is answered unseen while nobody has
 * committed anything since it was last looked at; otherwise it is compared with its row first, which costs less than to
 * read it, check it and parse it again.
 */
export function createSharedRecordCache(
  maxBytes: number,
  reads: Pick<PointReads, 'generation' | 'isCurrent'>,
): RecordCache {
  const cache = createRecordCache(maxBytes);
  const checked = new WeakMap<ResourceRecord, number>();
  return {
    ...cache,
    get(name) {
      const record = cache.get(name);
      if (record === undefined) return undefined;
      // Taken before the look: what is committed meanwhile only makes the next look necessary.
      const generation = reads.generation();
      if (checked.get(record) === generation) return record;
      if (!reads.isCurrent(record)) {
        cache.delete(name);
        return undefined;
      }
      checked.set(record, generation);
      return record;
    },
  };
}
