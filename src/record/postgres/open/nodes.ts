import { Cache } from '../../../cache/cache.ts';
import type { Pool } from './pool.ts';
import { noGroup } from './shares.ts';

/** Which of several database servers has a project: those of one server share its connections and its delays. */
export interface ProjectNodes {
  /** The group of the project; a promise only if it has to be looked up. Never rejects. */
  groupOf(projectKey: string): string | Promise<string>;
}

/** The groups of projects, by project. Projects that are left out are of no known server. */
export type Locate = (projectKeys: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/** All projects on the server of the connection. */
export const oneNode: ProjectNodes = { groupOf: () => noGroup };

/** Where no server is known, which is a group as well: it may be one that does not respond. */
const unknownGroup = '?';
/** Look-ups have a share of the connections, too. */
const lookupGroup = 'look-up';
const maxProjects = 10_000;
/** A project that moved is waited for at its old server until then. */
const freshMs = 30_000;

/** Creates a view of the groups, which are looked up when they are needed, and again now and then. */
export function createProjectNodes(locate: Locate, nowMs: () => number): ProjectNodes {
  const known = new Cache<string, { readonly group: string; readonly readMs: number }>({ maxEntries: maxProjects });
  let asked = new Set<string>();
  let answer: Promise<ReadonlyMap<string, string>> | undefined;

  async function lookUp(): Promise<ReadonlyMap<string, string>> {
    await new Promise(setImmediate);
    const keys = [...asked];
    asked = new Set();
    answer = undefined;
    const found = await locate(keys);
    const readMs = nowMs();
    for (const [projectKey, group] of found) known.set(projectKey, { group, readMs });
    return found;
  }

  /** The look-ups of one turn of the event loop share a statement. */
  async function find(projectKey: string): Promise<string> {
    asked.add(projectKey);
    answer ??= lookUp();
    const found = await answer.catch(() => undefined);
    return found?.get(projectKey) ?? unknownGroup;
  }

  return {
    groupOf(projectKey) {
      const view = known.get(projectKey);
      if (view === undefined) return find(projectKey);
      if (nowMs() - view.readMs > freshMs) {
        known.set(projectKey, { ...view, readMs: nowMs() });
        void find(projectKey);
      }
      return view.group;
    },
  };
}

const citusText = `SELECT p.name, d.groupid AS node FROM unnest($1::text[]) AS p (name)
  CROSS JOIN LATERAL get_shard_id_for_distribution_column('resource', p.name) AS s (shard)
  JOIN pg_dist_placement d ON d.shardid = s.shard`;

/** Asks Citus, of which every node knows where all shards are. */
export function locateByCitus(pool: Pool): Locate {
  return (projectKeys) =>
    pool.use(async (connection) => {
      const values = [projectKeys];
      const rows = await connection.query<{ name: string; node: number }>({ name: 'nodes', text: citusText, values });
      return new Map(rows.map(({ name, node }) => [name, String(node)]));
    }, lookupGroup);
}
