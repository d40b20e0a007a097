import { after, before } from 'node:test';
import { type SearchedStore, searchAgreementSuite } from '../search-agreement.suite.ts';
import { createDocumentWriter } from '../write-documents.ts';
import { openTestStore, startTestPostgres, type TestPostgres } from './start-test-postgres.ts';

let postgres: TestPostgres;
before(async () => {
  postgres = await startTestPostgres();
});
after(() => postgres.close());

async function open(): Promise<SearchedStore> {
  const { resources, close } = await openTestStore(postgres);
  return { write: createDocumentWriter({ resources }), search: (query) => resources.search(query), close };
}

const rounds = Number(process.env.AGREEMENT_BATCHES ?? 8);
searchAgreementSuite({ name: 'PostgreSQL', rounds, searchesOfRound: 100, open });
