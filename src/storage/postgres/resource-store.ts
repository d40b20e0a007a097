import type { ListPage } from '../../domain/ports/list-query.ts';
import type { ResourceStore } from '../../domain/ports/resource-store.ts';
import type { QueryKind, StoreMetrics } from '../../telemetry/store-metrics.ts';
import { recordOf, type StoredRow } from '../row/stored-row.ts';
import type { Connection } from './open/connection.ts';
import { isUnavailable, queryRefusalOf } from './open/errors.ts';
import type { Pool } from './open/pool.ts';
import { withinDeadline } from './open/within-deadline.ts';
import { compileList, compileSelection } from './query/plan-list.ts';
import { createPointReads } from './query/point-reads.ts';
import { rowColumns } from './query/rows.ts';
import { isAny, runList } from './query/run-list.ts';
import { runSearch } from './search/search.ts';
import { prepareWrite } from './write/prepare-write.ts';
import type { Writer } from './write/writer.ts';

export interface ResourceReadsParts {
  /** For reads by id and key. */
  readonly points: Pool;
  /** For lists and searches, whose statements are cancelled at the deadline. */
  readonly lists: Pool;
  readonly declaredPaths: readonly string[];
  readonly maxPageBytes: number;
  readonly queryTimeoutMs: number;
  readonly metrics: StoreMetrics;
  /** The label of its queries in the metrics. */
  readonly queue: 'pool' | 'replica';
}

/** The ResourceStore port on PostgreSQL. */
export function createResourceStore(parts: ResourceReadsParts & { readonly writer: Writer }): ResourceStore {
  const { writer, declaredPaths } = parts;
  return {
    ...createResourceReads(parts),
    commit: async (change) => writer.submit(prepareWrite(change, declaredPaths)),
    deleteExpiredResponses: (nowMs) => deleteExpiredResponses(writer, nowMs),
  };
}

/** What of it only reads: a standby can do it too. */
export function createResourceReads(
  parts: ResourceReadsParts,
): Omit<ResourceStore, 'commit' | 'deleteExpiredResponses'> {
  const { points, lists, declaredPaths, maxPageBytes, queryTimeoutMs, metrics, queue } = parts;
  const reads = createPointReads(points);

  async function run<T>(read: (connection: Connection) => Promise<T>, mayRepeat = true): Promise<T> {
    try {
      return await lists.use((connection) => read(withinDeadline(connection, queryTimeoutMs, () => performance.now())));
    } catch (error) {
      if (mayRepeat && isUnavailable(error)) return run(read, false);
      throw queryRefusalOf(error);
    }
  }

  async function runQuery<T>(kind: QueryKind, read: (connection: Connection) => Promise<T>): Promise<T> {
    const begunMs = performance.now();
    try {
      return await run(read);
    } finally {
      metrics.recordQuery(kind, queue, performance.now() - begunMs);
    }
  }

  return {
    get(projectKey, id) {
      metrics.recordRead(false);
      return reads.byId(projectKey, id);
    },
    getByKey: reads.byKey,
    async list(query): Promise<ListPage> {
      metrics.recordList(false);
      const list = compileList(query, declaredPaths);
      return runQuery('list', (connection) => runList(connection, list, maxPageBytes));
    },
    scan: (projectKey, afterId, limit) =>
      run(async (connection) => {
        const rows = await connection.query<StoredRow>(walkStatement(projectKey, afterId, limit));
        return rows.map(recordOf);
      }),
    search: (query) =>
      runQuery('search', (connection) => runSearch(connection, query, { declaredPaths, maxPageBytes })),
    async exists(projectKey, where, staged) {
      const selection = compileSelection({ projectKey, where, staged }, declaredPaths);
      return runQuery('exists', (connection) => isAny(connection, selection));
    },
    getIdempotentResponse: reads.answer,
  };
}

/** What a portion of a walk may weigh. */
const walkedBytes = 8_388_608;

/** The next rows by id, as many as may be held in memory, and at least one. */
function walkStatement(projectKey: string, afterId: string | undefined, limit: number) {
  const weight = 'sum(octet_length(r.current) + coalesce(octet_length(r.staged), 0)) OVER (ORDER BY r.id)';
  const text = `SELECT q.* FROM (
      SELECT ${rowColumns}, ${weight} AS bytes, row_number() OVER (ORDER BY r.id) AS place
      FROM (SELECT * FROM resource WHERE project_key = $1 AND id > $2 ORDER BY id LIMIT $3) r
    ) q WHERE q.bytes <= ${walkedBytes} OR q.place = 1 ORDER BY q.id`;
  return { name: 'walk', text, values: [projectKey, afterId ?? '', limit] };
}

const expiredPortion = 1000;

/** Not on the path of a request: the one question that is asked of all projects. */
const expiredText = `SELECT project_key, scope_hash FROM idempotent_answer WHERE expires_at < $1 LIMIT ${expiredPortion}`;

async function deleteExpiredResponses(writer: Writer, nowMs: number): Promise<number> {
  for (let total = 0; ; ) {
    const deleted = await writer.transact(async (connection) => {
      const found = await connection.query<{ project_key: string; scope_hash: string }>({
        text: expiredText,
        values: [nowMs],
      });
      let count = 0;
      for (const [projectKey, rows] of Map.groupBy(found, ({ project_key }) => project_key)) {
        // What another process is deleting just now is left to it, rather than waited for.
        const text = `DELETE FROM idempotent_answer WHERE project_key = $1 AND scope_hash IN (
          SELECT scope_hash FROM idempotent_answer
          WHERE project_key = $1 AND scope_hash = ANY($2::text[]) AND expires_at < $3 FOR UPDATE SKIP LOCKED)`;
        count += await connection.run({ text, values: [projectKey, rows.map(({ scope_hash }) => scope_hash), nowMs] });
      }
      return count;
    });
    total += deleted;
    if (deleted < expiredPortion) return total;
  }
}
