import { runSearch } from '../../../src/index/search/search.ts';
import { roundsOf } from '../../rounds.ts';
import { type SearchedStore, searchAgreementSuite } from '../search-agreement.suite.ts';
import { openTestIndex } from './open-test-index.ts';
import { searchCacheOn } from './parts-on.ts';

const limits = { maxPageBytes: 1e9, declaredPaths: [] };

/** Builds nothing for the whole project at once but vocabularies: documents and terms must give the same results. */
const neverBuild = { leastRows: Number.POSITIVE_INFINITY };

async function open(): Promise<SearchedStore> {
  const index = openTestIndex([]);
  const eager = searchCacheOn(index.db, { leastRows: 0 });
  const lazy = searchCacheOn(index.db, neverBuild);
  return {
    write: index.write,
    search(query, choice) {
      // Every other search runs without what is built for a whole project.
      const cache = choice % 2 === 0 ? eager : lazy;
      return runSearch(index.db, query, cache, { check() {}, checkNow() {} }, limits);
    },
    close: async () => index[Symbol.dispose](),
  };
}

const rounds = roundsOf(1, 1);
searchAgreementSuite({ name: 'SQLite', rounds, searchesOfRound: 125, typesOneOf: 1, open });
