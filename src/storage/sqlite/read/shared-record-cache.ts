import type { ResourceRecord } from '../../../domain/ports/resource-store.ts';
import type { PointReads } from './point-reads.ts';
import { createHotRecords, type HotRecords } from './record-cache.ts';

/**
 * The memory of hot records where other processes write too (decision 79). A record is answered unseen while nobody has
 * committed anything since it was last looked at; otherwise it is compared with its row first, which costs less than to
 * read it, check it and parse it again.
 */
export function createSharedHotRecords(maxBytes: number, reads: Pick<PointReads, 'moment' | 'isCurrent'>): HotRecords {
  const hot = createHotRecords(maxBytes);
  const checked = new WeakMap<ResourceRecord, number>();
  return {
    ...hot,
    get(name) {
      const record = hot.get(name);
      if (record === undefined) return undefined;
      // Taken before the look: what is committed meanwhile only makes the next look necessary.
      const moment = reads.moment();
      if (checked.get(record) === moment) return record;
      if (!reads.isCurrent(record)) {
        hot.forget(name);
        return undefined;
      }
      checked.set(record, moment);
      return record;
    },
  };
}
