import { ServiceError } from '../../contract/errors.ts';
import type { Store } from '../../domain/ports/store.ts';
import type { TermHash } from '../../record/postgres/index/term-hash.ts';
import { createConnect } from '../../record/postgres/open/connection.ts';
import { unavailable } from '../../record/postgres/open/errors.ts';
import { oneNode } from '../../record/postgres/open/nodes.ts';
import { createPool } from '../../record/postgres/open/pool.ts';
import { createResourceReads, type ResourceReadsParts } from './resource-store.ts';

export interface ReplicaOptions extends Omit<ResourceReadsParts, 'points' | 'lists' | 'nodes' | 'queue'> {
  readonly url: string;
  readonly terms: TermHash;
  /** Connections for reads by id, and for lists. */
  readonly sizes: { readonly points: number; readonly lists: number };
  readonly note: (text: string) => void;
}

/** Reads from servers that may be behind. Must be closed. */
export interface Replica {
  readonly reads: NonNullable<Store['eventual']>;
  close(): Promise<void>;
}

/** Short, since the primary can answer instead, and sooner than a standby that hangs. */
const statementTimeoutMs = 1000;
/** How long a replica that failed is left alone; then one read tries it again. */
const pauseMs = 1000;

/** Opens reads from a replica. It need not be reachable yet: connections are made when they are needed. */
export function openReplica(options: ReplicaOptions): Replica {
  const { url, sizes, waitMs, queryTimeoutMs, terms } = options;
  const openPool = (size: number, timeoutMs: number) =>
    createPool({
      connect: createConnect({ url, use: 'replica', statementTimeoutMs: timeoutMs, terms }),
      size,
      waitMs,
    });
  const points = openPool(sizes.points, statementTimeoutMs);
  const lists = openPool(sizes.lists, queryTimeoutMs);
  const reads = createResourceReads({ ...options, points, lists, nodes: oneNode, queue: 'replica' });
  const guard = createGuard(options.note);
  return {
    reads: {
      get: (projectKey, id) => guard(async () => reads.get(projectKey, id)),
      getByKey: (projectKey, key) => guard(async () => reads.getByKey(projectKey, key)),
      list: (query, signal) => guard(() => reads.list(query, signal), signal),
      search: (query, signal) => guard(() => reads.search(query, signal), signal),
      exists: (projectKey, where, staged, signal) =>
        guard(() => reads.exists(projectKey, where, staged, signal), signal),
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

/** Lets reads through unless one failed within the pause, so that not every read waits for a server that hangs. */
function createGuard(note: (text: string) => void): <T>(read: () => Promise<T>, signal?: AbortSignal) => Promise<T> {
  let retryAtMs: number | undefined;

  function failed(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    if (retryAtMs === undefined) note(`DATABASE_REPLICA_URL: ${reason} Reads go to the primary.`);
    retryAtMs = performance.now() + pauseMs;
  }

  return async (read, signal) => {
    if (retryAtMs !== undefined) {
      if (performance.now() < retryAtMs) throw unavailable();
      retryAtMs = performance.now() + pauseMs;
    }
    try {
      const result = await read();
      if (retryAtMs !== undefined) note('DATABASE_REPLICA_URL: the replica is reachable again.');
      retryAtMs = undefined;
      return result;
    } catch (error) {
      // That a client has gone says nothing either.
      if (!signal?.aborted && isOfServer(error)) failed(error);
      throw error;
    }
  };
}
