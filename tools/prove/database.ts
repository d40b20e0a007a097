import { withClient } from '../smoke-cluster/shards.ts';

/** What a proof is tried on. */
export const engines = { sqlite: 'the embedded store', postgres: 'PostgreSQL', citus: 'a Citus cluster' } as const;

/** Which engine a proof is tried on. */
export async function engineOf(database: string | undefined): Promise<keyof typeof engines> {
  if (database === undefined) return 'sqlite';
  const text = "SELECT 1 FROM pg_extension WHERE extname = 'citus'";
  return withClient(database, async (client) => ((await client.query(text)).rowCount ? 'citus' : 'postgres'));
}
