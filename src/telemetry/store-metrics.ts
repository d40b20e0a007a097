import { type CacheStatistics, reportCache } from './cache-metrics.ts';
import type { Histogram, Metrics } from './metrics.ts';

export type QueryKind = 'list' | 'exists' | 'search' | 'changes';

/** The queues of an engine, in which queries wait and run, and which kinds of queries each of them has. */
export type QueryQueues = Readonly<Record<string, readonly QueryKind[]>>;

/** Of the mirror of a machine: its kind, its name and its meaning. */
const mirrorSeries = {
  bytes: ['gauge', 'grs_mirror_bytes', 'Bytes in use in the file of the mirror.'],
  projects: ['gauge', 'grs_mirror_projects', 'Projects that the mirror has.'],
  lagChanges: ['gauge', 'grs_mirror_lag_changes', 'Changes that the project furthest behind lacks.'],
  lagSeconds: ['gauge', 'grs_mirror_lag_seconds', 'Seconds since the project furthest behind had all.'],
  copies: ['gauge', 'grs_mirror_copies', 'Projects that are being copied.'],
  pulls: ['total', 'grs_mirror_pulls_total', 'Questions to the database for what is new in a project.'],
  changes: ['total', 'grs_mirror_changes_total', 'Changes that were applied to the mirror.'],
  copied: ['total', 'grs_mirror_copied_resources_total', 'Resources that copies of projects wrote.'],
  resyncs: ['total', 'grs_mirror_resyncs_total', 'Projects that were made anew because their log was another one.'],
  evictions: ['total', 'grs_mirror_evictions_total', 'Projects that were evicted because of MIRROR_BYTES.'],
} as const;

/** What a mirror says of itself, when it is asked. */
export type MirrorFacts = Readonly<Record<keyof typeof mirrorSeries, () => number>>;

/** What a store reports while it works. */
export type StoreMetrics = ReturnType<typeof createStoreMetrics>;

const batchBounds = [1, 2, 5, 10, 20, 50, 100, 200, 512] as const;
const durableBounds = [0.0002, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1] as const;
const queryBounds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2] as const;

/** Counts what a store with these queues reports. */
export function createStoreMetrics(metrics: Metrics, queues: QueryQueues) {
  const batch = metrics.histogram('grs_commit_operations', 'Writes that shared a durable commit.', batchBounds);
  const durable = metrics.histogram('grs_commit_durable_seconds', 'Time to make a commit durable.', durableBounds);
  const help = 'Time of lists, existence checks and searches in their queue.';
  const queries = new Map<string, Histogram>();
  const queryTimes = (query: QueryKind, queue: string): Histogram => {
    const labels = { queue, query };
    const made = queries.get(queue + query) ?? metrics.histogram('grs_query_seconds', help, queryBounds, labels);
    queries.set(queue + query, made);
    return made;
  };
  // Series that stand at 0 from the start: the first query is then an increase, and not a series that appears.
  for (const [queue, kinds] of Object.entries(queues)) for (const query of kinds) queryTimes(query, queue);
  const read = (from: string) => metrics.counter('grs_reads_total', 'Reads by id, by where they came from.', { from });
  const reads = { memory: read('memory'), database: read('database') };
  return {
    /** A durable commit: how many operations shared it and how long making it durable took. */
    recordCommit(operations: number, durableMs: number): void {
      batch.observe(operations);
      durable.observe(durableMs / 1000);
    },
    /** A query has ended in a queue of the engine. */
    recordQuery: (query: QueryKind, queue: string, ms: number) => queryTimes(query, queue).observe(ms / 1000),
    /** A queue of the engine, once: how many queries wait in it. */
    recordWaiting: (queue: string, waiting: () => number) =>
      metrics.gauge('grs_query_waiting', 'Queries that wait in a queue.', waiting, { queue }),
    /** A read by id: out of a cache, or from the database. */
    recordRead: (isCached: boolean) => reads[isCached ? 'memory' : 'database'].add(),
    /** A cache of this thread, once, when it is created. */
    recordCache: (name: string, statistics: CacheStatistics) => reportCache(metrics, name, statistics),
    /** The mirror of this process, once. */
    recordMirror(facts: MirrorFacts): void {
      for (const [fact, [kind, name, help]] of Object.entries(mirrorSeries)) {
        metrics[kind](name, help, facts[fact as keyof MirrorFacts]);
      }
    },
  };
}

/** What a store says of itself for the metrics. */
interface StoreFacts {
  readonly sizeBytes: number;
  readonly logBytes: number;
  readonly damagedRows: number;
  readonly historyBytes?: number;
}

/** Reports the size and the damage of a store. `status` is asynchronous: each scrape gets what the one before asked for. */
export function registerStoreStatus(metrics: Metrics, status: () => Promise<StoreFacts>): void {
  let last: StoreFacts = { sizeBytes: 0, logBytes: 0, damagedRows: 0 };
  const read = (name: keyof StoreFacts) => () => {
    status().then(
      (facts) => {
        last = facts;
      },
      () => {},
    );
    return last[name];
  };
  metrics.gauge('grs_store_bytes', 'Size of the database.', read('sizeBytes'));
  metrics.gauge('grs_store_log_bytes', 'Size of the write-ahead log.', read('logBytes'));
  metrics.gauge('grs_history_bytes', 'Size of the log of changes, about.', read('historyBytes'));
  metrics.gauge('grs_damaged_rows', 'Damaged rows found since the start, other than resources.', read('damagedRows'));
}
