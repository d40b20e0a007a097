import { after, before } from 'node:test';
import { postgres as engine } from '../../../src/store/postgres/engine.ts';
import { resourceStoreSuite } from '../resource-store.suite.ts';
import { openTestStore, startTestPostgres, type TestPostgres } from './start-test-postgres.ts';

let postgres: TestPostgres;
before(async () => {
  postgres = await startTestPostgres();
});
after(() => postgres.close());
resourceStoreSuite({ name: 'PostgreSQL', engine, open: (metrics) => openTestStore(postgres, { metrics }) });
