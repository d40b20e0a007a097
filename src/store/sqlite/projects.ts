import type { DatabaseSync } from 'node:sqlite';
import { ServiceError } from '../../contract/errors.ts';
import type { Store } from '../../domain/ports/store.ts';
import { createRebuildProblem } from '../../index/follow/rebuild-mark.ts';
import { readOrRefuse } from '../../sqlite/connection.ts';

/** Of each table that has a row for each project; those of companion projects have a `~`. */
const part = (table: string, condition: string) =>
  `SELECT * FROM (SELECT DISTINCT project_key FROM ${table}
    WHERE project_key > ?1 AND instr(project_key, '~') = 0 AND ${condition} ORDER BY project_key LIMIT ?2)`;

/**
 * The list of the projects: those that have resources, API clients or types, and those whose changes were logged. `catchUp`: the
 * tables that it reads are kept with the indexes.
 */
export function createProjectList(db: DatabaseSync, catchUp: () => Promise<void>): Store['projects'] {
  const rebuildProblem = createRebuildProblem(db);
  const parts = [
    part('project', 'resources > 0'),
    part('project_log', 'true'),
    part('api_client', 'true'),
    part('project_rules', 'true'),
  ];
  const statement = db.prepare(`${parts.join(' UNION ')} ORDER BY project_key LIMIT ?2`);
  statement.setReturnArrays(true);
  return async (limit, afterKey = '') => {
    await catchUp();
    const problem = readOrRefuse(rebuildProblem);
    if (problem !== undefined) throw new ServiceError('OverCapacity', problem, {}, { 'retry-after': '5' });
    const rows = readOrRefuse(() => statement.all(afterKey, limit) as unknown as readonly (readonly [string])[]);
    return rows.map(([key]) => key);
  };
}
