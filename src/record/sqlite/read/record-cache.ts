import { Cache, type CacheStatistics, Offers } from '../../../cache/cache.ts';
import type { ResourceRecord } from '../../../domain/ports/resource-store.ts';
import type { PointReads } from './point-reads.ts';

/**
 * Caches records in front of the database. It never returns an old version: a record is dropped when a write of it is
 * handed to the writer, and not cached again before that write has ended, so a version that another reader may have
 * seen is never followed by an older one.
 */
export interface RecordCache {
  get(name: string): ResourceRecord | undefined;
  /** Caches a record that was just read, if it was offered before lately and no write of it is under way. */
  offer(name: string, record: ResourceRecord): void;
  delete(name: string): void;
  /** A write is handed over. Call `writeEnded` when it has ended, whatever the outcome. */
  writeBegins(name: string): void;
  writeEnded(name: string): void;
  readonly statistics: CacheStatistics;
}

/** Records with more characters are not cached. */
const maxRecordLength = 65_536;

/** About the memory of a record: V8 keeps one byte for each character where all are Latin-1. */
function bytesOf({ current, staged }: ResourceRecord): number {
  const length = 200 + current.length + (staged?.length ?? 0);
  return length > maxRecordLength ? Number.MAX_SAFE_INTEGER : length;
}

/** Creates a cache of at most `maxBytes` of bodies. */
export function createRecordCache(maxBytes: number): RecordCache {
  const cache = new Cache<string, ResourceRecord>({ maxBytes: Math.max(1, maxBytes), bytesOf });
  /** Writes under way by name. */
  const writing = new Map<string, number>();
  const offers = new Offers(maxBytes);

  return {
    get: (name) => cache.get(name),
    offer(name, record) {
      if (offers.isRepeated(name) && !writing.has(name)) cache.set(name, record);
    },
    delete: (name) => void cache.delete(name),
    writeBegins(name) {
      cache.delete(name);
      writing.set(name, (writing.get(name) ?? 0) + 1);
    },
    writeEnded(name) {
      const left = (writing.get(name) ?? 1) - 1;
      if (left > 0) writing.set(name, left);
      else writing.delete(name);
    },
    statistics: cache,
  };
}

/**
 * The cache of records where other processes write too. A record is returned as it is while nothing was
 * committed since it was last checked. Otherwise it is compared with its row first, which costs less than to read,
 * check and parse it again.
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
      // Taken before the check: a commit in between only makes the next check necessary.
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
