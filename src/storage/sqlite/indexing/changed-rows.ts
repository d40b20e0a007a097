import type { DatabaseSync } from 'node:sqlite';
import { keptRecords } from './change-records.ts';

/** A reader follows at most this many rows one by one. */
const maxFollowedRows = 20_000;

/**
 * The rows of a project that were touched by changes after `since`, up to `position`, which is the last one in the open
 * snapshot; undefined where they are no longer listed, or are too many.
 */
export type ChangedRows = (projectKey: string, since: number, position: number) => ReadonlySet<number> | undefined;

/** Reads the records of changes on a connection. */
export function createChangedRows(db: DatabaseSync): ChangedRows {
  const changes = db.prepare('SELECT row FROM change WHERE sequence > ? AND project_key = ?');
  changes.setReturnArrays(true);
  return (projectKey, since, position) => {
    if (position - since >= keptRecords) return undefined;
    const rows = new Set<number>();
    for (const [row] of changes.iterate(since, projectKey) as unknown as Iterable<[number]>) {
      rows.add(row);
      if (rows.size > maxFollowedRows) return undefined;
    }
    return rows;
  };
}

const readers = new WeakMap<DatabaseSync, ChangedRows>();

/** The same on a connection: its statement is prepared once. */
export function changedRowsOn(db: DatabaseSync): ChangedRows {
  const reader = readers.get(db) ?? createChangedRows(db);
  readers.set(db, reader);
  return reader;
}
