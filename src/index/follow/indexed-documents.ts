import type { DatabaseSync } from 'node:sqlite';
import type { Documents } from '../../domain/ports/resource-store.ts';
import { documentsOf, isIntact, rowColumns, type StoredRow } from '../../record/row/stored-row.ts';
import { readOne } from '../../sqlite/any-numbers.ts';

/** The documents of a row. Throws where the row is not what was written, or its documents cannot be read. */
export function checkedDocuments(row: StoredRow): Documents {
  if (!isIntact(row)) throw new Error('its checksum does not match');
  return documentsOf(row);
}

/** Prepares reading the documents of rows to be indexed; undefined where there is none. Throws what `checkedDocuments` throws. */
export function createDocumentReader(db: DatabaseSync): (row: number) => Documents | undefined {
  const statement = db.prepare(`SELECT ${rowColumns} FROM resource WHERE row = ?`);
  return (row) => {
    const found = readOne(statement, [row]) as StoredRow | undefined;
    return found && checkedDocuments(found);
  };
}
