import type { PreparedRows } from '../../index/follow/change-source.ts';
import { prepareRows } from '../../index/follow/prepared-rows.ts';
import type { StoredRow } from '../../record/row/stored-row.ts';
import { workOnPieces } from '../../threads/piece-thread.ts';

/** Computes what the indexes get of the rows that it is sent; nothing where one of them is damaged, or cannot be indexed. */
workOnPieces<readonly string[], readonly StoredRow[], PreparedRows | undefined>((declaredPaths) => (rows) => {
  try {
    return prepareRows(rows, declaredPaths);
  } catch {
    return undefined;
  }
});
