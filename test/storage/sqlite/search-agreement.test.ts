import { type BuildPolicy, createBuildPolicy } from '../../../src/storage/sqlite/search/build-policy.ts';
import { runSearch } from '../../../src/storage/sqlite/search/search.ts';
import { advanceSearchCache, createSearchCache } from '../../../src/storage/sqlite/search/search-cache.ts';
import { roundsOf } from '../../rounds.ts';
import { type SearchedStore, searchAgreementSuite } from '../search-agreement.suite.ts';
import { openTestIndex } from './open-test-index.ts';

const limits = { maxPageBytes: 1e9, declaredPaths: [] };

/** Builds nothing for the whole project at once but vocabularies: documents and terms must give the same results. */
const neverBuild: BuildPolicy = {
  isWorth: () => false,
  check() {},
};

async function open(): Promise<SearchedStore> {
  const index = openTestIndex([]);
  const eager = createSearchCache(
    index.db,
    createBuildPolicy(() => {}, 0),
  );
  const lazy = createSearchCache(index.db, neverBuild);
  return {
    write: index.write,
    search(query, choice) {
      // Every other search runs without what is not built yet; now and then a part of it is built.
      const cache = choice % 2 === 0 ? eager : lazy;
      const page = runSearch(index.db, query, cache, { check() {}, checkNow() {} }, limits);
      if (choice % 16 === 1) advanceSearchCache(index.db, lazy);
      return page;
    },
    close: async () => index[Symbol.dispose](),
  };
}

const rounds = roundsOf(1, 1);
searchAgreementSuite({ name: 'SQLite', rounds, searchesOfRound: 125, typesOneOf: 1, open });
