import type { DatabaseSync } from 'node:sqlite';
import { type ChangeRecord, recordChecksum } from '../../row/change-record.ts';
import { isLogged, loggedBytes } from '../open/log-schema.ts';
import { lastSequence } from '../open/position.ts';

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
  /** The changes that are not indexed yet, in their order. Throws where a record is not what was written. */
  unindexed(): readonly UnindexedChange[];
}

/** A change that is not indexed yet. */
export interface UnindexedChange extends ChangeRecord {
  /** What it takes in the log; 0 where it is not logged. */
  readonly bytes: number;
}

type StoredRecord = UnindexedChange & { readonly checksum: number };

/**
 * Prepares reading the records for which a condition in SQL holds, in their order. Reading them throws where one is not what was
 * written.
 */
export function checkedRecords(
  db: DatabaseSync,
  condition: string,
): (...params: readonly number[]) => readonly UnindexedChange[] {
  const statement = db.prepare(
    `SELECT sequence, project_key AS projectKey, row, before, checksum, iif(${isLogged}, ${loggedBytes}, 0) AS bytes
      FROM change WHERE ${condition} ORDER BY sequence`,
  );
  return (...params) => {
    const records = statement.all(...params) as unknown as StoredRecord[];
    for (const record of records) {
      if (recordChecksum(record) === record.checksum) continue;
      throw new Error(`the record of change ${record.sequence} is damaged`);
    }
    return records;
  };
}

/** Prepares reading them on a connection. */
export function createChangeRecords(db: DatabaseSync): ChangeRecords {
  const position = db.prepare(`SELECT indexed, ${lastSequence} AS last FROM store`);
  const positionNow = () => position.get() as unknown as Position;
  return {
    position: positionNow,
    count() {
      const { indexed, last } = positionNow();
      return last - indexed;
    },
    unindexed: checkedRecords(db, 'sequence > (SELECT indexed FROM store)'),
  };
}
