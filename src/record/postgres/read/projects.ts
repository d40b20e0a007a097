import type { Store } from '../../../domain/ports/store.ts';
import type { Connection } from '../open/connection.ts';
import { isWorthRepeating, refusalOf } from '../open/errors.ts';
import type { Pool } from '../open/pool.ts';

const pageOf = (table: string) =>
  `SELECT DISTINCT project_key FROM ${table} WHERE project_key > $1 AND project_key NOT LIKE '%~%'
    ORDER BY project_key LIMIT $2`;

/** A table with a row for each project whose changes were logged, and a short one. */
const pageTexts = [pageOf('event_head'), pageOf('api_client')];

/** The next name in a table that has many rows for each: one look at its index. */
const nextText = 'SELECT min(project_key) AS project_key FROM resource WHERE project_key > $1';

/** The statements that read several projects at once. */
export const projectListTexts: readonly string[] = [...pageTexts, nextText];

interface Named {
  readonly project_key: string | null;
}

/** Behind the companion projects of a project, whose names begin with its own and a `~`. */
const behindCompanions = (name: string) => `${name.slice(0, name.indexOf('~'))}~\u{7f}`;

/** Projects that have resources, in their order. Those without a log were written by a version before there was one. */
async function withResources(connection: Connection, limit: number, afterKey: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (let after = afterKey; found.length < limit; ) {
    const [row] = await connection.query<Named>({ text: nextText, values: [after] });
    const name = row?.project_key;
    if (typeof name !== 'string') break;
    after = name.includes('~') ? behindCompanions(name) : name;
    if (after === name) found.push(name);
  }
  return found;
}

/**
 * The list of the projects: those that have resources or API clients, and those whose changes were logged. It asks about
 * all projects, and so needs all nodes.
 */
export function createProjectList(pool: Pool): Store['projects'] {
  async function read(connection: Connection, limit: number, afterKey: string): Promise<readonly string[]> {
    const found = new Set(await withResources(connection, limit, afterKey));
    for (const text of pageTexts) {
      const rows = await connection.query<Named>({ text, values: [afterKey, limit] });
      for (const { project_key } of rows) if (project_key !== null && project_key !== '') found.add(project_key);
    }
    // Names are ASCII, so that this is the order of their bytes.
    return [...found].sort().slice(0, limit);
  }
  return async function list(limit, afterKey = '') {
    const begunMs = performance.now();
    try {
      return await pool.use((connection) => read(connection, limit, afterKey));
    } catch (error) {
      if (!isWorthRepeating(error, begunMs)) throw refusalOf(error);
      return pool.use((connection) => read(connection, limit, afterKey));
    }
  };
}
