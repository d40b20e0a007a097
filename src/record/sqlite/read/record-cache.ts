import { Cache, type CacheStatistics, Offers } from '../../../cache/cache.ts';
import type { ResourceRecord } from '../../../domain/ports/resource-store.ts';
import type { PointReads } from './point-reads.ts';

/** Records with more characters are not cached. */
const maxRecordLength = 65_536;

/** About the memory of a record: V8 keeps one byte for each character where all are Latin-1. */
function bytesOf({ current, staged }: ResourceRecord): number {
  const length = 200 + current.length + (staged?.length ?? 0);
  return length > maxRecordLength ? Number.MAX_SAFE_INTEGER : length;
}

/**
 * Caches records in front of the database. It never returns an old version: a record is dropped when a write of it is
 * handed to the writer, and not cached again before that write has ended, so a version that another reader may have
 * seen is never followed by an older one.
 */
export class RecordCache {
  readonly #cache: Cache<string, ResourceRecord>;
  /** Writes under way by name. */
  readonly #writing = new Map<string, number>();
  readonly #offers = new Offers();

  /** A cache of at most `maxBytes` of bodies. */
  constructor(maxBytes: number) {
    this.#cache = new Cache({ maxBytes: Math.max(1, maxBytes), bytesOf });
  }

  get statistics(): CacheStatistics {
    return this.#cache;
  }

  get(name: string): ResourceRecord | undefined {
    return this.#cache.get(name);
  }

  delete(name: string): void {
    this.#cache.delete(name);
  }

  /** Caches a record that was just read, if it was offered before lately and no write of it is under way. */
  offer(name: string, record: ResourceRecord): void {
    if (this.#offers.isRepeated(name) && !this.#writing.has(name)) this.#cache.set(name, record);
  }

  /** A write is handed over. Call `writeEnded` when it has ended, whatever the outcome. */
  writeBegins(name: string): void {
    this.#cache.delete(name);
    this.#writing.set(name, (this.#writing.get(name) ?? 0) + 1);
  }

  writeEnded(name: string): void {
    const left = (this.#writing.get(name) ?? 1) - 1;
    if (left > 0) this.#writing.set(name, left);
    else this.#writing.delete(name);
  }
}

/**
 * The cache of records where other processes write too. A record is returned as it is while nothing was
 * committed since it was last checked. Otherwise it is compared with its row first, which costs less than to read,
 * check and parse it again.
 */
export class SharedRecordCache extends RecordCache {
  readonly #reads: Pick<PointReads, 'generation' | 'isCurrent'>;
  readonly #checked = new WeakMap<ResourceRecord, number>();

  constructor(maxBytes: number, reads: Pick<PointReads, 'generation' | 'isCurrent'>) {
    super(maxBytes);
    this.#reads = reads;
  }

  override get(name: string): ResourceRecord | undefined {
    const record = super.get(name);
    if (record === undefined) return undefined;
    // Taken before the check: a commit in between only makes the next check necessary.
    const generation = this.#reads.generation();
    if (this.#checked.get(record) === generation) return record;
    if (!this.#reads.isCurrent(record)) {
      this.delete(name);
      return undefined;
    }
    this.#checked.set(record, generation);
    return record;
  }
}
