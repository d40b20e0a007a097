import type { Store, StoreStatus } from '../../domain/ports/store.ts';
import type { StoreOptions } from '../../record/engine.ts';
import { createChangeLog, createEmptyLog } from '../../record/postgres/change-log.ts';
import { openEpoch, readEpoch } from '../../record/postgres/changes/epoch.ts';
import { createFollowers } from '../../record/postgres/changes/followers.ts';
import { createClientStore } from '../../record/postgres/client-store.ts';
import { type RecordedPaths, readRecordedPaths } from '../../record/postgres/generations/generation.ts';
import { createProjectGenerations } from '../../record/postgres/generations/project-generations.ts';
import { openStoreFacts, type StoreFacts } from '../../record/postgres/generations/store-facts.ts';
import { createIndexBuilder } from '../../record/postgres/maintenance/index-builder.ts';
import type { ConnectionUse, ServerChoice } from '../../record/postgres/open/choose-server.ts';
import { type Connection, connectOnce, createConnect } from '../../record/postgres/open/connection.ts';
import { readOnlyText } from '../../record/postgres/open/errors.ts';
import { isNewer, migrate } from '../../record/postgres/open/migrate.ts';
import { createProjectNodes, type Locate, locateByCitus, oneNode } from '../../record/postgres/open/nodes.ts';
import { createPool, type Pool } from '../../record/postgres/open/pool.ts';
import { assertServable, inspectNodes, readNodes, setRoleSettings } from '../../record/postgres/open/servable.ts';
import { hasOtherAnalysis } from '../../record/postgres/open/word-analysis.ts';
import { createProjectList } from '../../record/postgres/query/projects.ts';
import { Writer } from '../../record/postgres/write/writer.ts';
import { createDamageLog, type DamageLog } from '../../record/row/checked-table.ts';
import { createDamagedResources } from '../../record/row/damaged-resources.ts';
import { openReplica } from './replica.ts';
import { createResourceStore } from './resource-store.ts';

export interface PostgresOptions extends StoreOptions {
  /** `postgres://…`, several hosts separated by commas. */
  readonly url: string;
  /** Servers for reads that may be behind. */
  readonly replicaUrl?: string | undefined;
  /** Connections at most, and as many to the servers of `replicaUrl`. */
  readonly connections: number;
  /** Says which of several servers a project is on. Default: Citus is asked, where it spreads the tables. */
  readonly locate?: Locate | undefined;
  /** Resources that a build of an index looks at in one transaction. */
  readonly buildPortion?: number | undefined;
  /** The longest that a write waits: for a connection, behind a transaction of others, and for each of its statements. */
  readonly writeWaitMs?: number | undefined;
}

/** The longest wait for a connection, and for the batch of a read. */
const waitMs = 1000;
/** For a connection that writes: the first writes of many projects need one each. */
const writeWaitMs = 3000;
/** Of the statements of reads by id, and of writes. */
const readTimeoutMs = 2000;
const writeTimeoutMs = 5000;
/** Of the statements that build indexes, which no request waits for. */
const buildTimeoutMs = 60_000;

/** Opens the store on PostgreSQL. Throws `StoreRefused` with what to do if the database must not be served. */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const { url, replicaUrl, connections, queryTimeoutMs, metrics, note, access, declaredPaths, keepsHistory } = options;
  const { recorded, epoch, ...database } = await prepareDatabase(options);
  const { terms } = database;
  // Who says where projects are speaks of several servers as well.
  const projectsApart = database.projectsApart || options.locate !== undefined;
  // A quarter of the connections writes, a quarter reads by id, the others run lists.
  const quarter = Math.max(1, Math.floor(connections / 4));
  const sizes = { points: quarter, writes: quarter, lists: Math.max(1, connections - 2 * quarter) };
  const choice: ServerChoice = { last: 0, changes: 0 };
  const openPool = (use: ConnectionUse, size: number, timeoutMs: number, longestWaitMs = waitMs) =>
    createPool({
      connect: createConnect({ url, use, choice, statementTimeoutMs: timeoutMs, terms, projectsApart }),
      size,
      waitMs: longestWaitMs,
    });
  const points = openPool('reads', sizes.points, readTimeoutMs);
  const writes = openPool(
    'writes',
    sizes.writes,
    options.writeWaitMs ?? writeTimeoutMs,
    options.writeWaitMs ?? writeWaitMs,
  );
  const lists = openPool('reads', sizes.lists, queryTimeoutMs);
  metrics.recordWaiting('pool', () => lists.waiting?.() ?? 0);
  const damage = createDamageLog(options.onDamaged ?? (() => {}));
  const locate = options.locate ?? (database.projectsApart ? locateByCitus(points) : undefined);
  const nodes = locate === undefined ? oneNode : createProjectNodes(locate, () => performance.now());
  const damaged = createDamagedResources();
  const parts = { ...options, damage, damaged, waitMs };
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
      : openReplica({ ...parts, generations: viewGenerations(), url: replicaUrl, sizes, terms });
  const followers = createFollowers({ pool: points, nodes, projectsApart });
  const writer = new Writer({
    ...{ pool: writes, metrics, nodes, maxTransactions: sizes.writes, queueMs: options.writeWaitMs },
    ...{ generations, recorded, terms, projectsApart },
    ...{ epoch: keepsHistory ? epoch : undefined, onLogged: followers.notify },
  });
  // A command beside a service leaves the building to the service.
  const builder =
    access === 'shared'
      ? undefined
      : createIndexBuilder({
          ...{
            connect: createConnect({ url, statementTimeoutMs: buildTimeoutMs, terms, projectsApart }),
            generations,
            recorded,
            note,
          },
          portion: options.buildPortion,
        });
  note(`PostgreSQL: ${connections} connections at most${database.projectsApart ? ', tables spread by Citus' : ''}`);
  const status = createStatus(points, damage);
  const resources = createResourceStore({ ...parts, generations, nodes, points, lists, writer, queue: 'pool' });
  return {
    resources,
    eventual: replica?.reads,
    clients: createClientStore({ pool: points, nodes, writer, damage }),
    changes: keepsHistory
      ? createChangeLog({ pool: points, nodes, writer, followers, epoch })
      : createEmptyLog({ writer, epoch }),
    projects: createProjectList(lists),
    async warm() {},
    async status() {
      const found = await status();
      if (found.writable) await damaged.recheck(async (projectKey, id) => resources.get(projectKey, id));
      return { ...found, isWarm: true, damagedResources: damaged.facts() };
    },
    async close() {
      await Promise.all([builder?.close(), followers.close()]);
      await Promise.all([points.close(), lists.close(), writes.close(), replica?.close()]);
    },
  };
}

/** What the start finds out about the database. */
interface DatabaseFacts extends StoreFacts {
  readonly recorded: RecordedPaths;
  /** What the epochs of logs that have no event yet are made of. */
  readonly epoch: string;
}

/** Checks the server and migrates the database. */
async function prepareDatabase({ url, note, access, keepsHistory }: PostgresOptions): Promise<DatabaseFacts> {
  const connection = await connectOnce(url);
  try {
    await assertServable(connection);
    const applied = await migrate(connection);
    for (const { name } of applied) note(`migration applied: ${name}`);
    if (applied.length > 0) await setRoleSettings(connection);
    if (await isNewer(connection)) note('a newer version migrated the database; this version can use it as well');
    if (await hasOtherAnalysis(connection)) {
      note(
        'resources were indexed by other rules for words than those of today, so that searches may miss some; “npx grs check --rebuild-indexes” indexes them again, beside the service',
      );
    }
    for (const text of inspectNodes((await readNodes(connection)) ?? [])) note(text);
    const facts = await openStoreFacts(connection);
    return {
      ...facts,
      recorded: await readRecordedPaths(connection),
      epoch:
        access === 'shared'
          ? await readEpoch(connection)
          : await openEpoch(connection, { keepsHistory, projectsApart: facts.projectsApart, note }),
    };
  } finally {
    await connection.close();
  }
}

/** How long the size of the database is cached: PostgreSQL looks at all of its files for it. */
const sizeForMs = 30_000;

function createStatus(pool: Pool, damage: DamageLog): () => Promise<Omit<StoreStatus, 'isWarm'>> {
  let size = { sizeBytes: 0, historyBytes: 0, atMs: Number.NEGATIVE_INFINITY };
  async function readSize(connection: Connection): Promise<void> {
    const history = "pg_total_relation_size('event') AS history";
    const text = `SELECT pg_database_size(current_database()) AS bytes, ${history}`;
    const [row] = await connection.query<{ bytes: number; history: number }>({ text });
    size = { sizeBytes: row!.bytes, historyBytes: row!.history, atMs: performance.now() };
  }
  return async () => {
    try {
      const isReadOnly = await pool.use(async (connection) => {
        if (performance.now() - size.atMs > sizeForMs) await readSize(connection);
        const text = "SELECT current_setting('transaction_read_only') = 'on' AS is_read_only";
        const [row] = await connection.query<{ is_read_only: boolean }>({ text });
        return row!.is_read_only;
      });
      const { sizeBytes, historyBytes } = size;
      const writes = isReadOnly ? { writable: false, reason: readOnlyText } : { writable: true };
      return { ...writes, sizeBytes, historyBytes, logBytes: 0, damagedRows: damage.count };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { writable: false, reason, sizeBytes: size.sizeBytes, logBytes: 0, damagedRows: damage.count };
    }
  };
}
