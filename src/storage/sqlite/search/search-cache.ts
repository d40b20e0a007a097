import type { DatabaseSync } from 'node:sqlite';
import { Cache } from '../../../cache/cache.ts';
import type { WordPlan } from '../../query/plan-words.ts';
import { sql } from '../../query/sql.ts';
import { inReadTransaction } from '../query/run-list.ts';
import { selectOne } from '../query/statements.ts';
import type { BuildPolicy } from './build-policy.ts';
import { type Columns, createColumns, maxColumnBytes } from './columns/columns.ts';
import { createIdOrders, type IdOrders } from './columns/id-order.ts';
import { createKeptRows, type KeptRows } from './columns/kept-rows.ts';
import { type BegunWordsCache, createBegunWordsCache } from './postings/second-parts.ts';
import { createVocabularies, type Vocabularies } from './vocabulary.ts';

/** What a connection caches from search to search: all of it follows the open snapshot. */
export interface SearchCache {
  readonly vocabularies: Vocabularies;
  readonly columns: Columns;
  readonly idOrders: IdOrders;
  readonly kept: KeptRows;
  readonly plans: Cache<string, WordPlan>;
  readonly begunWords: BegunWordsCache;
}

/** Memory for plans of words, of each and of each word that it has. */
const maxPlanBytes = 4 * 1024 * 1024;
const [planBytes, choiceBytes] = [500, 100];

function bytesOfPlan({ forms, compounds, inParts }: WordPlan): number {
  const choices = inParts.flatMap(({ parts }) => parts).reduce((sum, { length }) => sum + length, 0);
  return planBytes + (forms.length + compounds.length + choices) * choiceBytes;
}

/** An empty cache for a connection that `registerFunctions` prepared. */
export function createSearchCache(db: DatabaseSync, policy: BuildPolicy, columnBytes = maxColumnBytes): SearchCache {
  return {
    vocabularies: createVocabularies(db, policy),
    columns: createColumns(db, policy, columnBytes),
    idOrders: createIdOrders(db, policy),
    kept: createKeptRows(db, policy),
    begunWords: createBegunWordsCache(),
    plans: new Cache({ maxBytes: maxPlanBytes, bytesOf: bytesOfPlan }),
  };
}

/** Builds a portion of what searches needed and did not have; true if there is more to do. */
export function advanceSearchCache(db: DatabaseSync, { vocabularies, columns, idOrders }: SearchCache): boolean {
  // Most searches leave nothing to build: that must cost no transaction.
  if (![vocabularies, columns, idOrders].some((each) => each.hasUnfinished())) return false;
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
