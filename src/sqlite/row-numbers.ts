import type { DatabaseSync } from 'node:sqlite';

/** Rows count up from 1; sets of them in memory have 32 bits for each. */
const maxRow = 2 ** 31 - 1;

/** True if a row has a number that the service may have given it, in SQL: others are damage. */
export const isNumberedRow = `row BETWEEN 1 AND ${maxRow}`;

/**
 * The number of the next row of `resource`, in SQL. SQLite's own would be a random one once a damaged row has the largest number there
 * is: the resources of all projects would then get numbers that no JavaScript number holds.
 */
export const nextRow = `(SELECT coalesce(max(row), 0) + 1 FROM resource WHERE ${isNumberedRow})`;

/** Prepares giving the resource of an id another row where the number of its row is damaged. */
export function createStrayMover(db: DatabaseSync): (projectKey: string, id: string) => void {
  const move = db.prepare(
    `UPDATE resource SET row = ${nextRow} WHERE project_key = ? AND id = ? AND NOT (${isNumberedRow})`,
  );
  return (projectKey, id) => move.run(projectKey, id);
}

/** Where the damaged numbers are, each found by a step into the table. */
const strayRows = [
  'SELECT min(row) AS row FROM resource WHERE row < 1',
  `SELECT max(row) AS row FROM resource WHERE row > ${maxRow}`,
];

/** True if a resource has a row with a damaged number. */
export function hasStrayRows(db: DatabaseSync): boolean {
  return strayRows.some((first) => db.prepare(`SELECT 1 FROM (${first}) WHERE row IS NOT NULL`).get() !== undefined);
}

/**
 * Gives all resources whose row has a damaged number another one. What a resource says does not depend on it; the indexes do, and
 * must be built again.
 */
export function moveStrayRows(db: DatabaseSync): void {
  for (const first of strayRows) {
    const move = db.prepare(`UPDATE resource SET row = ${nextRow} WHERE row = (${first})`);
    while (move.run().changes > 0);
  }
}
