import type { DatabaseSync } from 'node:sqlite';
import type { ChangedRows } from '../../../index/follow/change-source.ts';

/** A reader follows at most this many rows one by one. */
const maxFollowedRows = 20_000;

/** Reads the records of changes on a connection. */
export function createChangedRows(db: DatabaseSync): ChangedRows {
  const changes = db.prepare('SELECT row FROM change WHERE sequence > ? AND project_key = ?');
  changes.setReturnArrays(true);
  const sweptTo = db.prepare('SELECT swept FROM store');
  sweptTo.setReturnArrays(true);
  return (projectKey, since) => {
    const [swept] = sweptTo.get() as unknown as readonly [number];
    if (since < swept) return undefined;
    const rows = new Set<number>();
    for (const [row] of changes.iterate(since, projectKey) as unknown as Iterable<[number]>) {
      rows.add(row);
      if (rows.size > maxFollowedRows) return undefined;
    }
    return rows;
  };
}
