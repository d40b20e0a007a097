import type { DatabaseSync } from 'node:sqlite';
import { sql } from '../../query/sql.ts';
import { inReadTransaction } from '../query/run-list.ts';
import { selectOne } from '../query/statements.ts';
import type { BuildPolicy } from './build-policy.ts';
import { type Columns, createColumns, maxColumnBytes } from './columns/columns.ts';
import { createIdOrders, type IdOrders } from './columns/id-order.ts';
import { createVocabularies, type Vocabularies } from './known/vocabulary.ts';
import { type BegunPlacesCache, createBegunPlacesCache } from './postings/begun-places.ts';

/** What a connection caches from search to search: all of it follows the open snapshot. */
export interface SearchCache {
  readonly vocabularies: Vocabularies;
  readonly columns: Columns;
  readonly idOrders: IdOrders;
  readonly begunPlaces: BegunPlacesCache;
}

/** An empty cache for a connection that `registerFunctions` prepared. */
export function createSearchCache(db: DatabaseSync, policy: BuildPolicy, columnBytes = maxColumnBytes): SearchCache {
  return {
    vocabularies: createVocabularies(db, policy),
    columns: createColumns(db, policy, columnBytes),
    idOrders: createIdOrders(db, policy),
    begunPlaces: createBegunPlacesCache(),
  };
}

/** True if `advanceSearchCache` has something to do. Most searches leave nothing: that must cost no transaction. */
export function hasUnfinished({ vocabularies, columns, idOrders }: SearchCache): boolean {
  return [vocabularies, columns, idOrders].some((each) => each.hasUnfinished());
}

/** Builds a portion of what searches needed and did not have; true if there is more to do. */
export function advanceSearchCache(db: DatabaseSync, cache: SearchCache): boolean {
  if (!hasUnfinished(cache)) return false;
  const { vocabularies, columns, idOrders } = cache;
  return inReadTransaction(db, () => {
    const commits = lastCommit(db);
    // One after the other: each call is a portion for which other searches may have to wait.
    return idOrders.advance(commits) || columns.advance(commits) || vocabularies.advance();
  });
}

/** The number of the last commit that the indexes have, in the open snapshot. */
export function lastCommit(db: DatabaseSync): number {
  return (selectOne(db, sql`SELECT indexed AS commits FROM store`) as { commits: number }).commits;
}
