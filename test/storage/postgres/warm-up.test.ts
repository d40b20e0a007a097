import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createConnect } from '../../../src/storage/postgres/open/connection.ts';
import { allTables } from '../../../src/storage/postgres/open/migrate.ts';
import { creation, document, replacement } from '../records.ts';
import { query } from './exercise.ts';
import { recordStatements, tableStatements } from './recorded-statements.ts';
import { openTestStore, startTestPostgres, type TestPostgres } from './start-test-postgres.ts';

let postgres: TestPostgres;
before(async () => {
  postgres = await startTestPostgres();
});
after(() => postgres.close());

/** The sessions of the store, by the address that names the schema of this test. */
async function sessions(): Promise<readonly number[]> {
  const rows = await postgres.run<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity
      WHERE application_name = 'generic-resource-service' AND datname = current_database() ORDER BY pid`,
  );
  return rows.map(({ pid }) => pid);
}

test('a store that is warm has its connections, has prepared what single requests send, and nothing of it stays', async () => {
  const store = await openTestStore(postgres, { connections: 16, declaredPaths: ['price'] });
  assert.equal((await store.status()).isWarm, false);
  const warming = recordStatements();
  await store.warm();
  warming.stop();
  assert.equal((await store.status()).isWarm, true);
  const warm = await sessions();
  const requests = recordStatements();
  const first = document('a', 1, { price: 1, name: { en: 'shoe' } }, 'k');
  assert.equal(await store.resources.commit(creation('p', first)), 'committed');
  assert.equal(
    await store.resources.commit(replacement('p', first, document('a', 2, { price: 2, name: { en: 'shoes' } }, 'k'))),
    'committed',
  );
  assert.equal((await store.resources.get('p', 'a'))?.version, 2);
  assert.equal((await store.resources.getByKey('p', 'k'))?.version, 2);
  requests.stop();
  assert.equal((await store.resources.list(query('p', 'price = 2'))).total, 1);
  // Of a server that others use as well, it is not known which sessions are ours.
  if (postgres.server) assert.deepEqual(await sessions(), warm);
  const known = new Set(warming.statements.map(({ text }) => text));
  const sent = tableStatements(requests.statements);
  assert.ok(sent.length > 8, `${sent.length} statements`);
  assert.deepEqual(
    sent.filter(({ text }) => !known.has(text)),
    [],
  );
  await store.close();
  for (const table of allTables()) {
    const [row] = await postgres.run<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${table} WHERE project_key LIKE 'warm-up-%'`,
    );
    assert.equal(row!.count, 0, table);
  }
});

test('each connection is warmed for each server', async () => {
  const asked = new Map<string, string>();
  const locate = async (keys: readonly string[]) => {
    for (const [at, key] of keys.entries()) asked.set(key, `node-${at % 3}`);
    return new Map(keys.map((key, at) => [key, `node-${at % 3}`]));
  };
  const store = await openTestStore(postgres, { connections: 16, locate });
  const recorded = recordStatements();
  await store.warm();
  recorded.stop();
  await store.close();
  const nodes = new Map<string, Set<string>>();
  for (const { text, values } of tableStatements(recorded.statements)) {
    const node = asked.get(String(values[0]));
    if (node !== undefined) nodes.set(text, (nodes.get(text) ?? new Set()).add(node));
  }
  assert.ok(nodes.size > 10, `${nodes.size} texts`);
  for (const [text, those] of nodes) assert.equal(those.size, 3, text);
});

test('a store whose tables are locked becomes warm when its statements have timed out, and serves then', async () => {
  const store = await openTestStore(postgres, { queryTimeoutMs: 500 });
  const blocker = await createConnect({ url: postgres.url, statementTimeoutMs: 120_000 })();
  await blocker.run({ text: 'BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0' });
  await blocker.run({ text: 'LOCK TABLE resource IN ACCESS EXCLUSIVE MODE' });
  await store.warm();
  assert.equal((await store.status()).isWarm, true);
  await blocker.close();
  assert.equal(await store.resources.commit(creation('q', document('a', 1))), 'committed');
  await store.close();
});

test('a store whose server is away becomes warm all the same: requests say what is wrong', async (t) => {
  if (!postgres.server) return t.skip('the server of TEST_DATABASE_URL is left as it is');
  const store = await openTestStore(postgres);
  await postgres.server.stopAtOnce();
  await store.warm();
  const { isWarm, writable } = await store.status();
  assert.deepEqual([isWarm, writable], [true, false]);
  await store.close();
  await postgres.server.start();
});
