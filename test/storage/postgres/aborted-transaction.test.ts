import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createConnect } from '../../../src/record/postgres/open/connection.ts';
import { startTestPostgres } from './start-test-postgres.ts';

const postgres = await startTestPostgres();
after(() => postgres.close());

test('of statements sent together the error is that of the one that failed, however deep it is awaited', async () => {
  const connection = await createConnect({ url: postgres.url, statementTimeoutMs: 120_000 })();
  try {
    await connection.run({ text: 'BEGIN' });
    const failing = async () => await (async () => await connection.run({ text: 'SELECT 1 / 0' }))();
    const deeper = async () => await (async () => await failing())();
    await assert.rejects(Promise.all([deeper(), connection.run({ text: 'SELECT 1' })]), { code: '22012' });
  } finally {
    await connection.close();
  }
});
