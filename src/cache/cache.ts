import { LRUCache } from 'lru-cache';

/** The limits of a cache: entries, bytes, or both. */
export interface CacheLimits<V> {
  /** Maximum number of entries. Memory for all of them is allocated at once, so do not set it too high. */
  readonly maxEntries?: number;
  /** Maximum bytes of all entries together, as `bytesOf` counts them. */
  readonly maxBytes?: number;
  /** The bytes of one value, at least 1. Called once, when the value is set. Needed with `maxBytes`. */
  readonly bytesOf?: (value: V) => number;
}

/** The statistics of a cache, for metrics. */
export interface CacheStatistics {
  readonly size: number;
  readonly bytes: number;
  readonly hits: number;
  readonly misses: number;
}

/**
 * The bounded cache of the service: it drops the least recently used entry first. It knows nothing of its entries: the
 * caller deletes those that are no longer valid.
 */
export class Cache<K extends {}, V extends {}> implements CacheStatistics {
  readonly #entries: LRUCache<K, V>;
  hits = 0;
  misses = 0;

  constructor({ maxEntries, maxBytes, bytesOf }: CacheLimits<V>) {
    if (maxEntries === undefined && maxBytes === undefined) throw new Error('a cache needs a limit');
    this.#entries = new LRUCache<K, V>({
      ...(maxEntries !== undefined && { max: maxEntries }),
      ...(maxBytes !== undefined && { maxSize: maxBytes }),
      ...(bytesOf !== undefined && { sizeCalculation: bytesOf }),
    } as LRUCache.Options<K, V, unknown>);
  }

  /** Returns the value and marks it as the most recently used; undefined if the key is absent. */
  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) this.misses += 1;
    else this.hits += 1;
    return value;
  }

  /** The value, without changing the order of use or the statistics. */
  peek(key: K): V | undefined {
    return this.#entries.peek(key);
  }

  /** Sets or replaces a value. One that is larger than the cache removes the entry. */
  set(key: K, value: V): void {
    this.#entries.set(key, value);
  }

  /** Returns the value; creates and stores it if the key is absent. */
  getOrMake(key: K, make: () => V): V {
    const known = this.get(key);
    if (known !== undefined) return known;
    const made = make();
    this.set(key, made);
    return made;
  }

  /** False where there was none. */
  delete(key: K): boolean {
    return this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  get size(): number {
    return this.#entries.size;
  }

  /** As `bytesOf` counted them; 0 without `maxBytes`. */
  get bytes(): number {
    return this.#entries.calculatedSize;
  }
}

/** Offers that are noted at a time, a power of two: as many as a cache of 16 MiB may hold entries of a kilobyte. */
const slots = 16_384;

/**
 * Tells a cache what is offered for the second time lately. If what is cached at its first offer is hardly ever asked for again, entries
 * only evict each other, and that costs V8's garbage collector more than the few hits save.
 */
export class Offers {
  /** The hash of the name last offered in each slot. */
  readonly #slots = new Int32Array(slots);

  /** Notes an offer; true if the name was offered before. Seldom true for another name. */
  isRepeated(name: string): boolean {
    // FNV-1a; never 0.
    let hash = 0x811c9dc5;
    for (let at = 0; at < name.length; at += 1) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
    hash |= 1;
    const slot = (hash >>> 1) & (slots - 1);
    const isRepeated = this.#slots[slot] === hash;
    this.#slots[slot] = hash;
    return isRepeated;
  }
}
