import type { ListPage } from '../../domain/ports/list-query.ts';
import type { ResourceStore } from '../../domain/ports/resource-store.ts';
import type { QueryKind, StoreMetrics } from '../../telemetry/store-metrics.ts';
import { type DamageLog, holdsChecksum, type Row } from '../row/checked-table.ts';
import { recordOf, type StoredRow } from '../row/stored-row.ts';
import { responses, selected } from './checked-tables.ts';
import { type Connection, withinDeadline } from './open/connection.ts';
import { isUnavailable, queryRefusalOf } from './open/errors.ts';
import type { Pool } from './open/pool.ts';
import { compileList, compileSelection } from './query/plan-list.ts';
import { createPointReads } from './query/point-reads.ts';
import { runList } from './query/run-list.ts';
import { hasMatches } from './query/run-sql.ts';
import { rowColumns } from './rows.ts';
import { runSearch } from './search/search.ts';
import { prepareWrite, responseWrite } from './write/prepare-write.ts';
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
  readonly damage: DamageLog;
  /** The label of its queries in the metrics. */
  readonly queue: 'pool' | 'replica';
}

/** The ResourceStore port on PostgreSQL. */
export function createResourceStore(parts: ResourceReadsParts & { readonly writer: Writer }): ResourceStore {
  const { writer, damage, declaredPaths } = parts;
  return {
    ...createResourceReads(parts),
    commit: async (change) => writer.submit(prepareWrite(change, declaredPaths)),
    storeResponse: (projectKey, response) =>
      writer.submit(responseWrite(projectKey, response)) as ReturnType<ResourceStore['storeResponse']>,
    deleteExpiredResponses: (nowMs) => deleteExpiredResponses(writer, damage, nowMs),
  };
}

/** The part of the port that only reads, which a standby can serve as well. */
export function createResourceReads(
  parts: ResourceReadsParts,
): Omit<ResourceStore, 'commit' | 'storeResponse' | 'deleteExpiredResponses'> {
  const { points, lists, declaredPaths, maxPageBytes, queryTimeoutMs, metrics, damage, queue } = parts;
  const reads = createPointReads(points, damage);

  async function run<T>(
    read: (connection: Connection) => Promise<T>,
    signal?: AbortSignal,
    mayRepeat = true,
  ): Promise<T> {
    const limited = (connection: Connection) =>
      read(withinDeadline(connection, queryTimeoutMs, () => performance.now(), signal));
    try {
      return await lists.use(limited, signal);
    } catch (error) {
      if (mayRepeat && isUnavailable(error)) return run(read, signal, false);
      throw queryRefusalOf(error);
    }
  }

  async function runQuery<T>(
    kind: QueryKind,
    read: (connection: Connection) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const begunMs = performance.now();
    try {
      return await run(read, signal);
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
    async list(query, signal): Promise<ListPage> {
      metrics.recordList(false);
      const list = compileList(query, declaredPaths);
      return runQuery('list', (connection) => runList(connection, list, maxPageBytes), signal);
    },
    scan: (projectKey, afterId, limit) =>
      run(async (connection) => {
        const values = [projectKey, afterId ?? '', limit];
        const rows = await connection.query<StoredRow>({ name: 'scan', text: scanText, values });
        return rows.map(recordOf);
      }),
    search: (query, signal) =>
      runQuery('search', (connection) => runSearch(connection, query, { declaredPaths, maxPageBytes }), signal),
    async exists(projectKey, where, staged, signal) {
      const selection = compileSelection({ projectKey, where, staged }, declaredPaths);
      return runQuery('exists', (connection) => hasMatches(connection, selection), signal);
    },
    getIdempotentResponse: reads.response,
  };
}

/** The next rows by id, up to the limit and 8 MiB of texts, but at least one. */
const scanText = `SELECT q.* FROM (
    SELECT ${rowColumns}, row_number() OVER (ORDER BY r.id) AS position,
      sum(octet_length(r.current) + coalesce(octet_length(r.staged), 0)) OVER (ORDER BY r.id) AS bytes
    FROM (SELECT * FROM resource WHERE project_key = $1 AND id > $2 ORDER BY id LIMIT $3) r
  ) q WHERE q.bytes <= 8388608 OR q.position = 1 ORDER BY q.id`;

const expiredPortion = 1000;

/** The only statement that reads several projects at once. No request waits for it. */
const expiredText = `SELECT ${selected(responses)} FROM idempotent_answer
  WHERE expires_at < $1 AND scope_hash <> ALL($2::text[]) LIMIT ${expiredPortion}`;

/** What another process is deleting at this moment is left to it rather than waited for. */
const deleteExpiredText = `DELETE FROM idempotent_answer WHERE project_key = $1 AND scope_hash IN (
  SELECT scope_hash FROM idempotent_answer
  WHERE project_key = $1 AND scope_hash = ANY($2::text[]) AND expires_at < $3 FOR UPDATE SKIP LOCKED)`;

/** A damaged row may not have expired: it stays. */
async function deleteExpiredResponses(writer: Writer, damage: DamageLog, nowMs: number): Promise<number> {
  const damaged: string[] = [];
  for (let total = 0; ; ) {
    const { found, deleted } = await writer.transact(async (connection) => {
      const rows = await connection.query<Row>({ text: expiredText, values: [nowMs, damaged] });
      const isIntact = Map.groupBy(rows, (row) => holdsChecksum(responses, row));
      for (const row of isIntact.get(false) ?? []) {
        damage.add(responses, row);
        damaged.push(row.scope_hash as string);
      }
      let count = 0;
      for (const [projectKey, expired] of Map.groupBy(isIntact.get(true) ?? [], ({ project_key }) => project_key)) {
        const values = [projectKey, expired.map(({ scope_hash }) => scope_hash), nowMs];
        count += await connection.run({ text: deleteExpiredText, values });
      }
      return { found: rows.length, deleted: count };
    });
    total += deleted;
    if (found < expiredPortion || deleted === 0) return total;
  }
}
