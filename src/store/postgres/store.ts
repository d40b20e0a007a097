import { randomUUID } from 'node:crypto';
import type { Store, StoreStatus } from '../../domain/ports/store.ts';
import type { StoreHost, StoreOptions } from '../../record/engine.ts';
import { createChangeLog, createEmptyLog } from '../../record/postgres/change-log.ts';
import { openEpoch, readEpoch } from '../../record/postgres/changes/epoch.ts';
import { createFollowers } from '../../record/postgres/changes/followers.ts';
import { createClientStore } from '../../record/postgres/client-store.ts';
import type { ConnectionUse, ServerChoice } from '../../record/postgres/open/choose-server.ts';
import { type Connection, connectOnce, createConnect } from '../../record/postgres/open/connection.ts';
import { readOnlyText } from '../../record/postgres/open/errors.ts';
import { hasCitus, isNewer, migrate } from '../../record/postgres/open/migrate.ts';
import { createProjectNodes, type Locate, locateByCitus, oneNode } from '../../record/postgres/open/nodes.ts';
import { createPool, type Pool } from '../../record/postgres/open/pool.ts';
import { assertServable, inspectNodes, readNodes, setRoleSettings } from '../../record/postgres/open/servable.ts';
import { createProjectList } from '../../record/postgres/read/projects.ts';
import { createRuleStore } from '../../record/postgres/rule-store.ts';
import { Writer } from '../../record/postgres/write/writer.ts';
import { DamageLog } from '../../record/row/checked-table.ts';
import { DamagedResources } from '../../record/row/damaged-resources.ts';
import {
  type MirrorReads,
  type MirrorStatus,
  type OpenedMirror,
  openMirror,
  readMirror,
  readMirrorOf,
} from './mirror-file.ts';
import { OthersPace } from './pace.ts';
import { createResourceStore } from './resource-store.ts';

export interface PostgresOptions extends StoreOptions {
  /** `postgres://…`, several hosts separated by commas. */
  readonly url: string;
  /** Connections at most. */
  readonly connections: number;
  /** Where this machine keeps its mirror of the projects that it is asked for. */
  readonly mirrorFolder: string;
  /** What the mirror may have in use, in bytes; 0, which is the default, for any number. */
  readonly mirrorBytes?: number | undefined;
  /** How long a project stays in it at least that was asked for. */
  readonly mirrorKeptForMs?: number | undefined;
  /** Says which of several servers a project is on. Default: Citus is asked, where it spreads the tables. */
  readonly locate?: Locate | undefined;
  /** The longest that a write waits: for a connection, behind a commit of others, and for its statement. */
  readonly writeWaitMs?: number | undefined;
}

/** The longest wait for a connection. */
const waitMs = 1000;
/** For a connection that writes: the first writes of many projects need one each. */
const writeWaitMs = 3000;
/** Of the statements of reads by id, and of writes. */
const readTimeoutMs = 2000;
const writeTimeoutMs = 5000;
/** Of the statements of a copy, of which the first counts and sorts the project; and of the wait for its turn. */
const copyTimeoutMs = 600_000;

/** The pools of a process, which share what they know of the servers. */
class Pools {
  readonly points: Pool;
  readonly writes: Pool;
  /** Of the mirror. A copy of a large project takes minutes, and others wait for their turn. */
  readonly pulls: Pool;
  readonly copies: Pool;

  constructor({ url, connections, writeWaitMs: given }: PostgresOptions, projectsApart: boolean) {
    // A quarter writes, a quarter reads by id, the others pull and, one or two of them, copy.
    const quarter = Math.max(1, Math.floor(connections / 4));
    const copying = connections < 8 ? 1 : 2;
    const choice: ServerChoice = { last: 0, changes: 0 };
    const open = (use: ConnectionUse, size: number, statementTimeoutMs: number, longestWaitMs = waitMs) =>
      createPool({
        connect: createConnect({ url, use, choice, statementTimeoutMs, projectsApart }),
        ...{ size, waitMs: longestWaitMs },
      });
    this.writes = open('writes', quarter, given ?? writeTimeoutMs, given ?? writeWaitMs);
    this.points = open('reads', quarter, readTimeoutMs);
    this.pulls = open('reads', Math.max(1, connections - 2 * quarter - copying), readTimeoutMs);
    this.copies = open('reads', copying, copyTimeoutMs, copyTimeoutMs);
  }

  async close(): Promise<void> {
    await Promise.all([this.points, this.writes, this.pulls, this.copies].map((pool) => pool.close()));
  }
}

/** Opens what the processes of one service share: the mirror, which one of them writes. */
export async function hostPostgresStore(options: PostgresOptions): Promise<StoreHost> {
  const { projectsApart } = await prepareDatabase(options);
  const pools = new Pools(options, projectsApart);
  try {
    const source = { ...pools, machine: randomUUID(), nodes: nodesOf(options, projectsApart, pools) };
    const mirror = await openMirror({ ...options, folder: options.mirrorFolder }, source);
    return {
      serve: mirror.serve,
      async close() {
        await mirror.close();
        await pools.close();
      },
    };
  } catch (error) {
    await pools.close();
    throw error;
  }
}

function nodesOf({ locate: given }: PostgresOptions, projectsApart: boolean, { points }: Pools) {
  const locate = given ?? (projectsApart ? locateByCitus(points) : undefined);
  return locate === undefined ? oneNode : createProjectNodes(locate, () => performance.now());
}

/** Opens the store on PostgreSQL. Throws `StoreRefused` with what to do if the database must not be served. */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const { connections, metrics, note, keepsHistory, link, access, mirrorFolder } = options;
  const database = await prepareDatabase(options);
  const { epoch } = database;
  // Who says where projects are speaks of several servers as well.
  const projectsApart = database.projectsApart || options.locate !== undefined;
  const pools = new Pools(options, projectsApart);
  const { points, writes: pool, pulls, copies } = pools;
  metrics.recordWaiting('pool', () => points.waiting?.() ?? 0);
  const damage = new DamageLog(options.onDamaged);
  const nodes = nodesOf(options, projectsApart, pools);
  const damaged = new DamagedResources();
  const followers = createFollowers({ pool: points, nodes, projectsApart });
  let opened: OpenedMirror | undefined;
  let reads: MirrorReads | undefined;
  // The position of the mirror of this process is known at first hand.
  const machine = randomUUID();
  const others = new OthersPace(pool, machine);
  const writer = new Writer({
    ...{ pool, metrics, nodes, queueMs: options.writeWaitMs, epoch, keepsHistory },
    async admit(projectKey) {
      const rooms = await Promise.all([reads?.pace.admit(projectKey), others.admit(projectKey)]);
      return Math.min(...rooms.map((room) => room ?? Number.POSITIVE_INFINITY));
    },
    onLogged(projectKey, last) {
      followers.notify(projectKey);
      reads?.pace.committed(projectKey, last);
      others.committed(projectKey, last);
    },
  });
  async function openReads(): Promise<MirrorReads> {
    if (link) return readMirrorOf(options, link, mirrorFolder);
    opened = await openMirror({ ...options, folder: mirrorFolder }, { pulls, copies, nodes, writes: pool, machine });
    return readMirror(options, opened);
  }
  note(`PostgreSQL: ${connections} connections at most${database.projectsApart ? ', tables spread by Citus' : ''}`);
  const close = async () => {
    await followers.close();
    await reads?.close();
    await opened?.close();
    await pools.close();
  };
  if (access === 'exclusive') {
    reads = await openReads().catch(async (error: unknown) => {
      await close();
      throw error;
    });
  }
  const status = createStatus(points, damage);
  const resources = createResourceStore({ points, nodes, damage, damaged, writer, metrics, mirror: reads });
  return {
    resources,
    eventual: reads?.eventual,
    clients: createClientStore({ pool: points, nodes, writer, damage }),
    changes: keepsHistory
      ? createChangeLog({ pool: points, nodes, writer, followers, epoch })
      : createEmptyLog({ writer, epoch }),
    rules: createRuleStore({ pool: points, nodes, writer }),
    projects: createProjectList(points),
    warm: async () => reads?.warm(),
    async status() {
      const found = await status();
      if (found.writable) await damaged.recheck(async (projectKey, id) => resources.get(projectKey, id));
      const ofMirror: Partial<MirrorStatus> & { isWarm: boolean } = (await reads?.status()) ?? { isWarm: true };
      return { ...found, ...ofMirror, damagedResources: together(damaged.facts(), ofMirror.damagedResources) };
    },
    close,
  };
}

type DamagedFacts = NonNullable<StoreStatus['damagedResources']>;

/** Damaged resources that reads have met and that the mirror lacks, each once. */
function together(met: DamagedFacts, lacking: DamagedFacts = { count: 0, first: [] }): DamagedFacts {
  const nameOf = ({ projectKey, id }: DamagedFacts['first'][number]) => `${projectKey}/${id}`;
  const names = new Set(lacking.first.map(nameOf));
  const others = met.first.filter((each) => !names.has(nameOf(each)));
  return { count: lacking.count + others.length, first: [...lacking.first, ...others] };
}

/** What the start finds out about the database. */
interface DatabaseFacts {
  /** What the epochs of logs that have no event yet are made of. */
  readonly epoch: string;
  /** The tables are spread over servers. */
  readonly projectsApart: boolean;
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
    for (const text of inspectNodes((await readNodes(connection)) ?? [])) note(text);
    const projectsApart = await hasCitus(connection);
    const epoch =
      access === 'shared'
        ? await readEpoch(connection)
        : await openEpoch(connection, { keepsHistory, projectsApart, note });
    return { projectsApart, epoch };
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
