import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { StoreRefused } from '../../../src/record/engine.ts';
import { migratePostgres } from '../../../src/record/postgres/maintenance/maintain.ts';
import { createConnect } from '../../../src/record/postgres/open/connection.ts';
import { inspectNodes, type NodeFacts, readNodes } from '../../../src/record/postgres/open/servable.ts';
import { openTestStore, startTestPostgres, type TestPostgres } from './start-test-postgres.ts';

let postgres: TestPostgres;
before(async () => {
  postgres = await startTestPostgres();
});
after(() => postgres.close());

const safe = { fsync: 'on', pages: 'on', commit: 'on' };
const planned = { enable_seqscan: 'off', jit: 'off', max_parallel_workers_per_gather: '0' };
const node = (facts: NodeFacts['facts'], name = 'w1:5432'): NodeFacts => ({ name, facts });

test('the nodes of a cluster: nothing is said where all is as it should be', () => {
  assert.deepEqual(inspectNodes([]), []);
  const commits = ['on', 'remote_write', 'remote_apply'];
  assert.deepEqual(inspectNodes(commits.map((commit) => node({ ...safe, commit, ...planned }))), []);
});

for (const [setting, value] of [
  ['fsync', 'off'],
  ['pages', 'off'],
  ['commit', 'off'],
  ['commit', 'local'],
]) {
  test(`a node with ${setting} = ${value}: refused, and named`, () => {
    const nodes = [node({ ...safe, ...planned }), node({ ...safe, ...planned, [setting!]: value! }, 'w2:5432')];
    assert.throws(
      () => inspectNodes(nodes),
      (error) => error instanceof StoreRefused && /w2:5432/.test(error.message) && !/w1:5432/.test(error.message),
    );
  });
}

test('a node that plans otherwise, and one that does not respond: both are said, and what to do', () => {
  const said = inspectNodes([node({ ...safe, ...planned, jit: 'on' }), node(undefined, 'w2:5432')]);
  assert.equal(said.length, 2);
  assert.match(said[0]!, /w1:5432 has jit = on,.*grs migrate/);
  assert.match(said[1]!, /w2:5432 does not respond/);
});

test('without a cluster: there are no nodes, and the defaults of the role stay as they are', async (t) => {
  if (postgres.isCluster) return t.skip('TEST_DATABASE_URL is a cluster');
  await migratePostgres(postgres.url, false);
  const connection = await createConnect({ url: postgres.url, statementTimeoutMs: 120_000 })();
  assert.equal(await readNodes(connection), undefined);
  const [row] = await connection.query<{ count: number }>({ text: 'SELECT count(*) FROM pg_db_role_setting' });
  assert.equal(row?.count, 0);
  await connection.close();
});

test('a server with synchronous_commit off for the session of the service: switched on', async () => {
  const url = `${postgres.url}${encodeURIComponent(' -c synchronous_commit=off')}`;
  const connection = await createConnect({ url, statementTimeoutMs: 120_000 })();
  const text = `SELECT current_setting('synchronous_commit') AS commit`;
  assert.deepEqual(await connection.query({ text }), [{ commit: 'on' }]);
  await connection.close();
  await (await openTestStore({ ...postgres, url })).close();
});

test('a statement that is cancelled: doubtful is only a connection with a node of a cluster', async () => {
  for (const projectsApart of [true, false]) {
    const connection = await createConnect({ url: postgres.url, statementTimeoutMs: 50, projectsApart })();
    assert.equal(connection.isDoubtful(), false);
    await assert.rejects(connection.query({ text: 'SELECT 1 / 0' }), { code: '22012' });
    assert.equal(connection.isDoubtful(), false);
    await assert.rejects(connection.query({ text: 'SELECT pg_sleep(10)' }), { code: '57014' });
    assert.equal(connection.isDoubtful(), projectsApart);
    await connection.close();
  }
});
