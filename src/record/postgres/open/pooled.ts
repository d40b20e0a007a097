import { StoreRefused } from '../../engine.ts';
import type { Connection, Statement } from './connection.ts';

type Settings = Readonly<Record<string, string>>;

/** Statements that set what a session, or only the transaction that they begin, is to work with. */
export function beginning(settings: Settings, scope: 'session' | 'transaction'): string {
  const isLocal = scope === 'transaction';
  const calls = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', ${isLocal})`);
  // Other values than these two are at least as durable.
  return `SELECT ${calls.join(', ')};
    SELECT set_config('synchronous_commit', 'on', ${isLocal})
    WHERE current_setting('synchronous_commit') IN ('off', 'local')`;
}

/**
 * A connection through a pooler such as PgBouncer, which may give each transaction another session: settings are of the
 * transaction, every statement is in one, and no statement is prepared by name.
 */
export function pooled(connection: Connection, settings: Settings): Connection {
  const local = beginning(settings, 'transaction');
  /** True once a BEGIN was sent, until the end of that transaction is; statements are sent without waiting. */
  let isOpen = false;

  /** Sends a statement, in a transaction of its own if none is open. */
  async function send<T>({ name: _, ...unnamed }: Statement, action: (statement: Statement) => Promise<T>): Promise<T> {
    const { text } = unnamed;
    if (/^BEGIN\b/.test(text)) {
      isOpen = true;
      return action({ ...unnamed, text: `${text}; ${local}` });
    }
    if (/^ROLLBACK(?! TO\b)/.test(text)) isOpen = false;
    else if (!isOpen) return alone(unnamed, action);
    return action(unnamed);
  }

  async function alone<T>(statement: Statement, action: (statement: Statement) => Promise<T>): Promise<T> {
    // The next caller must not find the connection in the middle of it.
    const [begun, done, committed] = await Promise.allSettled([
      connection.run({ text: `BEGIN ISOLATION LEVEL READ COMMITTED; ${local}` }),
      action(statement),
      connection.commit(),
    ]);
    if (begun.status === 'rejected') throw begun.reason;
    if (done.status === 'rejected') throw done.reason;
    if (committed.status === 'rejected') throw committed.reason;
    if (!committed.value) throw new Error('The transaction was rolled back.');
    return done.value;
  }

  return {
    ...connection,
    isPooled: true,
    query: <Row>(statement: Statement) => send(statement, (each) => connection.query<Row>(each)),
    run: (statement) => send(statement, connection.run),
    commit() {
      isOpen = false;
      return connection.commit();
    },
  };
}

/** Throws `StoreRefused` for a pooler that ends a transaction behind each statement. */
export async function assertTransactions(connection: Connection): Promise<void> {
  try {
    // Alone: the pooler closes the connection behind its refusal, and what is sent after it would be told as a broken pipe.
    await connection.run({ text: 'BEGIN' });
    await connection.commit();
  } catch (error) {
    await connection.close();
    if (!/statement pooling/i.test(error instanceof Error ? error.message : '')) throw error;
    throw new StoreRefused(
      'DATABASE_URL: the pooler refuses transactions, which the service needs. In PgBouncer, set “pool_mode = transaction” for this database.',
    );
  }
}
