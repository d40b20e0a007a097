import { ServiceError } from '../../../contract/errors.ts';
import type { Store } from '../../../domain/ports/store.ts';
import type { StoreMetrics } from '../../../telemetry/store-metrics.ts';
import { createResourceReads } from '../resource-store.ts';
import { createConnect } from './connection.ts';
import { unavailable } from './errors.ts';
import { createPool } from './pool.ts';

export interface ReplicaOptions {
  readonly url: string;
  /** Connections for reads by id, and for lists. */
  readonly points: number;
  readonly lists: number;
  /** The longest wait for a connection. */
  readonly waitMs: number;
  readonly declaredPaths: readonly string[];
  readonly maxPageBytes: number;
  readonly queryTimeoutMs: number;
  readonly metrics: StoreMetrics;
  readonly note: (text: string) => void;
}

/** Reads of a server that may be behind. Must be closed. */
export interface Replica {
  readonly reads: NonNullable<Store['eventual']>;
  close(): Promise<void>;
}

/** The primary can answer as well, sooner than a standby that hangs. */
const statementTimeoutMs = 1000;
/** So long a replica that failed is left alone; then one read tries it. */
const restMs = 1000;

/** Opens reads of a replica. It need not be there: connections are made when they are needed. */
export function openReplica(options: ReplicaOptions): Replica {
  const { url, waitMs, queryTimeoutMs } = options;
  const role = 'replica';
  const points = createPool({
    connect: createConnect({ url, role, statementTimeoutMs }),
    ...{ size: options.points, waitMs },
  });
  const lists = createPool({
    connect: createConnect({ url, role, statementTimeoutMs: queryTimeoutMs }),
    ...{ size: options.lists, waitMs },
  });
  const reads = createResourceReads({ ...options, points, lists, queue: 'replica' });
  const guard = createGuard(options.note);
  return {
    reads: {
      get: (projectKey, id) => guard(async () => reads.get(projectKey, id)),
      getByKey: (projectKey, key) => guard(async () => reads.getByKey(projectKey, key)),
      list: (query) => guard(() => reads.list(query)),
      search: (query) => guard(() => reads.search(query)),
      exists: (projectKey, where, staged) => guard(() => reads.exists(projectKey, where, staged)),
    },
    async close() {
      await Promise.all([points.close(), lists.close()]);
    },
  };
}

/** A refusal, or one damaged row, says nothing about the server. */
function isOfServer(error: unknown): boolean {
  return !(error instanceof ServiceError) || error.status === 503;
}

/** Lets reads through unless the last one failed a moment ago: not each one shall wait for a server that hangs. */
function createGuard(note: (text: string) => void): <T>(read: () => Promise<T>) => Promise<T> {
  let triesAtMs: number | undefined;

  function failed(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    if (triesAtMs === undefined) note(`DATABASE_REPLICA_URL: ${reason} The primary answers.`);
    triesAtMs = performance.now() + restMs;
  }

  return async (read) => {
    if (triesAtMs !== undefined) {
      if (performance.now() < triesAtMs) throw unavailable();
      triesAtMs = performance.now() + restMs;
    }
    try {
      const answer = await read();
      if (triesAtMs !== undefined) note('DATABASE_REPLICA_URL: the replica answers again.');
      triesAtMs = undefined;
      return answer;
    } catch (error) {
      if (isOfServer(error)) failed(error);
      throw error;
    }
  };
}
