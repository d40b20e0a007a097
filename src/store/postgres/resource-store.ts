import type { ListPage, SearchPage } from '../../domain/ports/list-query.ts';
import type { ResourceStore } from '../../domain/ports/resource-store.ts';
import { responses, selected } from '../../record/postgres/checked-tables.ts';
import type { Connection } from '../../record/postgres/open/connection.ts';
import type { Pool } from '../../record/postgres/open/pool.ts';
import { findBroadRanges } from '../../record/postgres/query/broad-ranges.ts';
import { compileList, compileSelection, stepsOf, withoutIds } from '../../record/postgres/query/plan-list.ts';
import { createPointReads } from '../../record/postgres/query/point-reads.ts';
import { checkSnapshot, runList } from '../../record/postgres/query/run-list.ts';
import { hasMatches, inSnapshot } from '../../record/postgres/query/run-sql.ts';
import { scanText } from '../../record/postgres/rows.ts';
import { createChangedWords } from '../../record/postgres/search/rules/changed-words.ts';
import { runSearch } from '../../record/postgres/search/search.ts';
import type { Writer } from '../../record/postgres/write/writer.ts';
import { type DamageLog, holdsChecksum, type Row } from '../../record/row/checked-table.ts';
import type { DamagedResources } from '../../record/row/damaged-resources.ts';
import { recordsOf, type StoredRow } from '../../record/row/stored-row.ts';
import { type PlannedRead, QueryRunner, type QueryRunnerParts } from './query-runner.ts';

export interface ResourceReadsParts extends QueryRunnerParts {
  /** For reads by id and key. */
  readonly points: Pool;
  /** The longest wait for a connection, or for the batch of a read. */
  readonly waitMs: number;
  readonly maxPageBytes: number;
  readonly damage: DamageLog;
  readonly damaged: DamagedResources;
}

/** The ResourceStore port on PostgreSQL. */
export function createResourceStore(parts: ResourceReadsParts & { readonly writer: Writer }): ResourceStore {
  const { writer, damage, damaged } = parts;
  return {
    ...createResourceReads(parts),
    commit: (change) => damaged.committing(change, writer.submit(change)),
    commitAll: (changes) => writer.submitGroup(changes),
    storeResponse: (projectKey, response) => writer.submitResponse(projectKey, response),
    deleteExpiredResponses: (nowMs) => deleteExpiredResponses(writer, damage, nowMs),
  };
}

/** The part of the port that only reads, which a standby can serve as well. */
export function createResourceReads(
  parts: ResourceReadsParts,
): Omit<ResourceStore, 'commit' | 'commitAll' | 'storeResponse' | 'deleteExpiredResponses'> {
  const { maxPageBytes, metrics, damaged } = parts;
  const runner = new QueryRunner(parts);
  const reads = createPointReads({ ...parts, pool: parts.points });
  const changedWords = createChangedWords();

  return {
    get(projectKey, id) {
      metrics.recordRead(false);
      return damaged.noting(reads.byId(projectKey, id));
    },
    getByKey: (projectKey, key) => damaged.noting(reads.byKey(projectKey, key)),
    async list(query, signal): Promise<ListPage> {
      metrics.recordList(false);
      await damaged.recheck(reads.byId, query.projectKey);
      const plan: string[] = [];
      const read: PlannedRead<ListPage> = async (connection, usable, check) => {
        const broad = await findBroadRanges(connection, query, usable);
        const list = compileList(query, usable, broad);
        plan.splice(0, plan.length, ...stepsOf(list));
        return runList(connection, withoutIds(damaged.idsOf(query.projectKey))(list), maxPageBytes, undefined, check);
      };
      return damaged.withoutDamaged(() => runner.runQuery('list', query, read, signal, { source: query, plan }));
    },
    scan(projectKey, afterId, limit) {
      const read = async (connection: Connection) => {
        const values = [projectKey, afterId ?? '', limit];
        return [...recordsOf(await connection.query<StoredRow>({ name: 'scan', text: scanText, values }))];
      };
      return damaged.noting(runner.run(projectKey, read));
    },
    async search(query, signal) {
      const { projectKey } = query;
      await damaged.recheck(reads.byId, projectKey);
      const read: PlannedRead<SearchPage> = (connection, usable, check) => {
        const damagedIds = damaged.idsOf(projectKey);
        return runSearch(connection, query, { usable, check, maxPageBytes, changedWords, damagedIds });
      };
      return damaged.withoutDamaged(() => runner.runQuery('search', { projectKey }, read, signal, { source: query }));
    },
    async exists(projectKey, where, staged, signal) {
      await damaged.recheck(reads.byId, projectKey);
      const read: PlannedRead<boolean> = (connection, usable, check) => {
        const all = compileSelection({ projectKey, where, staged }, usable);
        const selection = withoutIds(damaged.idsOf(projectKey))(all);
        if (!selection.usesEntries) return hasMatches(connection, selection);
        return inSnapshot(connection, async () => {
          await checkSnapshot(connection, projectKey, check);
          return hasMatches(connection, selection);
        });
      };
      return runner.runQuery('exists', { projectKey, where }, read, signal, { source: where });
    },
    getIdempotentResponse: reads.response,
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
