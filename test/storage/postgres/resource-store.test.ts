import { after, before } from 'node:test';
import { resourceStoreSuite } from '../resource-store.suite.ts';
import { openTestStore, startTestPostgres, type TestPostgres } from './start-test-postgres.ts';

let postgres: TestPostgres;
before(async () => {
  postgres = await startTestPostgres();
});
after(() => postgres.close());
resourceStoreSuite({ name: 'PostgreSQL', open: () => openTestStore(postgres) });
