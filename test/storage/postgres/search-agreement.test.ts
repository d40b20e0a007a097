import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { stringifyJson } from '../../../src/domain/json/parse.ts';
import type { Store } from '../../../src/domain/ports/store.ts';
import { parseSearch } from '../../../src/domain/search/query/parse-search.ts';
import { anyResource, anySearch, resourceOf } from '../../domain/search/arbitrary-search.ts';
import { evaluateSearch, type SearchedResource } from '../../domain/search/reference.ts';
import { testSeed } from '../../seed.ts';
import { openTestStore, startTestPostgres, type TestPostgres } from './start-test-postgres.ts';
import { createDocumentWriter } from './write-documents.ts';

const rounds = Number(process.env.AGREEMENT_BATCHES ?? 8);
const documentsOfRound = 50;
const searchesOfRound = 100;
/** Searches between two changes of the documents. */
const searchesBetweenChanges = 25;

let postgres: TestPostgres;
let store: Store;
before(async () => {
  postgres = await startTestPostgres();
  store = await openTestStore(postgres);
});
after(async () => {
  await store.close();
  await postgres.close();
});

test(`${rounds * searchesOfRound} random searches of ${rounds * documentsOfRound} random documents that change meanwhile: PostgreSQL answers results, order, totals and facets as the reference has them`, async () => {
  for (let round = 0; round < rounds; round += 1) {
    const seed = testSeed + round;
    const projectKey = `p${round}`;
    const all = new Map<string, SearchedResource>();
    const write = createDocumentWriter(store);
    const put = async (id: string, documents: SearchedResource | undefined) => {
      await write(projectKey, id, documents);
      if (documents) all.set(id, documents);
      else all.delete(id);
    };
    for (const [at, any] of fc.sample(anyResource, { numRuns: documentsOfRound, seed }).entries()) {
      await put(`r${at}`, resourceOf(`r${at}`, any));
    }
    for (const [at, values] of fc.sample(anySearch, { numRuns: searchesOfRound, seed }).entries()) {
      if (at % searchesBetweenChanges === searchesBetweenChanges - 1) {
        for (const [n, any] of fc.sample(anyResource, { numRuns: 8, seed: seed + at }).entries()) {
          const id = `r${(n * 7) % (documentsOfRound + 2)}`;
          await put(id, n % 5 === 4 ? undefined : resourceOf(id, any));
        }
      }
      const query = parseSearch(values, projectKey);
      const expected = evaluateSearch([...all.values()], query);
      const found = await store.resources.search(query);
      const ids = (JSON.parse(`[${found.results}]`) as { id: string }[]).map(({ id }) => id);
      const message = () => `round ${round}, search ${at}: ${stringifyJson(Object.fromEntries(values) as never)}`;
      assert.deepEqual(ids, expected.ids, message());
      assert.equal(found.count, ids.length, message());
      assert.equal(found.total, query.withTotal ? expected.total : undefined, message());
      assert.deepEqual(found.facets, expected.facets, message());
    }
  }
});
