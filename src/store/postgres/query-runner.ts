import { ServiceError } from '../../contract/errors.ts';
import type { Predicate } from '../../domain/predicate/ast.ts';
import type { UsablePaths } from '../../record/postgres/generations/generation.ts';
import type { ProjectGenerations } from '../../record/postgres/generations/project-generations.ts';
import { type Connection, withinDeadline } from '../../record/postgres/open/connection.ts';
import {
  codeOf,
  isWorthRepeating,
  notResponding,
  queryRefusalOf,
  refusalOf,
  sqlState,
  tooBusy,
} from '../../record/postgres/open/errors.ts';
import type { ProjectNodes } from '../../record/postgres/open/nodes.ts';
import type { Pool } from '../../record/postgres/open/pool.ts';
import type { CheckReady } from '../../record/postgres/query/run-list.ts';
import { noteRun } from '../../telemetry/query-runs.ts';
import type { QueryKind, StoreMetrics } from '../../telemetry/store-metrics.ts';

/** A query, to be run with the paths that it is planned with; `check` compares them with those of its snapshot. */
export type PlannedRead<T> = (connection: Connection, usable: UsablePaths, check: CheckReady) => Promise<T>;

/** The project and the conditions of a query. A search has no `where`, and always needs terms. */
export interface QueryScope {
  readonly projectKey: string;
  readonly where?: readonly Predicate[];
}

export interface QueryRunnerParts {
  /** For lists and searches, whose statements are cancelled at the deadline. */
  readonly lists: Pool;
  /** Where the projects are. */
  readonly nodes: ProjectNodes;
  /** The declared paths that have entries. */
  readonly generations: ProjectGenerations;
  readonly queryTimeoutMs: number;
  readonly metrics: StoreMetrics;
  /** The label of its queries in the metrics. */
  readonly queue: 'pool' | 'replica';
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

/** A server that takes longer than this to look up one row is too busy for a query; see `docs/contract.md`, section 89. */
const respondsMs = 500;

/**
 * After a query was cancelled: false if its server has no time for one row either, so that the query is not to blame.
 * The connection is then closed: the server before it may wait for longer than it was told to.
 */
async function responds(connection: Connection, projectKey: string): Promise<boolean> {
  if (!connection.isUsable()) return true;
  const text = 'SELECT 1 FROM resource WHERE project_key = $1 LIMIT 1';
  const timer = Promise.withResolvers<false>();
  const timeout = setTimeout(() => timer.resolve(false), respondsMs);
  const row = connection.query({ text, values: [projectKey] }).then(
    () => true,
    () => false,
  );
  const isThere = await Promise.race([row, timer.promise]);
  clearTimeout(timeout);
  if (!isThere) void connection.close();
  return isThere;
}

/** Runs lists, searches and existence checks within their deadline, planned with the indexes that are complete. */
export class QueryRunner {
  readonly #parts: QueryRunnerParts;

  constructor(parts: QueryRunnerParts) {
    this.#parts = parts;
  }

  /** Runs statements within the deadline of a query, once more if the server refused them at once. */
  async run<T>(
    projectKey: string,
    read: (connection: Connection) => Promise<T>,
    signal?: AbortSignal,
    mayRepeat = true,
  ): Promise<T> {
    const { lists, nodes } = this.#parts;
    const begunMs = performance.now();
    let hasBegun = false;
    try {
      const work = (connection: Connection, hasWaited?: boolean) => {
        hasBegun = true;
        return this.#runLimited(connection, projectKey, read, hasWaited === true, signal);
      };
      return await lists.use(work, signal, await nodes.groupOf(projectKey));
    } catch (error) {
      if (mayRepeat && isWorthRepeating(error, begunMs)) return this.run(projectKey, read, signal, false);
      // What is cancelled while a connection is made is no fault of the query.
      throw hasBegun ? queryRefusalOf(error) : refusalOf(error);
    }
  }

  async #runLimited<T>(
    connection: Connection,
    projectKey: string,
    read: (connection: Connection) => Promise<T>,
    hasWaited: boolean,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    try {
      return await read(withinDeadline(connection, this.#parts.queryTimeoutMs, () => performance.now(), signal));
    } catch (error) {
      if (codeOf(error) !== sqlState.cancelled) throw error;
      if (!(await responds(connection, projectKey))) throw notResponding();
      throw hasWaited ? tooBusy() : error;
    }
  }

  /** Runs a query, and records its time and its plan. */
  async runQuery<T>(
    kind: QueryKind,
    scope: QueryScope,
    read: PlannedRead<T>,
    signal: AbortSignal | undefined,
    described: { readonly source?: object; readonly plan?: readonly string[] } = {},
  ): Promise<T> {
    const { metrics, queue } = this.#parts;
    const begunMs = performance.now();
    let ranFromMs = begunMs;
    const planned = (connection: Connection) => {
      ranFromMs = performance.now();
      return this.#plan(connection, scope, read);
    };
    try {
      return await this.run(scope.projectKey, planned, signal);
    } finally {
      const endedMs = performance.now();
      metrics.recordQuery(kind, queue, endedMs - begunMs);
      const times = { totalMs: endedMs - begunMs, ranMs: endedMs - ranFromMs };
      if (described.source) noteRun(described.source, { queue, ...times, plan: described.plan ?? [] });
    }
  }

  /**
   * Runs a query that is planned with the declared paths that have entries. What this process knows of them may be out
   * of date: the query checks it in its own snapshot, and is planned again if need be. That all resources have their
   * terms stays true once it is.
   */
  async #plan<T>(connection: Connection, { projectKey, where }: QueryScope, read: PlannedRead<T>): Promise<T> {
    const { generations } = this.#parts;
    let usable = await this.#usablePaths(connection, projectKey);
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

  /** A look-up of one row that takes longer than the deadline is no fault of the query. */
  async #usablePaths(connection: Connection, projectKey: string): Promise<UsablePaths> {
    try {
      return await this.#parts.generations.usable(connection, projectKey);
    } catch (error) {
      if (codeOf(error) !== sqlState.cancelled) throw error;
      const message = 'The database did not respond within the query deadline. Try again later.';
      throw new ServiceError('OverCapacity', message, {}, { 'retry-after': '1' });
    }
  }
}
