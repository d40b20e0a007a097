import { after, before } from 'node:test';
import { changeLogSuite } from '../change-log.suite.ts';
import { openEmptyStore, startTestPostgres, type TestPostgres } from './start-test-postgres.ts';

let postgres: TestPostgres;
before(async () => {
  postgres = await startTestPostgres();
});
after(() => postgres.close());

changeLogSuite({ name: 'PostgreSQL', open: (keepsHistory) => openEmptyStore(postgres, keepsHistory) });
