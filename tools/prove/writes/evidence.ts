import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withClient } from '../../smoke-cluster/shards.ts';
import type { ProofRun } from '../proof.ts';
import type { Recorded } from './record.ts';

/** What a database has of projects, by table; `prepared` are transactions that no node has ended yet. */
const stored: Readonly<Record<string, string>> = {
  event: 'SELECT * FROM event WHERE project_key = $1 ORDER BY sequence',
  event_head: 'SELECT * FROM event_head WHERE project_key = $1',
  index_generation: 'SELECT * FROM index_generation WHERE project_key = $1',
  resource: `SELECT project_key, id, key, version, incarnation, created_at, modified_at, current, staged, history, checksum
    FROM resource WHERE project_key = $1`,
};
const preparedText = 'SELECT gid, prepared FROM pg_prepared_xacts';

/** What was said of a round: its name, what was found, and all requests with their responses. */
interface Round {
  readonly round: number;
  readonly violations: readonly string[];
  readonly recorded: Recorded;
}

/**
 * Keeps everything that a finding was made of in a file: what is found once in thousands of writes may not be met again.
 * Returns its path.
 */
export async function keepEvidence(
  { database }: Pick<ProofRun, 'database'>,
  { round, violations, recorded }: Round,
): Promise<string> {
  const { logs, ...others } = recorded;
  const projects = [...logs.keys()];
  const tables = database === undefined ? undefined : await rowsOf(database, projects).catch(String);
  const path = join(mkdtempSync(join(tmpdir(), 'grs-found-')), `round-${round}.json`);
  writeFileSync(path, JSON.stringify({ violations, tables, logs: Object.fromEntries(logs), ...others }, null, 1));
  return path;
}

/** The rows of projects and of what belongs to them. */
async function rowsOf(database: string, projects: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  const keys = projects.flatMap((project) => [project, `${project}~backend`, `${project}~images`]);
  return withClient(database, async (client) => {
    const rows: Record<string, unknown[]> = { prepared: (await client.query(preparedText)).rows };
    for (const [table, text] of Object.entries(stored)) {
      rows[table] = [];
      for (const key of keys) rows[table].push(...(await client.query(text, [key])).rows);
    }
    return rows;
  });
}
