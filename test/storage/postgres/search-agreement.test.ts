import { after, before } from 'node:test';
import { roundsOf } from '../../rounds.ts';
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

const rounds = roundsOf(1, 3);
searchAgreementSuite({ name: 'PostgreSQL', rounds, searchesOfRound: 50, typesOneOf: 4, open });
