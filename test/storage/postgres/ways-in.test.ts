import { after } from 'node:test';
import { waysInSuite } from '../../api/ways-in.suite.ts';
import { startTestPostgres } from './start-test-postgres.ts';

const postgres = await startTestPostgres();
after(() => postgres.close());

waysInSuite({ DATABASE_URL: postgres.url });
