import type { Store, StoreStatus } from '../../domain/ports/store.ts';
import { type StoreOptions, StoreRefused } from '../engine.ts';
import { createDamageLog, type DamageLog } from '../row/checked-table.ts';
import { addChecksums } from './checked-tables.ts';
import { createClientStore } from './client-store.ts';
import { type RecordedPaths, readRecordedPaths } from './generations/generation.ts';
import { createProjectGenerations } from './generations/project-generations.ts';
import { createIndexBuilder } from './maintenance/index-builder.ts';
import { type Connection, connectOnce, createConnect } from './open/connection.ts';
import { hasCitus, migrate } from './open/migrate.ts';
import { createPool, type Pool } from './open/pool.ts';
import { openReplica } from './replica.ts';
import { createResourceStore } from './resource-store.ts';
import { createWriter } from './write/writer.ts';

export interface PostgresOptions extends StoreOptions {
  /** `postgres://…`, several hosts separated by commas. */
  readonly url: string;
  /** Servers for reads that may be behind. */
  readonly replicaUrl?: string | undefined;
  /** Connections at most, and as many to the servers of `replicaUrl`. */
  readonly connections: number;
  /** Resources that a build of an index looks at in one transaction. */
  readonly buildPortion?: number | undefined;
}

/** The longest wait for a connection, and for a statement that belongs to no list or search. */
const waitMs = 1000;
const statementTimeoutMs = 5000;
/** Of the statements that build indexes, which no request waits for. */
const buildTimeoutMs = 60_000;

/** Opens the store on PostgreSQL. Throws `StoreRefused` with what to do if the database must not be served. */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const { url, replicaUrl, connections, queryTimeoutMs, metrics, note, access, declaredPaths } = options;
  const { projectsApart, recorded } = await prepareDatabase(options);
  // A quarter of the connections writes, a quarter reads by id, the others run lists.
  const quarter = Math.max(1, Math.floor(connections / 4));
  const sizes = { points: quarter, writes: quarter, lists: Math.max(1, connections - 2 * quarter) };
  const openPool = (size: number, timeoutMs: number) =>
    createPool({ connect: createConnect({ url, statementTimeoutMs: timeoutMs }), size, waitMs });
  const points = openPool(sizes.points, statementTimeoutMs);
  const writes = openPool(sizes.writes, statementTimeoutMs);
  const lists = openPool(sizes.lists, queryTimeoutMs);
  const damage = createDamageLog(options.onDamaged ?? (() => {}));
  const parts = { ...options, damage };
  const viewGenerations = () =>
    createProjectGenerations({
      ...{ declaredPaths, recorded, nowMs: () => performance.now() },
      onIncomplete: (projectKey) => builder?.request(projectKey),
    });
  const generations = viewGenerations();
  // A standby may know less.
  const replica =
    replicaUrl === undefined
      ? undefined
      : openReplica({ ...parts, generations: viewGenerations(), url: replicaUrl, sizes, waitMs });
  const writer = createWriter({
    ...{ pool: writes, metrics, projectsApart, maxTransactions: sizes.writes },
    ...{ generations, recorded },
  });
  // A command beside a service leaves the building to the service.
  const builder =
    access === 'shared'
      ? undefined
      : createIndexBuilder({
          ...{ connect: createConnect({ url, statementTimeoutMs: buildTimeoutMs }), generations, recorded, note },
          portion: options.buildPortion,
        });
  note(`PostgreSQL: ${connections} connections at most${projectsApart ? ', tables spread by Citus' : ''}`);
  const status = createStatus(points, damage);
  let isWarm = false;
  return {
    resources: createResourceStore({ ...parts, generations, points, lists, writer, queue: 'pool' }),
    eventual: replica?.reads,
    clients: createClientStore({ pool: points, writer, damage }),
    async warm() {
      await Promise.allSettled([points, lists].map((pool) => pool.use(async () => {})));
      isWarm = true;
    },
    status: async () => ({ ...(await status()), isWarm }),
    async close() {
      await builder?.close();
      await Promise.all([points.close(), lists.close(), writes.close(), replica?.close()]);
    },
  };
}

/** What the start finds out about the database. */
interface DatabaseFacts {
  /** True if projects may be on several servers. */
  readonly projectsApart: boolean;
  readonly recorded: RecordedPaths;
}

/** Checks the server and migrates the database. */
async function prepareDatabase({ url, note }: PostgresOptions): Promise<DatabaseFacts> {
  const connection = await connectOnce(url);
  try {
    await assertServable(connection);
    for (const { name } of await migrate(connection)) note(`migration applied: ${name}`);
    await addChecksums(connection);
    return { projectsApart: await hasCitus(connection), recorded: await readRecordedPaths(connection) };
  } finally {
    await connection.close();
  }
}

interface ServerFacts {
  readonly encoding: string;
  readonly version: number;
  readonly fsync: string;
  readonly pages: string;
  readonly commit: string;
  readonly icu: boolean;
}

const minVersion = 150_000;

/** Throws `StoreRefused` for a server that may lose acknowledged writes, or that orders or folds texts otherwise. */
async function assertServable(connection: Connection): Promise<void> {
  const [facts] = await connection.query<ServerFacts>({
    text: `SELECT current_setting('server_encoding') AS encoding, current_setting('server_version_num')::int AS version,
      current_setting('fsync') AS fsync, current_setting('full_page_writes') AS pages,
      current_setting('synchronous_commit') AS commit,
      EXISTS (SELECT 1 FROM pg_collation WHERE collname = 'und-x-icu') AS icu`,
  });
  const { encoding, version, fsync, pages, commit, icu } = facts!;
  const problems = [
    version < minVersion && 'PostgreSQL 15 or later is needed',
    encoding !== 'UTF8' && `the encoding of the database must be UTF8, not ${encoding}`,
    !icu && 'the server must be built with ICU',
    fsync !== 'on' && 'fsync is off: acknowledged writes would be lost in a power failure',
    pages !== 'on' && 'full_page_writes is off: a crash may damage pages',
    ['off', 'local'].includes(commit) && `synchronous_commit is ${commit}`,
  ].filter((problem) => problem !== false);
  if (problems.length > 0) throw new StoreRefused(`The database cannot be used: ${problems.join('; ')}.`);
}

/** How long the size of the database is cached: PostgreSQL looks at all of its files for it. */
const sizeForMs = 30_000;

function createStatus(pool: Pool, damage: DamageLog): () => Promise<Omit<StoreStatus, 'isWarm'>> {
  let size = { sizeBytes: 0, atMs: Number.NEGATIVE_INFINITY };
  async function readSize(connection: Connection): Promise<void> {
    const text = 'SELECT pg_database_size(current_database()) AS bytes';
    const [row] = await connection.query<{ bytes: number }>({ text });
    size = { sizeBytes: row!.bytes, atMs: performance.now() };
  }
  return async () => {
    try {
      await pool.use(async (connection) => {
        if (performance.now() - size.atMs > sizeForMs) await readSize(connection);
        else await connection.query({ text: 'SELECT 1' });
      });
      return { writable: true, sizeBytes: size.sizeBytes, logBytes: 0, damagedRows: damage.count };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { writable: false, reason, sizeBytes: size.sizeBytes, logBytes: 0, damagedRows: damage.count };
    }
  };
}
