import type { Metrics } from './metrics.ts';

/** What a store reports of itself while it works. */
export interface StoreMetrics {
  /** A durable commit: how many operations shared it and how long making it durable took. */
  committed(operations: number, durableMs: number): void;
  /** A list, existence check or search has ended in a lane. */
  queried(lane: 'short' | 'search' | 'long', ms: number): void;
  /** The memory of records read lately answered, or not. */
  remembered(hit: boolean): void;
  /** The memory of list pages answered, or not. */
  listed(hit: boolean): void;
}

export const noStoreMetrics: StoreMetrics = { committed() {}, queried() {}, remembered() {}, listed() {} };

const batchBounds = [1, 2, 5, 10, 20, 50, 100, 200, 512] as const;
const durableBounds = [0.0002, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1] as const;
const queryBounds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2] as const;

/** Counts what the store reports. */
export function createStoreMetrics(metrics: Metrics): StoreMetrics {
  const batch = metrics.histogram('grs_commit_operations', 'Writes that shared a durable commit.', batchBounds);
  const durable = metrics.histogram('grs_commit_durable_seconds', 'Time to make a commit durable.', durableBounds);
  const query = (lane: string) =>
    metrics.histogram('grs_query_seconds', 'Time of lists, existence checks and searches in their lane.', queryBounds, {
      lane,
    });
  const lanes = { short: query('short'), search: query('search'), long: query('long') };
  const read = (from: string) =>
    metrics.counter('grs_reads_total', 'Reads by id, by where they were answered from.', { from });
  const reads = { memory: read('memory'), database: read('database') };
  const list = (from: string) =>
    metrics.counter('grs_lists_total', 'Lists, by where they were answered from.', { from });
  const lists = { memory: list('memory'), database: list('database') };
  return {
    committed(operations, durableMs) {
      batch.observe(operations);
      durable.observe(durableMs / 1000);
    },
    queried: (lane, ms) => lanes[lane].observe(ms / 1000),
    remembered: (hit) => reads[hit ? 'memory' : 'database'].add(),
    listed: (hit) => lists[hit ? 'memory' : 'database'].add(),
  };
}
