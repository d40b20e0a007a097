import type { Connection } from './connection.ts';

/**
 * A connection whose statements together take no longer than the deadline: in a transaction, each is given what is
 * left. `nowMs` is monotonic.
 */
export function withinDeadline(connection: Connection, timeoutMs: number, nowMs: () => number): Connection {
  const end = nowMs() + timeoutMs;
  return {
    ...connection,
    async query<Row>(statement: { readonly text: string }) {
      if (!connection.inTransaction()) return connection.query<Row>(statement);
      const left = Math.max(1, Math.ceil(end - nowMs()));
      const [, rows] = await Promise.all([
        connection.run({ text: `SET LOCAL statement_timeout = ${left}` }),
        connection.query<Row>(statement),
      ]);
      return rows;
    },
  };
}
