import { Client, types } from 'pg';
import { parseAddress, type ServerAddress, type ServerRole } from './address.ts';
import { codeOf, isBroken, isUnavailable, unavailable } from './errors.ts';

/** A statement with `$1` parameters. With a name it is prepared once for each connection. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
}

/** A session with a server: the one that takes writes, unless it is for reads of a replica. */
export interface Connection {
  /** The rows of a statement. Statements are sent at once and answered in order. */
  query<Row>(statement: Statement): Promise<readonly Row[]>;
  /** The number of rows that a statement changed. */
  run(statement: Statement): Promise<number>;
  /** Sends COMMIT. Resolves to false where the server rolled back instead, since a statement had failed. */
  commit(): Promise<boolean>;
  inTransaction(): boolean;
  /** False once the session has ended, is inside a transaction, or is with a server that became a standby. */
  isUsable(): boolean;
  close(): Promise<void>;
}

export interface ConnectOptions {
  readonly url: string;
  /** After this the server cancels a statement. */
  readonly statementTimeoutMs: number;
  /** `replica`: a standby will do. Default: `primary`. */
  readonly role?: ServerRole;
}

export type Connect = () => Promise<Connection>;

const connectTimeoutMs = 3000;
/** Beyond the server's own limit: only a server that no longer answers at all gets there. */
const silenceMs = 5000;

/** 64-bit integers are counts and versions here, which a double holds. */
const int8 = 20;
const ownTypes: typeof types = Object.create(types, {
  getTypeParser: {
    value: (oid: number, format: 'text') => (oid === int8 ? Number : types.getTypeParser(oid, format)),
  },
});

/**
 * How connections are made: to the server that was found last, else to the first of the address that is neither away
 * nor a standby. So a standby that was promoted is found by the next connection, without a restart.
 */
export function createConnect(options: ConnectOptions): Connect {
  const servers = parseAddress(options.url, options.role);
  let known = 0;
  return async () => {
    let failure: unknown;
    for (let step = 0; step < servers.length; step += 1) {
      const at = (known + step) % servers.length;
      try {
        const connection = await connectTo(servers[at]!, options);
        known = at;
        return connection;
      } catch (error) {
        failure = error;
        if (!isUnavailable(error)) break;
      }
    }
    throw failure;
  };
}

async function connectTo(server: ServerAddress, { statementTimeoutMs, role }: ConnectOptions): Promise<Connection> {
  const client = new Client({
    ...{ connectionString: server.connectionString, types: ownTypes, pipeline: true },
    ...{ connectionTimeoutMillis: connectTimeoutMs, query_timeout: statementTimeoutMs + silenceMs },
    ...{ keepAlive: true, keepAliveInitialDelayMillis: 10_000, application_name: 'generic-resource-service' },
  } as ConstructorParameters<typeof Client>[0]);
  const connection = wrap(client);
  try {
    await client.connect();
    await client.query(sessionSettings(statementTimeoutMs));
    const [state] = await connection.query<{ standby: boolean }>({ text: standbyQuestion });
    if (state?.standby && role !== 'replica')
      throw Object.assign(new Error(`${server.name} is a standby`), { code: '25006' });
    return connection;
  } catch (error) {
    await connection.close();
    throw withoutCredentials(error, server);
  }
}

/**
 * Waits for a lock end before the statement does, and an abandoned transaction gives up its locks. PostgreSQL takes a
 * comparison of arrays for as cheap as one of numbers, and would rather make it for every row than use the index: it
 * reads a table whole only where there is no other way. Short queries gain nothing from compilation or more processes.
 */
function sessionSettings(statementTimeoutMs: number): string {
  return `SET statement_timeout = ${statementTimeoutMs}; SET lock_timeout = ${Math.ceil(statementTimeoutMs * 0.8)};
    SET idle_in_transaction_session_timeout = 10000;
    SET enable_seqscan = off; SET jit = off; SET max_parallel_workers_per_gather = 0;
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') IN ('off', 'local')`;
}

const standbyQuestion = `SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on' AS standby`;

/** The driver's own errors may quote the address. */
function withoutCredentials(error: unknown, { name, connectionString }: ServerAddress): unknown {
  const message = error instanceof Error ? error.message : String(error);
  const isOurs = codeOf(error) !== '' && !message.includes(connectionString);
  return isOurs ? error : Object.assign(new Error(`no connection with ${name}`), { code: codeOf(error) || '08001' });
}

function wrap(client: Client): Connection {
  let usable = true;
  const end = () => {
    usable = false;
  };
  // An idle session that the server ends must not end the process.
  client.on('error', end);
  client.on('end', end);
  const send = async ({ name, text, values }: Statement) => {
    if (!usable) throw unavailable();
    try {
      return await client.query({ ...(name !== undefined && { name }), text, values: [...(values ?? [])] });
    } catch (error) {
      if (isBroken(error)) end();
      throw error;
    }
  };
  return {
    query: async <Row>(statement: Statement) => (await send(statement)).rows as Row[],
    run: async (statement) => (await send(statement)).rowCount ?? 0,
    commit: async () => (await send({ text: 'COMMIT' })).command === 'COMMIT',
    inTransaction: () => usable && client.getTransactionStatus() !== 'I',
    isUsable: () => usable && client.getTransactionStatus() === 'I',
    close: async () => {
      usable = false;
      await client.end().catch(() => {});
    },
  };
}
