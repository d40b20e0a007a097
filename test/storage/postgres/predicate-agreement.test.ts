import { after, before } from 'node:test';
import { roundsOf } from '../../rounds.ts';
import { type AgreementStore, declaredPaths, predicateAgreementSuite } from '../predicate-agreement.suite.ts';
import { createDocumentWriter } from '../write-documents.ts';
import { openTestStore, startTestPostgres, type TestPostgres } from './start-test-postgres.ts';

let postgres: TestPostgres;
before(async () => {
  postgres = await startTestPostgres();
});
after(() => postgres.close());

async function open(): Promise<AgreementStore> {
  const store = await openTestStore(postgres, { declaredPaths });
  await postgres.run('TRUNCATE resource, event, event_head');
  return {
    write: createDocumentWriter(store),
    lists: async (query) => [await store.resources.list(query), await store.resources.list({ ...query })],
    exists: (where, staged) => store.resources.exists('p', where, staged),
    close: () => store.close(),
  };
}

predicateAgreementSuite({ name: 'PostgreSQL', batches: roundsOf(1, 3), walks: 25, open });
