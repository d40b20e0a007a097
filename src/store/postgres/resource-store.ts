import type { ResourceStore } from '../../domain/ports/resource-store.ts';
import { responses, selected } from '../../record/postgres/checked-tables.ts';
import type { ProjectNodes } from '../../record/postgres/open/nodes.ts';
import type { Pool } from '../../record/postgres/open/pool.ts';
import { createReadOfProject } from '../../record/postgres/open/read-again.ts';
import { createPointReads } from '../../record/postgres/read/point-reads.ts';
import { scanText } from '../../record/postgres/rows.ts';
import type { Writer } from '../../record/postgres/write/writer.ts';
import { type DamageLog, holdsChecksum, type Row } from '../../record/row/checked-table.ts';
import type { DamagedResources } from '../../record/row/damaged-resources.ts';
import { recordsOf, type StoredRow } from '../../record/row/stored-row.ts';
import type { StoreMetrics } from '../../telemetry/store-metrics.ts';
import type { MirrorReads } from './mirror-file.ts';

export interface ResourceStoreParts {
  /** For reads by id and key. */
  readonly points: Pool;
  readonly nodes: ProjectNodes;
  readonly damage: DamageLog;
  readonly damaged: DamagedResources;
  readonly writer: Writer;
  readonly metrics: StoreMetrics;
  /** What lists and searches read; undefined in a command beside a service, which has neither. */
  readonly mirror: MirrorReads | undefined;
}

/** The ResourceStore port on PostgreSQL: writes and reads by id and key there, all else in the mirror. */
export function createResourceStore(parts: ResourceStoreParts): ResourceStore {
  const { points, nodes, writer, damage, damaged, metrics, mirror } = parts;
  const reads = createPointReads({ ...parts, pool: points });

  const readOfProject = createReadOfProject(points, nodes);
  function mirrored(): MirrorReads {
    if (!mirror) throw new Error('A command beside a service has no mirror.');
    return mirror;
  }
  return {
    get(projectKey, id) {
      metrics.recordRead(false);
      return damaged.noting(reads.byId(projectKey, id));
    },
    getByKey: (projectKey, key) => damaged.noting(reads.byKey(projectKey, key)),
    list: async (query, signal) => mirrored().reads.list(query, signal),
    scan(projectKey, afterId, limit) {
      const values = [projectKey, afterId ?? '', limit];
      const read = readOfProject(projectKey, async (connection) => [
        ...recordsOf(await connection.query<StoredRow>({ name: 'scan', text: scanText, values })),
      ]);
      return damaged.noting(read);
    },
    search: async (query, signal) => mirrored().reads.search(query, signal),
    generation: async (projectKey) => mirror?.generation?.(projectKey),
    exists: async (projectKey, where, staged, signal) => mirrored().reads.exists(projectKey, where, staged, signal),
    commit: (change) => damaged.committing(change, writer.submit(change)),
    commitAll: (changes) => writer.submitGroup(changes),
    storeResponse: (projectKey, response) => writer.submitResponse(projectKey, response),
    getIdempotentResponse: reads.response,
    deleteExpiredResponses: (nowMs) => deleteExpiredResponses(writer, damage, nowMs),
  };
}

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
