import type { DatabaseSync } from 'node:sqlite';
import { type ChangeRecord, recordChecksum } from '../../row/change-record.ts';
import { readAll } from '../open/any-numbers.ts';
import { isLogged, loggedBytes } from '../open/log-schema.ts';
import { lastSequence, maxCounted } from '../open/position.ts';

/** Where the indexes are, and where the changes are. */
export interface Position {
  readonly indexed: number;
  readonly last: number;
}

/** Reads the records of changes. */
export interface ChangeRecords {
  position(): Position;
  /** How many changes are not indexed yet. */
  count(): number;
  /** The changes that are not indexed yet, in their order. */
  unindexed(): Unindexed;
}

export interface Unindexed {
  readonly changes: readonly UnindexedChange[];
  /** False where a record is missing, or is not what was written: then other rows may have changed than the records say. */
  readonly isIntact: boolean;
}

/** A change that is not indexed yet. */
export interface UnindexedChange extends ChangeRecord {
  /** What it takes in the log; 0 where it is not logged. */
  readonly bytes: number;
}

type StoredRecord = UnindexedChange & { readonly checksum: number };

/** Prepares reading the records for which a condition in SQL holds, in their order. `intact`: those that are what was written. */
export function createRecordReader(
  db: DatabaseSync,
  condition: string,
): (...params: readonly number[]) => { readonly changes: readonly UnindexedChange[]; readonly isIntact: boolean } {
  const statement = db.prepare(
    `SELECT sequence, project_key AS projectKey, row, before, checksum, iif(${isLogged}, ${loggedBytes}, 0) AS bytes
      FROM change WHERE ${condition} ORDER BY sequence`,
  );
  return (...params) => {
    const changes = readAll(statement, params) as unknown as StoredRecord[];
    return { changes, isIntact: changes.every((record) => recordChecksum(record) === record.checksum) };
  };
}

/** Prepares reading them on a connection. */
export function createChangeRecords(db: DatabaseSync): ChangeRecords {
  const position = db.prepare(`SELECT indexed, ${lastSequence} AS last FROM store`);
  const positionNow = () => position.get() as unknown as Position;
  const read = createRecordReader(db, `sequence > (SELECT indexed FROM store) AND sequence <= ${maxCounted}`);
  return {
    position: positionNow,
    count() {
      const { indexed, last } = positionNow();
      return last - indexed;
    },
    unindexed() {
      const { indexed, last } = positionNow();
      const { changes, isIntact } = read();
      // Each change has the number after that of the one before.
      return { changes, isIntact: isIntact && changes.length === Math.max(0, last - indexed) };
    },
  };
}

/** The projects that have rows, or whose indexes have them: a damaged row may name another. In SQL, with the rows as JSON. */
const projectsOfRows = `SELECT project_key AS projectKey, row FROM by_created WHERE row IN (SELECT value FROM json_each(?1))
  UNION SELECT CAST(project_key AS TEXT), row FROM resource WHERE row IN (SELECT value FROM json_each(?1))`;

/**
 * Prepares telling the caches of searches that the indexes have something else of rows from now on, although no resource changed: by
 * records of their own, which the indexes have at once. To be called, inside the open transaction, before the indexes change and
 * when they have all changes; what it returns, after.
 */
export function createCacheNotes(db: DatabaseSync): (rows: readonly number[]) => () => void {
  const projects = db.prepare(projectsOfRows);
  const last = db.prepare(`SELECT ${lastSequence} AS last`);
  const add = db.prepare('INSERT INTO change (sequence, project_key, row, checksum, before) VALUES (?, ?, ?, ?, NULL)');
  const setIndexed = db.prepare('UPDATE store SET indexed = ?');
  return (rows) => {
    const noted = projects.all(JSON.stringify(rows)) as unknown as { projectKey: string; row: number }[];
    return () => {
      let { last: sequence } = last.get() as { last: number };
      for (const { projectKey, row } of noted) {
        sequence += 1;
        add.run(sequence, projectKey, row, recordChecksum({ sequence, projectKey, row, before: null }));
      }
      setIndexed.run(sequence);
    };
  };
}

/** Changes whose records are kept for the caches of searches; caches that are older are built again. */
export const keptRecords = 8192;

/** Older records that are no changes of the log are deleted once in about this many changes. */
const sweepInterval = 1024;

/**
 * Prepares deleting, from time to time, the older records that are there for the indexes alone, and lists of added words.
 * To be called with the number of the last change.
 */
export function createSweep(db: DatabaseSync): (last: number) => void {
  const records = db.prepare(
    'DELETE FROM change WHERE sequence > (SELECT swept FROM store) AND sequence <= ? AND id IS NULL',
  );
  const words = db.prepare('DELETE FROM added_word WHERE born <= ?');
  const setSwept = db.prepare('UPDATE store SET swept = ?');
  let swept = 0;
  return (last) => {
    if (last - swept < sweepInterval) return;
    swept = last;
    const until = Math.max(0, last - keptRecords);
    for (const statement of [records, words, setSwept]) statement.run(until);
  };
}
