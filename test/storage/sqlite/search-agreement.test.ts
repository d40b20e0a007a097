import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { stringifyJson } from '../../../src/domain/json/parse.ts';
import { parseSearch } from '../../../src/domain/search/query/parse-search.ts';
import type { SearchQuery } from '../../../src/domain/search/query/query.ts';
import { type BuildPolicy, eagerPolicy } from '../../../src/storage/sqlite/search/build-policy.ts';
import {
  advanceSearchCache,
  createSearchCache,
  runSearch,
  type SearchCache,
} from '../../../src/storage/sqlite/search/search.ts';
import { type AnyResource, anyResource, anySearch, resourceOf } from '../../domain/search/arbitrary-search.ts';
import { evaluateSearch, type SearchedResource } from '../../domain/search/reference.ts';
import { testSeed } from '../../seed.ts';
import { openTestIndex, type TestIndex } from './open-test-index.ts';

/** Rounds of documents and searches: 2,000 documents and 5,000 searches in all, each round in a project of its own. */
const rounds = 40;
const documentsOfRound = 50;
const searchesOfRound = 125;
/** Searches between two changes of the documents, which what is remembered from search to search must follow. */
const searchesBetweenChanges = 25;

const limits = { maxPageBytes: 1e9, declaredPaths: [] };

function idsOf(results: string): readonly string[] {
  return (JSON.parse(`[${results}]`) as { id: string }[]).map(({ id }) => id);
}

function searchWith(index: TestIndex, memory: SearchCache, query: SearchQuery) {
  const { results, count, total, facets } = runSearch(index.db, query, memory, { check() {}, checkNow() {} }, limits);
  return { ids: idsOf(results), count, total, facets };
}

/** Replaces, deletes and adds some documents. */
function change(
  index: TestIndex,
  projectKey: string,
  all: Map<string, SearchedResource>,
  some: readonly AnyResource[],
) {
  for (const [at, any] of some.entries()) {
    const id = `r${(at * 7) % (documentsOfRound + 2)}`;
    const documents = at % 5 === 4 ? undefined : resourceOf(id, any);
    index.write(projectKey, id, documents);
    if (documents) all.set(id, documents);
    else all.delete(id);
  }
}

/** Makes nothing for the whole project at once but vocabularies: documents and terms must answer alike. */
const neverBuild: BuildPolicy = {
  isWorth: (rows) => rows === Number.POSITIVE_INFINITY,
  check() {},
  make: (make) => make(),
};

test('5,000 random searches of 2,000 random documents that change meanwhile: results, order, totals and facets as the reference has them', () => {
  using index = openTestIndex([]);
  const eager = createSearchCache(
    index.db,
    eagerPolicy(() => {}),
  );
  const lazy = createSearchCache(index.db, neverBuild);
  for (let round = 0; round < rounds; round += 1) {
    const seed = testSeed + round;
    const projectKey = `p${round}`;
    const all = new Map<string, SearchedResource>();
    for (const [at, any] of fc.sample(anyResource, { numRuns: documentsOfRound, seed }).entries()) {
      const documents = resourceOf(`r${at}`, any);
      all.set(`r${at}`, documents);
      index.write(projectKey, `r${at}`, documents);
    }
    for (const [at, values] of fc.sample(anySearch, { numRuns: searchesOfRound, seed }).entries()) {
      if (at % searchesBetweenChanges === searchesBetweenChanges - 1) {
        change(index, projectKey, all, fc.sample(anyResource, { numRuns: 8, seed: seed + at }));
      }
      const query = parseSearch(values, projectKey);
      const expected = evaluateSearch([...all.values()], query);
      // Every other search goes without what is not made yet; now and then a portion of it is made.
      const found = searchWith(index, at % 2 === 0 ? eager : lazy, query);
      if (at % 16 === 1) advanceSearchCache(index.db, lazy);
      const message = () => `round ${round}, search ${at}: ${stringifyJson(Object.fromEntries(values) as never)}`;
      assert.deepEqual(found.ids, expected.ids, message());
      assert.equal(found.total, query.withTotal ? expected.total : undefined, message());
      assert.deepEqual(found.facets, expected.facets, message());
    }
  }
});
