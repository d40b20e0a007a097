import type { Metrics } from './metrics.ts';

/** The statistics of a cache. */
export interface CacheStatistics {
  readonly size: number;
  readonly bytes: number;
  readonly hits: number;
  readonly misses: number;
}

/** Adds a cache to the metrics under its name. */
export function reportCache(metrics: Metrics, cache: string, statistics: CacheStatistics): void {
  const requests = (result: 'hit' | 'miss', read: () => number) =>
    metrics.total('grs_cache_requests_total', 'Look-ups in a cache, by result.', read, { cache, result });
  requests('hit', () => statistics.hits);
  requests('miss', () => statistics.misses);
  metrics.gauge('grs_cache_entries', 'Entries of a cache.', () => statistics.size, { cache });
  metrics.gauge('grs_cache_bytes', 'Bytes of a cache; 0 where entries are counted.', () => statistics.bytes, { cache });
}
