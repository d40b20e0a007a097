import { servicePartition } from '../rows.ts';
import type { Connection } from './connection.ts';

/**
 * Whether a server does the same work in more time than it once did, since others use its processors. The time that a
 * session has used itself is not to be had from PostgreSQL.
 */
export interface ServerPace {
  /**
   * Measures the server, some times. What it took least stands for a server at rest, now or at a start in the last days: the database
   * keeps that, since processes are also started because there is much to do.
   */
  measureAtStart(connection: Connection): Promise<void>;
  /** True if the server now takes twice as long as it did at its best. */
  isSlowed(connection: Connection): Promise<boolean>;
}

/** Some 20 ms of a processor: more than a session gets in one go where others wait for the processor. It reads no table. */
export const workText = `SELECT (extract(epoch FROM clock_timestamp() - statement_timestamp()) * 1000)::float8 AS ms
  FROM (SELECT count(*) AS n FROM generate_series(1, 1000) a, generate_series(1, 200) b) w WHERE w.n > 0`;

/** So many times the least is too slow for a query to have had its time. */
const slowed = 2;

const timesAtStart = 3;
/** What is no more than so many times as long says that the server is as fast as it was. */
const asFast = 1.25;
/** After so long without a start that is as fast, the server may be another one. */
const keptDays = 7;

const settingName = 'pace';
const readText = `SELECT (value::json ->> 'ms')::float8 AS ms FROM store_setting WHERE project_key = $1 AND name = $2
  AND (value::json ->> 'at')::float8 > extract(epoch FROM now()) - ${keptDays * 86_400}`;
const keepText = `INSERT INTO store_setting (project_key, name, value)
  VALUES ($1, $2, json_build_object('ms', $3::float8, 'at', extract(epoch FROM now()))::text)
  ON CONFLICT (project_key, name) DO UPDATE SET value = excluded.value`;

/** What the server measures in itself, so that neither the network nor this process counts. */
export function createServerPace(): ServerPace {
  let leastMs: number | undefined;

  async function measured(connection: Connection): Promise<number> {
    const [row] = await connection.query<{ ms: number }>({ text: workText });
    leastMs = Math.min(leastMs ?? row!.ms, row!.ms);
    return row!.ms;
  }

  return {
    async measureAtStart(connection) {
      const times: number[] = [];
      for (let n = 0; n < timesAtStart; n += 1) times.push(await measured(connection));
      const values = [servicePartition, settingName];
      const [kept] = await connection.query<{ ms: number }>({ text: readText, values });
      leastMs = Math.min(leastMs!, kept?.ms ?? leastMs!);
      if (Math.min(...times) > asFast * leastMs) return;
      await connection.run({ text: keepText, values: [...values, leastMs] });
    },
    async isSlowed(connection) {
      const ms = await measured(connection);
      return ms >= slowed * leastMs!;
    },
  };
}
