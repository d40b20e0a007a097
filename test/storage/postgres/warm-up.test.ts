import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Connection, createConnect } from '../../../src/storage/postgres/open/connection.ts';
import { allTables } from '../../../src/storage/postgres/open/migrate.ts';
import { createServerPace, workText } from '../../../src/storage/postgres/open/server-pace.ts';
import { creation, document, replacement } from '../records.ts';
import { query } from './exercise.ts';
import { recordStatements, tableStatements } from './recorded-statements.ts';
import { connectToStore, openTestStore, startTestPostgres, type TestPostgres } from './start-test-postgres.ts';

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

/** The same connection to a server that takes so many ms for its work. */
function pacing(connection: Connection, paces: number[]): Connection {
  return {
    ...connection,
    query: async <Row>(statement: Parameters<Connection['query']>[0]) =>
      statement.text === workText ? ([{ ms: paces.shift()! }] as Row[]) : connection.query<Row>(statement),
  };
}

test('a start on a busy database knows from the starts of the last days how fast it is at rest', async () => {
  const store = await openTestStore(postgres, { connections: 4 });
  const connection = await connectToStore(postgres);
  const kept = `FROM store_setting WHERE name = 'pace'`;
  const keptMs = async () =>
    (await postgres.run<{ ms: number }>(`SELECT (value::json ->> 'ms')::float8 AS ms ${kept}`))[0]?.ms;
  /** Whether the server is too slow in these times, after a start that has found others. */
  const slowed = async (paces: readonly number[], times: readonly number[]) => {
    const pace = createServerPace();
    await pace.measureAtStart(pacing(connection, [...paces]));
    const told: boolean[] = [];
    for (const ms of times) told.push(await pace.isSlowed(pacing(connection, [ms])));
    return told;
  };
  const age = (days: number) =>
    postgres.run(
      `UPDATE store_setting SET value = json_build_object('ms', 20, 'at', extract(epoch FROM now()) - ${days} * 86400)::text
        WHERE name = 'pace'`,
    );
  const keptFor = async () => {
    const days = `((extract(epoch FROM now()) - (value::json ->> 'at')::float8) / 86400)::int`;
    return (await postgres.run<{ days: number }>(`SELECT ${days} AS days ${kept}`))[0]?.days;
  };
  await postgres.run(`DELETE ${kept}`);
  await store.warm();
  // Where tables are spread over servers none is measured.
  assert.equal(((await keptMs()) ?? 0) > 0, postgres.isCluster !== true);
  await postgres.run(`DELETE ${kept}`);
  assert.deepEqual(await slowed([24, 20, 22], [39, 40]), [false, true]);
  assert.equal(await keptMs(), 20);
  assert.deepEqual(await slowed([60, 70, 80], [39, 40]), [false, true], 'busy');
  assert.equal(await keptMs(), 20);
  await age(6);
  await slowed([60, 60, 60], []);
  assert.equal(await keptFor(), 6, 'by a start that is slower it is kept no longer');
  assert.deepEqual(await slowed([25, 26, 27], [39, 40]), [false, true]);
  assert.deepEqual([await keptFor(), await keptMs()], [0, 20], 'as fast as it was');
  await age(8);
  assert.deepEqual(await slowed([60, 60, 60], [119, 120]), [false, true], 'another server');
  assert.equal(await keptMs(), 60);
  await connection.close();
  await store.close();
});
