import { Client } from 'pg';
import { publicationTexts } from '../../src/record/postgres/mirror-positions.ts';
import { allTables } from '../../src/record/postgres/open/migrate.ts';
import type { Sent } from './recorded.ts';

/** What a Citus cluster says of itself. */
export interface Cluster {
  readonly version: string;
  readonly nodes: number;
  /** Of the resources. */
  readonly shards: number;
  /** Tables of ours that should be distributed and are not. */
  readonly undistributed: readonly string[];
}

/** Lends a connection that is closed whatever becomes of the work: one that is left open keeps the program running. */
export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const ourTables = () => allTables();

/** The cluster that the database is the coordinator of; undefined without the Citus extension. */
export function describeCluster(url: string): Promise<Cluster | undefined> {
  return withClient(url, async (client) => {
    const extension = await client.query(`SELECT extversion AS version FROM pg_extension WHERE extname = 'citus'`);
    if (extension.rows.length === 0) return undefined;
    const counts = await client.query(`SELECT
      (SELECT count(*)::int FROM pg_dist_node WHERE isactive AND shouldhaveshards) AS nodes,
      (SELECT count(*)::int FROM pg_dist_shard WHERE logicalrelid = 'resource'::regclass) AS shards`);
    const distributed = await client.query(
      `SELECT logicalrelid::text AS name FROM pg_dist_partition WHERE partmethod = 'h'
        AND colocationid = (SELECT colocationid FROM pg_dist_partition WHERE logicalrelid = 'resource'::regclass)`,
    );
    const names = new Set(distributed.rows.map(({ name }) => String(name).replace(/^.*\./, '')));
    const undistributed = ourTables().filter((table) => !names.has(table));
    return { version: extension.rows[0].version, ...counts.rows[0], undistributed };
  });
}

/** Shard and node of each project. */
export function placementsOf(url: string, projects: readonly string[]): Promise<readonly (readonly string[])[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query(
      `SELECT p.name, s.shard, n.nodename || ':' || n.nodeport AS node
        FROM unnest($1::text[]) AS p (name)
        CROSS JOIN LATERAL get_shard_id_for_distribution_column('resource', p.name) AS s (shard)
        JOIN pg_dist_placement d ON d.shardid = s.shard JOIN pg_dist_node n ON n.groupid = d.groupid
        WHERE n.noderole = 'primary' ORDER BY 3, 2, 1`,
      [projects],
    );
    return rows.map(({ name, shard, node }) => [name, String(shard), node]);
  });
}

/** Those that read or write our tables, or call the function that commits; others are about sessions and transactions. */
export function tableStatements(sent: readonly Sent[]): readonly Sent[] {
  const named = new RegExp(`\\b(?:FROM|INTO|UPDATE|JOIN)\\s+(?:grs_commit|${ourTables().join('|')})\\b`);
  return sent.filter(({ text }) => /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH)\b/.test(text) && named.test(text));
}

/** The greatest number of tasks that any part of a plan is divided into. A task is for one group of shards. */
export function tasksOf(plan: unknown): number {
  if (Array.isArray(plan)) return Math.max(0, ...plan.map(tasksOf));
  if (typeof plan !== 'object' || plan === null) return 0;
  const own = Object.entries(plan).map(([name, value]) =>
    name === 'Task Count' && typeof value === 'number' ? value : tasksOf(value),
  );
  return Math.max(0, ...own);
}

/** Asks for the plan of each statement. `wide`: the beginnings of those on more than one group of shards. */
export function inspectStatements(url: string, sent: readonly Sent[]) {
  return withClient(url, async (client) => {
    const asked = tableStatements(sent);
    const wide: string[] = [];
    for (const { text, values } of asked) {
      const { rows } = await client.query(`EXPLAIN (FORMAT JSON) ${text}`, [...values]);
      const tasks = tasksOf(rows[0]['QUERY PLAN']);
      // No request waits for what machines publish of their mirrors.
      if (tasks > 1 && !publicationTexts.includes(text))
        wide.push(`${tasks} tasks: ${text.replaceAll(/\s+/g, ' ').slice(0, 100)}`);
    }
    return { kinds: asked.length, wide };
  });
}
