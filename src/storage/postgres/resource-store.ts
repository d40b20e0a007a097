import { ServiceError } from '../../contract/errors.ts';
import type { ListPage, SearchPage } from '../../domain/ports/list-query.ts';
import type { ResourceStore } from '../../domain/ports/resource-store.ts';
import type { Predicate } from '../../domain/predicate/ast.ts';
import { noteRun } from '../../telemetry/query-runs.ts';
import type { QueryKind, StoreMetrics } from '../../telemetry/store-metrics.ts';
import { type DamageLog, holdsChecksum, type Row } from '../row/checked-table.ts';
import type { DamagedResources } from '../row/damaged-resources.ts';
import { recordsOf, type StoredRow } from '../row/stored-row.ts';
import { responses, selected } from './checked-tables.ts';
import type { UsablePaths } from './generations/generation.ts';
import type { ProjectGenerations } from './generations/project-generations.ts';
import { type Connection, withinDeadline } from './open/connection.ts';
import {
  codeOf,
  isWorthRepeating,
  notResponding,
  queryRefusalOf,
  refusalOf,
  sqlState,
  tooBusy,
} from './open/errors.ts';
import type { ProjectNodes } from './open/nodes.ts';
import type { Pool } from './open/pool.ts';
import type { ServerPace } from './open/server-pace.ts';
import { findBroadRanges } from './query/broad-ranges.ts';
import { compileList, compileSelection, stepsOf, withoutIds } from './query/plan-list.ts';
import { createPointReads } from './query/point-reads.ts';
import { type CheckReady, checkSnapshot, runList } from './query/run-list.ts';
import { hasMatches, inSnapshot } from './query/run-sql.ts';
import { scanText } from './rows.ts';
import { createChangedWords } from './search/rules/changed-words.ts';
import { runSearch } from './search/search.ts';
import type { Writer } from './write/writer.ts';

export interface ResourceReadsParts {
  /** For reads by id and key. */
  readonly points: Pool;
  /** For lists and searches, whose statements are cancelled at the deadline. */
  readonly lists: Pool;
  /** Where the projects are. */
  readonly nodes: ProjectNodes;
  /** The longest wait for a connection, or for the batch of a read. */
  readonly waitMs: number;
  /** What is known of the entries of declared paths. */
  readonly generations: ProjectGenerations;
  readonly maxPageBytes: number;
  readonly queryTimeoutMs: number;
  readonly metrics: StoreMetrics;
  readonly damage: DamageLog;
  readonly damaged: DamagedResources;
  /** Of the server; absent where queries run on others behind it. */
  readonly pace?: ServerPace | undefined;
  /** The label of its queries in the metrics. */
  readonly queue: 'pool' | 'replica';
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

/** A query with the paths that it is planned with, and how it checks them. */
type PlannedRead<T> = (connection: Connection, usable: UsablePaths, check: CheckReady) => Promise<T>;

/** A search has no `where`, and always needs terms. */
interface Asked {
  readonly projectKey: string;
  readonly where?: readonly Predicate[];
}

/** The paths that a query was planned with are not those of its snapshot. */
class StalePlan extends Error {}

const maxPlans = 4;
const indexMissing = {
  paths:
    'The index of the declared paths (INDEXED_PATHS) is still being built for this project, and without it the query needs longer than the query deadline. Try again later.',
  terms:
    'The resources of this project are still being indexed after an upgrade. Until then they are found by id and key, and listed without conditions. Try again later.',
} as const;

function indexIncomplete(missing: keyof typeof indexMissing): ServiceError {
  return new ServiceError('OverCapacity', indexMissing[missing], {}, { 'retry-after': '10' });
}

const respondsMs = 500;
/**
 * After a query was cancelled: false if its server has no time for one row either, so that the query is not to blame.
 * The connection is then closed: the server before it may wait for longer than it was told to.
 */
async function responds(connection: Connection, projectKey: string): Promise<boolean> {
  if (!connection.isUsable()) return true;
  const text = 'SELECT 1 FROM resource WHERE project_key = $1 LIMIT 1';
  const isThere = await soon(connection.query({ text, values: [projectKey] }));
  if (!isThere) void connection.close();
  return isThere !== undefined;
}

/** What a server says in time; undefined otherwise. */
async function soon<T>(said: Promise<T>): Promise<T | undefined> {
  const timer = Promise.withResolvers<undefined>();
  const timeout = setTimeout(() => timer.resolve(undefined), respondsMs);
  const inTime = await Promise.race([said.catch(() => undefined), timer.promise]);
  clearTimeout(timeout);
  return inTime;
}

/** The part of the port that only reads, which a standby can serve as well. */
export function createResourceReads(
  parts: ResourceReadsParts,
): Omit<ResourceStore, 'commit' | 'commitAll' | 'storeResponse' | 'deleteExpiredResponses'> {
  const { lists, nodes, generations, maxPageBytes, queryTimeoutMs, metrics, queue, pace, damaged } = parts;
  const reads = createPointReads({ ...parts, pool: parts.points });
  const changedWords = createChangedWords();

  async function run<T>(
    projectKey: string,
    read: (connection: Connection) => Promise<T>,
    signal?: AbortSignal,
    mayRepeat = true,
  ): Promise<T> {
    const begunMs = performance.now();
    let hasBegun = false;
    async function limited(connection: Connection, hasWaited = false): Promise<T> {
      hasBegun = true;
      try {
        return await read(withinDeadline(connection, queryTimeoutMs, () => performance.now(), signal));
      } catch (error) {
        if (codeOf(error) !== sqlState.cancelled) throw error;
        if (!(await responds(connection, projectKey))) throw notResponding();
        if (hasWaited || !(await hadItsTime(connection))) throw tooBusy();
        throw error;
      }
    }
    try {
      return await lists.use(limited, signal, await nodes.groupOf(projectKey));
    } catch (error) {
      if (mayRepeat && isWorthRepeating(error, begunMs)) return run(projectKey, read, signal, false);
      // What is cancelled while a connection is made is no fault of the query.
      throw hasBegun ? queryRefusalOf(error) : refusalOf(error);
    }
  }

  /** After a query was cancelled: whether the server is as fast as ever, so that the query used the time itself (decision 89). */
  async function hadItsTime(connection: Connection): Promise<boolean> {
    if (!pace || !connection.isUsable()) return true;
    const isSlowed = await soon(pace.isSlowed(connection));
    if (isSlowed === undefined) void connection.close();
    return isSlowed === false;
  }

  /** A look-up of one row that takes longer than the deadline is no fault of the query (decision 89). */
  async function usablePathsOf(connection: Connection, projectKey: string): Promise<UsablePaths> {
    try {
      return await generations.usable(connection, projectKey);
    } catch (error) {
      if (codeOf(error) !== sqlState.cancelled) throw error;
      const message = 'The database did not respond within the query deadline. Try again later.';
      throw new ServiceError('OverCapacity', message, {}, { 'retry-after': '1' });
    }
  }

  /**
   * Runs a query that is planned with the declared paths that have entries. What this process knows of them may be out
   * of date: the query checks it in its own snapshot, and is planned again if need be. That all resources have their
   * terms stays true once it is.
   */
  async function plan<T>(connection: Connection, { projectKey, where }: Asked, read: PlannedRead<T>): Promise<T> {
    let usable = await usablePathsOf(connection, projectKey);
    if (where?.length !== 0 && !generations.hasTerms(projectKey)) throw indexIncomplete('terms');
    for (let attempt = 1; ; attempt += 1) {
      const planned = usable;
      try {
        return await read(connection, planned, (ready) => {
          usable = generations.observe(projectKey, ready);
          if (usable !== planned) throw new StalePlan();
        });
      } catch (error) {
        if (error instanceof StalePlan && attempt < maxPlans) continue;
        // Without the entries, the documents decide. That may take longer than a query is given.
        const isSlow = usable !== generations.declared && codeOf(error) === sqlState.cancelled;
        throw isSlow || error instanceof StalePlan ? indexIncomplete('paths') : error;
      }
    }
  }

  async function runQuery<T>(
    kind: QueryKind,
    asked: Asked,
    read: PlannedRead<T>,
    signal: AbortSignal | undefined,
    described: { readonly source?: object; readonly plan?: readonly string[] } = {},
  ): Promise<T> {
    const begunMs = performance.now();
    let ranFromMs = begunMs;
    const planned = (connection: Connection) => {
      ranFromMs = performance.now();
      return plan(connection, asked, read);
    };
    try {
      return await run(asked.projectKey, planned, signal);
    } finally {
      const endedMs = performance.now();
      metrics.recordQuery(kind, queue, endedMs - begunMs);
      const times = { totalMs: endedMs - begunMs, ranMs: endedMs - ranFromMs };
      if (described.source) noteRun(described.source, { queue, ...times, plan: described.plan ?? [] });
    }
  }

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
      return damaged.withoutDamaged(() => runQuery('list', query, read, signal, { source: query, plan }));
    },
    scan(projectKey, afterId, limit) {
      const read = async (connection: Connection) => {
        const values = [projectKey, afterId ?? '', limit];
        return [...recordsOf(await connection.query<StoredRow>({ name: 'scan', text: scanText, values }))];
      };
      return damaged.noting(run(projectKey, read));
    },
    async search(query, signal) {
      const { projectKey } = query;
      await damaged.recheck(reads.byId, projectKey);
      const read: PlannedRead<SearchPage> = (connection, usable, check) => {
        const damagedIds = damaged.idsOf(projectKey);
        return runSearch(connection, query, { usable, check, maxPageBytes, changedWords, damagedIds });
      };
      return damaged.withoutDamaged(() => runQuery('search', { projectKey }, read, signal, { source: query }));
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
      return runQuery('exists', { projectKey, where }, read, signal, { source: where });
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
