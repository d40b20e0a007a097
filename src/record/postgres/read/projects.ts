import type { Store } from '../../../domain/ports/store.ts';
import type { Connection } from '../open/connection.ts';
import type { Pool } from '../open/pool.ts';
import { readAgain } from '../open/read-again.ts';

const pageOf = (table: string) =>
  `SELECT DISTINCT project_key FROM ${table} WHERE project_key > $1 AND project_key NOT LIKE '%~%'
    ORDER BY project_key LIMIT $2`;

/** Each commit makes the row of its project in the first; the second is short. These statements read several projects at once. */
export const projectListTexts: readonly string[] = [pageOf('event_head'), pageOf('api_client')];

interface Named {
  readonly project_key: string | null;
}

/**
 * The list of the projects: those that have resources or API clients, and those whose changes were logged. It asks about
 * all projects, and so needs all nodes.
 */
export function createProjectList(pool: Pool): Store['projects'] {
  async function read(connection: Connection, limit: number, afterKey: string): Promise<readonly string[]> {
    const found = new Set<string>();
    for (const text of projectListTexts) {
      const rows = await connection.query<Named>({ text, values: [afterKey, limit] });
      for (const { project_key } of rows) if (project_key !== null && project_key !== '') found.add(project_key);
    }
    // Names are ASCII, so that this is the order of their bytes.
    return [...found].sort().slice(0, limit);
  }
  return (limit, afterKey = '') => readAgain(() => pool.use((connection) => read(connection, limit, afterKey)));
}
