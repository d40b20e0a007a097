import type { DatabaseSync } from 'node:sqlite';
import { readOne } from '../../../sqlite/any-numbers.ts';
import { maxCounted } from '../../../sqlite/position.ts';
import { isIntact, rowColumns, type StoredRow } from '../../row/stored-row.ts';

/** An index says something that the table does not. */
export class DamagedIndex extends Error {
  override readonly name = 'DamagedIndex';
}

interface Neighbour {
  readonly row: number;
  readonly isSame: number;
}

/**
 * Prepares confirming that a key or id that its unique index does not have is not taken. Pages of an index have no checksum, and one
 * flipped bit in an entry hides it. But the entry still stands where it was, between entries that are in order: so the search for what
 * it was ends right beside it, before or behind. Both neighbours are compared with their rows. If one differs from a row that is intact,
 * the index is damaged, and the function throws `DamagedIndex`.
 */
export function createAbsenceCheck(db: DatabaseSync) {
  const neighbours = (column: 'id' | 'key', index: string) => {
    const side = (operator: '<' | '>', direction: 'ASC' | 'DESC') =>
      `SELECT * FROM (SELECT row, project_key, ${column} AS value FROM resource INDEXED BY ${index}
        WHERE (project_key, ${column}) ${operator} (?1, ?2) AND ${column} IS NOT NULL
        ORDER BY project_key ${direction}, ${column} ${direction} LIMIT 1)`;
    return db.prepare(
      `SELECT iif(n.row BETWEEN 1 AND ${maxCounted}, n.row, 0) AS row, coalesce(r.project_key = n.project_key AND r.${column} = n.value, 0) AS isSame
        FROM (${side('<', 'DESC')} UNION ALL ${side('>', 'ASC')}) n LEFT JOIN resource r NOT INDEXED ON r.row = n.row`,
    );
  };
  const statements = {
    id: neighbours('id', 'sqlite_autoindex_resource_1'),
    key: neighbours('key', 'resource_key'),
  };
  const whole = db.prepare(`SELECT ${rowColumns} FROM resource WHERE row = ?`);

  return (column: 'id' | 'key', projectKey: string, value: string): void => {
    for (const { row, isSame } of statements[column].all(projectKey, value) as unknown as Neighbour[]) {
      if (isSame === 1) continue;
      const found = readOne(whole, [row]) as StoredRow | undefined;
      // Of a damaged row the index may be right.
      if (!found || isIntact(found)) throw new DamagedIndex(`the index of resources by ${column} is damaged`);
    }
  };
}

const uuid7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7/;
const freshMs = 60_000;

/** True if an id is one that the service has just made, which nothing can have had before. */
export function isFreshId(id: string, nowMs: number): boolean {
  const [, high, low] = uuid7.exec(id) ?? [];
  return high !== undefined && Math.abs(nowMs - Number.parseInt(`${high}${low}`, 16)) < freshMs;
}
