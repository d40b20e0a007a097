import type { Connection } from './connection.ts';

/**
 * Whether a server does the same work in more time than it once did, since others use its processors (decision 228). The time that a
 * session has used itself is not to be had from PostgreSQL.
 */
export interface ServerPace {
  /** Measures the server. What it took least stands for a server at rest. */
  measure(connection: Connection): Promise<void>;
  /** True if the server now takes twice as long as it did at its best. */
  isSlowed(connection: Connection): Promise<boolean>;
}

/** Some 20 ms of a processor: more than a session gets in one go where others wait for the processor. It reads no table. */
export const workText = `SELECT (extract(epoch FROM clock_timestamp() - statement_timestamp()) * 1000)::float8 AS ms
  FROM (SELECT count(*) AS n FROM generate_series(1, 1000) a, generate_series(1, 200) b) w WHERE w.n > 0`;

/** So many times the least is too slow for a query to have had its time. */
const slowed = 2;

/** What the server measures in itself, so that neither the network nor this process counts. */
export function createServerPace(): ServerPace {
  let leastMs: number | undefined;

  async function measured(connection: Connection): Promise<number> {
    const [row] = await connection.query<{ ms: number }>({ text: workText });
    leastMs = Math.min(leastMs ?? row!.ms, row!.ms);
    return row!.ms;
  }

  return {
    async measure(connection) {
      await measured(connection);
    },
    async isSlowed(connection) {
      const ms = await measured(connection);
      return ms >= slowed * leastMs!;
    },
  };
}
