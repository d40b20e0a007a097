import type { DatabaseSync } from 'node:sqlite';
import type { Documents } from '../../../domain/ports/resource-store.ts';
import { documentsOf, isIntact, type StoredRow } from '../../row/stored-row.ts';
import { storedColumns } from '../open/stored-columns.ts';

/**
 * Prepares reading the documents of rows to be indexed; undefined where there is none. Throws where a row is not what was written: the
 * next start builds the indexes without it.
 */
export function createDocumentReader(db: DatabaseSync): (row: number) => Documents | undefined {
  const statement = db.prepare(`SELECT ${storedColumns} FROM resource WHERE row = ?`);
  return (row) => {
    const found = statement.get(row) as StoredRow | undefined;
    if (found && !isIntact(found)) throw new Error(`the resource in row ${row} is damaged`);
    return found && documentsOf(found);
  };
}
