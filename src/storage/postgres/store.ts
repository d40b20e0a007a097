import type { Store, StoreStatus } from '../../domain/ports/store.ts';
import { type StoreOptions, StoreRefused } from '../engine.ts';
import { createClientStore } from './client-store.ts';
import { followDeclaredPaths } from './maintenance/rebuild.ts';
import { type Connection, createConnect } from './open/connection.ts';
import { hasCitus, migrate } from './open/migrate.ts';
import { createPool, type Pool } from './open/pool.ts';
import { openReplica, type Replica } from './open/replica.ts';
import { createResourceStore } from './resource-store.ts';
import { createWriter } from './write/writer.ts';

export interface PostgresOptions extends StoreOptions {
  /** `postgres://…`, several hosts separated by commas. */
  readonly url: string;
  /** Servers for reads that may be behind. */
  readonly replicaUrl?: string | undefined;
  /** Connections at most, and as many to the servers of `replicaUrl`. */
  readonly connections: number;
}

/** The longest wait for a connection, and for a statement that is no list. */
const waitMs = 1000;
const statementTimeoutMs = 5000;

/** Opens the store on PostgreSQL. Throws `StoreRefused` with what to do where the database must not be served. */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const { url, declaredPaths, maxPageBytes, queryTimeoutMs, metrics, note } = options;
  const connect = createConnect({ url, statementTimeoutMs });
  const projectsApart = await prepareDatabase(options);
  const sizes = poolSizes(options.connections);
  const points = createPool({ connect, size: sizes.points, waitMs });
  const writes = createPool({ connect, size: sizes.writes, waitMs });
  const listing = createConnect({ url, statementTimeoutMs: queryTimeoutMs });
  const lists = createPool({ connect: listing, size: sizes.lists, waitMs });
  const replica = openReplicaOf(options);
  const writer = createWriter({ pool: writes, metrics, projectsApart, lanes: sizes.writes });
  note(`PostgreSQL: ${options.connections} connections at most${projectsApart ? ', tables spread by Citus' : ''}`);
  return {
    resources: createResourceStore({
      ...{ points, lists, writer, declaredPaths, maxPageBytes, queryTimeoutMs, metrics, queue: 'pool' },
    }),
    eventual: replica?.reads,
    clients: createClientStore({ pool: points, writer }),
    status: createStatus(points),
    async close() {
      await Promise.all([points.close(), lists.close(), writes.close(), replica?.close()]);
    },
  };
}

function openReplicaOf({ replicaUrl, ...options }: PostgresOptions): Replica | undefined {
  if (replicaUrl === undefined) return undefined;
  const { points, lists } = poolSizes(options.connections);
  return openReplica({ ...options, url: replicaUrl, points, lists, waitMs });
}

/** A quarter of the connections writes, a quarter reads by id, the others run lists. */
function poolSizes(connections: number) {
  const quarter = Math.max(1, Math.floor(connections / 4));
  return { points: quarter, writes: quarter, lists: Math.max(1, connections - 2 * quarter) };
}

/** Checks the server and brings the schema to this version. True where projects may be on several servers. */
async function prepareDatabase({ url, access, declaredPaths, note }: PostgresOptions): Promise<boolean> {
  const connection = await firstConnection(url);
  try {
    await assertServable(connection);
    for (const { name } of await migrate(connection)) note(`migration applied: ${name}`);
    if (access === 'exclusive') await followDeclaredPaths(connection, declaredPaths, note);
    return await hasCitus(connection);
  } finally {
    await connection.close();
  }
}

/** A connection for the start and for maintenance. Throws `StoreRefused` where there is none. */
export async function firstConnection(url: string): Promise<Connection> {
  try {
    return await createConnect({ url, statementTimeoutMs: 60_000 })();
  } catch (error) {
    if (error instanceof StoreRefused) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StoreRefused(
      `DATABASE_URL: ${reason}. Check that the server runs and that the name and password are right.`,
    );
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

const leastVersion = 150_000;

/** A server that may lose what was acknowledged, or that orders or folds texts otherwise, is not used. */
async function assertServable(connection: Connection): Promise<void> {
  const [facts] = await connection.query<ServerFacts>({
    text: `SELECT current_setting('server_encoding') AS encoding, current_setting('server_version_num')::int AS version,
      current_setting('fsync') AS fsync, current_setting('full_page_writes') AS pages,
      current_setting('synchronous_commit') AS commit,
      EXISTS (SELECT 1 FROM pg_collation WHERE collname = 'und-x-icu') AS icu`,
  });
  const { encoding, version, fsync, pages, commit, icu } = facts!;
  const problems = [
    version < leastVersion && 'PostgreSQL 15 or later is needed',
    encoding !== 'UTF8' && `the encoding of the database must be UTF8, not ${encoding}`,
    !icu && 'the server must be built with ICU',
    fsync !== 'on' && 'fsync is off: what was acknowledged would be lost with the power',
    pages !== 'on' && 'full_page_writes is off: a crash may damage pages',
    ['off', 'local'].includes(commit) && `synchronous_commit is ${commit}`,
  ].filter((problem) => problem !== false);
  if (problems.length > 0) throw new StoreRefused(`The database is not fit: ${problems.join('; ')}.`);
}

/** Asked for each metrics scrape: the size of a database takes a look at all its files. */
const sizeForMs = 30_000;

function createStatus(pool: Pool): () => Promise<StoreStatus> {
  let size = { sizeBytes: 0, atMs: Number.NEGATIVE_INFINITY };
  async function readSize(connection: Connection): Promise<void> {
    const [row] = await connection.query<{ bytes: number }>({
      text: 'SELECT pg_database_size(current_database()) AS bytes',
    });
    size = { sizeBytes: row!.bytes, atMs: performance.now() };
  }
  return async () => {
    try {
      await pool.use(async (connection) => {
        if (performance.now() - size.atMs > sizeForMs) await readSize(connection);
        else await connection.query({ text: 'SELECT 1' });
      });
      return { writable: true, sizeBytes: size.sizeBytes, logBytes: 0 };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { writable: false, reason, sizeBytes: size.sizeBytes, logBytes: 0 };
    }
  };
}
