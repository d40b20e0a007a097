import { after, before } from 'node:test';
import { ruleStoreSuite } from '../rule-store.suite.ts';
import { openTestStore, startTestPostgres, type TestPostgres } from './start-test-postgres.ts';

let postgres: TestPostgres;
before(async () => {
  postgres = await startTestPostgres();
});
after(() => postgres.close());
ruleStoreSuite({
  ...{ name: 'PostgreSQL', rounds: 200 },
  open: async () => [await openTestStore(postgres), await openTestStore(postgres)],
});
