import { setTimeout as pause } from 'node:timers/promises';
import { withClient } from '../smoke-cluster/shards.ts';
import type { ProofRun } from './proof.ts';
import type { Environment, ProcessAnswer, ServiceProcess } from './service-process.ts';

/** The settings that have a service keep its data where a proof is to be tried. */
export function storeOf({ database }: Pick<ProofRun, 'database'>): Environment {
  return database === undefined ? {} : { DATABASE_URL: database };
}

/** Waits until the service has its connections to the database, where there is one. */
export async function untilReady({ database }: Pick<ProofRun, 'database'>, { request }: ServiceProcess): Promise<void> {
  while (database !== undefined && (await request({ path: '/health/ready' })).status !== 200) await pause(20);
}

/**
 * What a response of 503 says of a write: a database that others use as well may have no time. `refused`: nothing was stored;
 * `unknown`: it may have been. Undefined for other responses, and for the embedded store, where none is expected.
 */
export function unavailability(
  { database }: Pick<ProofRun, 'database'>,
  { status, text }: ProcessAnswer,
): 'refused' | 'unknown' | undefined {
  if (database === undefined || status !== 503) return undefined;
  return text.includes('OutcomeUnknown') ? 'unknown' : 'refused';
}

/** What a proof is tried on. */
export const engines = { sqlite: 'the embedded store', postgres: 'PostgreSQL', citus: 'a Citus cluster' } as const;

/** Which engine a proof is tried on. */
export async function engineOf(database: string | undefined): Promise<keyof typeof engines> {
  if (database === undefined) return 'sqlite';
  const text = "SELECT 1 FROM pg_extension WHERE extname = 'citus'";
  return withClient(database, async (client) => ((await client.query(text)).rowCount ? 'citus' : 'postgres'));
}

const longestMs = 60_000;

/**
 * Waits until the server has ended the sessions of services that were killed: until then it may still carry out what they
 * had sent. Returns what is wrong; nothing where there is no server.
 */
export async function untilSessionsEnd({ database }: Pick<ProofRun, 'database'>): Promise<readonly string[]> {
  if (database === undefined) return [];
  return withClient(database, async (client) => {
    const lastMs = performance.now() + longestMs;
    for (;;) {
      const { rows } = await client.query<{ sessions: number }>(
        `SELECT count(*)::int AS sessions FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'generic-resource-service'`,
      );
      const { sessions } = rows[0]!;
      if (sessions === 0) return [];
      if (performance.now() > lastMs) return [`session: ${sessions} of them go on 60 s after their service was killed`];
      await pause(10);
    }
  });
}
