import type { DatabaseSync } from 'node:sqlite';
import { rowColumns, type StoredRow } from '../../record/row/stored-row.ts';
import { readAll } from '../../sqlite/any-numbers.ts';

/** A row of `resource` with its number. */
export type NumberedRow = StoredRow & { readonly row: number };

/** All resources by row number, in pages, so that memory stays bounded. */
export function* pagesOfRows(db: DatabaseSync, size: number): Generator<readonly NumberedRow[]> {
  const page = db.prepare(`SELECT row, ${rowColumns} FROM resource WHERE row > ? ORDER BY row LIMIT ?`);
  for (let last = -1; ; ) {
    const rows = readAll(page, [last, size]) as unknown as NumberedRow[];
    if (rows.length > 0) yield rows;
    if (rows.length < size) return;
    last = rows.at(-1)?.row ?? last;
  }
}
