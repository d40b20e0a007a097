import { runSearch } from '../../../src/index/search/search.ts';
import type { createSearchCache } from '../../../src/index/search/search-cache.ts';
import { searchQualitySuite } from '../search-quality.suite.ts';
import { openTestIndex } from './open-test-index.ts';
import { searchCacheOn } from './parts-on.ts';

const limits = { maxPageBytes: 1e9, declaredPaths: [] };

searchQualitySuite({
  ...{ name: 'SQLite', productsPerLanguage: 60, oneOf: 4 },
  open() {
    const index = openTestIndex([]);
    const policy = { leastRows: 0 };
    // The cache is made with the first search, when all is written.
    let cache: ReturnType<typeof createSearchCache> | undefined;
    return {
      write: index.write,
      search(query) {
        cache ??= searchCacheOn(index.db, policy);
        return runSearch(index.db, query, cache, { check() {}, checkNow() {} }, limits).results;
      },
      close: () => index[Symbol.dispose](),
    };
  },
});
