import type { Socket } from 'node:net';
import { Client, types } from 'pg';
import { StoreRefused } from '../../engine.ts';
import { parseAddress, type ServerAddress } from './address.ts';
import { type ConnectionUse, chooseServer, type ServerChoice, type Session } from './choose-server.ts';
import { codeOf, isBroken, sqlState, unavailable } from './errors.ts';
import { assertTransactions, beginning, pooled } from './pooled.ts';
import { tlsAdvice } from './tls.ts';

/** A statement with `$1` parameters. With a name it is prepared once per connection, unless a pooler is in between. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
  /** Its answer takes no longer, other than those of other statements of the connection. */
  readonly timeoutMs?: number;
}

/** A session with a server: the one that takes writes, or for reads one that is read-only. */
export interface Connection {
  /** True if the tables are spread over servers, where each statement of a write must be for one of them as it stands. */
  readonly projectsApart: boolean;
  /** The rows of a statement. Statements are sent without waiting for earlier ones, and run in order. */
  query<Row>(statement: Statement): Promise<readonly Row[]>;
  /** The number of rows that a statement changed. */
  run(statement: Statement): Promise<number>;
  /** Sends COMMIT. Resolves to false if the server rolled back instead because a statement had failed. */
  commit(): Promise<boolean>;
  inTransaction(): boolean;
  /** False while the session is inside a transaction, and once it has ended or broken. */
  isUsable(): boolean;
  /**
   * True if the next caller should get another connection: this one is to a server that may only read, while another one
   * may take writes by then, or to another one than took writes last; or a node of a cluster has cancelled a statement. Such a node says so at once, and then waits for
   * the node behind it to take note, which one that hangs never does: the next statement would wait with it.
   */
  isDoubtful(): boolean;
  /** True if a pooler is in between. */
  readonly isPooled?: boolean;
  close(): Promise<void>;
}

export interface ConnectOptions {
  readonly url: string;
  /** The server cancels a statement after this time. */
  readonly statementTimeoutMs: number;
  /** Default: `writes`. */
  readonly use?: ConnectionUse;
  /** Shared with other connections of the store. Default: one of its own. */
  readonly choice?: ServerChoice;
  /** Default: the tables are on one server. */
  readonly projectsApart?: boolean;
}

export type Connect = () => Promise<Connection>;

const connectTimeoutMs = 2000;
/** Beyond the timeout of the server: only one that no longer responds at all reaches it. */
const silenceMs = 1000;
/** How long the end of a session may take: a server that hangs does not say goodbye. */
const goodbyeMs = 500;

/** 64-bit integers are counts and versions here, which fit into a double. */
const int8 = 20;
const ownTypes: typeof types = Object.create(types, {
  getTypeParser: {
    value: (oid: number, format: 'text') => (oid === int8 ? Number : types.getTypeParser(oid, format)),
  },
});

/** How connections are made: see `chooseServer`. */
export function createConnect(options: ConnectOptions): Connect {
  const { url, use = 'writes', choice = { last: 0, changes: 0 } } = options;
  const servers = parseAddress(url);
  return () => chooseServer(servers, (server) => connectTo(server, options), use, choice);
}

/** For the statements of a check, which count what a large project has. */
export const checkTimeoutMs = 600_000;

/** A connection for the start and for maintenance. Throws `StoreRefused` if it cannot connect. */
export async function connectOnce(url: string, statementTimeoutMs = 60_000): Promise<Connection> {
  try {
    const connection = await createConnect({ url, statementTimeoutMs })();
    if (connection.isPooled) await assertTransactions(connection);
    return connection;
  } catch (error) {
    if (error instanceof StoreRefused) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    if (codeOf(error) === sqlState.readOnly) {
      throw new StoreRefused(
        `DATABASE_URL: ${reason}. The service must be able to write: name the primary, and let the role and the database write.`,
      );
    }
    const advice = tlsAdvice(error);
    if (advice !== undefined) throw new StoreRefused(`DATABASE_URL: ${reason.replace(/\.$/, '')}. ${advice}.`);
    throw new StoreRefused(
      `DATABASE_URL: ${reason}. Check that the server is running and that the user name and password are right.`,
    );
  }
}

async function connectTo(server: ServerAddress, options: ConnectOptions): Promise<Session> {
  const { statementTimeoutMs, projectsApart = false } = options;
  const client = new Client({
    ...{ connectionString: server.connectionString, types: ownTypes, pipeline: true },
    ...{ connectionTimeoutMillis: connectTimeoutMs, query_timeout: statementTimeoutMs + silenceMs },
    ...{ keepAlive: true, keepAliveInitialDelayMillis: 10_000, application_name: 'generic-resource-service' },
  } as ConstructorParameters<typeof Client>[0]);
  const connection = wrap(client, { projectsApart });
  try {
    await client.connect();
    const [state] = await connection.query<ServerState>({ text: stateText });
    const { pid, standby, setting } = state!;
    const readOnly = standby ? 'standby' : setting ? 'setting' : undefined;
    const settings = settingsOf(statementTimeoutMs);
    // A pooler introduces itself with a number of its own. Which session it gives the next transaction, nobody knows.
    if (pid !== (client as unknown as { processID: number }).processID) {
      return { connection: pooled(connection, settings), readOnly };
    }
    await client.query(beginning(settings, 'session'));
    return { connection, readOnly };
  } catch (error) {
    await connection.close();
    throw withoutCredentials(error, server);
  }
}

/**
 * A lock wait ends before the statement does, and an abandoned transaction loses its locks. No sequential scans:
 * PostgreSQL assumes that comparing arrays is as cheap as comparing numbers, and would do so for every row rather than
 * use the index. Short queries gain nothing from compilation or from more processes.
 */
function settingsOf(statementTimeoutMs: number): Readonly<Record<string, string>> {
  return {
    statement_timeout: String(statementTimeoutMs),
    lock_timeout: String(Math.ceil(statementTimeoutMs * 0.8)),
    idle_in_transaction_session_timeout: '10000',
    // Not that of the role: what waited for the head of a log must see what was committed meanwhile.
    default_transaction_isolation: 'read committed',
    ...plannerSettings,
  };
}

/** Settings that decide plans. On a cluster the other nodes need them as well. */
export const plannerSettings = { enable_seqscan: 'off', jit: 'off', max_parallel_workers_per_gather: '0' } as const;

interface ServerState {
  readonly standby: boolean;
  readonly setting: boolean;
  readonly pid: number;
}

const stateText = `SELECT pg_is_in_recovery() AS standby,
  current_setting('default_transaction_read_only') = 'on' AS setting, pg_backend_pid() AS pid`;

/** The errors of the driver itself may quote the address. */
function withoutCredentials(error: unknown, { name, connectionString }: ServerAddress): unknown {
  const message = error instanceof Error ? error.message : String(error);
  const isOurs = (codeOf(error) !== '' || tlsAdvice(error) !== undefined) && !message.includes(connectionString);
  return isOurs ? error : Object.assign(new Error(`no connection with ${name}`), { code: codeOf(error) || '08001' });
}

function wrap(client: Client, facts: Pick<Connection, 'projectsApart'>): Connection {
  let usable = true;
  let isDoubtful = false;
  const end = () => {
    usable = false;
  };
  // An idle session that the server ends must not end the process.
  client.on('error', end);
  client.on('end', end);
  /** The last error of a statement by itself: why those behind it in its transaction are refused. */
  let cause: unknown;
  const send = async ({ name, text, values, timeoutMs: query_timeout }: Statement) => {
    if (!usable) throw unavailable();
    try {
      const own = { ...(name !== undefined && { name }), ...(query_timeout !== undefined && { query_timeout }) };
      return await client.query({ ...own, text, values: [...(values ?? [])] });
    } catch (error) {
      if (isBroken(error)) end();
      isDoubtful ||= facts.projectsApart && codeOf(error) === sqlState.cancelled;
      // Of statements that were sent together a later one may be awaited by fewer: its refusal must not hide a deadlock.
      if (codeOf(error) === sqlState.transactionAborted && cause !== undefined) throw cause;
      cause = error;
      throw error;
    }
  };
  return {
    ...facts,
    query: async <Row>(statement: Statement) => (await send(statement)).rows as Row[],
    run: async (statement) => (await send(statement)).rowCount ?? 0,
    commit: async () => (await send({ text: 'COMMIT' })).command === 'COMMIT',
    inTransaction: () => usable && client.getTransactionStatus() !== 'I',
    isUsable: () => usable && client.getTransactionStatus() === 'I',
    isDoubtful: () => isDoubtful,
    async close() {
      usable = false;
      const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
      const timer = setTimeout(() => stream.destroy(), goodbyeMs);
      await client.end().catch(() => {});
      clearTimeout(timer);
    },
  };
}
