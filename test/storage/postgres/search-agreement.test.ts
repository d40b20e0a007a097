import { after, before } from 'node:test';
import { runSearch } from '../../../src/record/postgres/search/search.ts';
import { roundsOf } from '../../rounds.ts';
import { type SearchedStore, searchAgreementSuite } from '../search-agreement.suite.ts';
import { createDocumentWriter } from '../write-documents.ts';
import { connectToStore, openTestStore, startTestPostgres, type TestPostgres } from './start-test-postgres.ts';

let postgres: TestPostgres;
before(async () => {
  postgres = await startTestPostgres();
});
after(() => postgres.close());

async function open(): Promise<SearchedStore> {
  const { resources, close } = await openTestStore(postgres);
  const connection = await connectToStore(postgres);
  const limits = { usable: [], check: () => {}, maxPageBytes: 1e9, manyMatches: 0 };
  return {
    write: createDocumentWriter({ resources }),
    // Every other search takes all matches of a single word for many.
    search: (query, choice) => (choice % 2 === 0 ? resources.search(query) : runSearch(connection, query, limits)),
    async close() {
      await connection.close();
      await close();
    },
  };
}

const rounds = roundsOf(1, 1);
searchAgreementSuite({ name: 'PostgreSQL', rounds, searchesOfRound: 50, typesOneOf: 4, open });
