import type { DatabaseSync } from 'node:sqlite';
import type { ChangedRows } from '../follow/change-source.ts';
import { sql } from '../plan/sql.ts';
import { selectNumbers } from '../query/statements.ts';
import { Columns, type ColumnsOptions } from './columns/columns.ts';
import { type BegunPlacesCache, createBegunPlacesCache } from './postings/begun-places.ts';
import { Vocabularies } from './words/vocabularies.ts';

/** The cache of a connection between searches; it follows the open snapshot. */
export interface SearchCache {
  readonly vocabularies: Vocabularies;
  readonly columns: Columns;
  readonly begunPlaces: BegunPlacesCache;
}

/** An empty cache for a connection that `registerFunctions` prepared. */
export function createSearchCache(
  db: DatabaseSync,
  changedRows: ChangedRows,
  options: ColumnsOptions = {},
): SearchCache {
  return {
    vocabularies: new Vocabularies(db, options.check),
    columns: new Columns(changedRows, options),
    begunPlaces: createBegunPlacesCache(),
  };
}

/** The number of the last commit that the indexes have, in the open snapshot. */
export function lastCommit(db: DatabaseSync): number {
  return selectNumbers(db, sql`SELECT indexed FROM store`)[0]!;
}
