import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client, types } from 'pg';
import type { Change } from '../../../src/domain/ports/resource-store.ts';
import type { Store } from '../../../src/domain/ports/store.ts';
import { checkPostgres } from '../../../src/record/postgres/maintenance/maintain.ts';
import { startTestApi } from '../../start-test-api.ts';
import { damagedRowsSuite } from '../damaged-rows.suite.ts';
import { assertExportLeavesOut } from '../exported-without.ts';
import { creation, document, replacement } from '../records.ts';
import { openTestStore, startTestPostgres, type TestPostgres } from './start-test-postgres.ts';

let postgres: TestPostgres;
let beside: Client;
before(async () => {
  postgres = await startTestPostgres();
  // 64 bits, which would come as texts.
  const getTypeParser = (oid: number) => (oid === types.builtins.INT8 ? Number : types.getTypeParser(oid));
  beside = new Client({ connectionString: postgres.url, types: { getTypeParser } });
  await beside.connect();
  await beside.query('SET synchronous_commit = off');
});
after(async () => {
  await beside.end();
  await postgres.close();
});

damagedRowsSuite({
  name: 'PostgreSQL',
  open: (onDamaged) => openTestStore(postgres, { onDamaged }),
  async run(sql, ...params) {
    let at = 0;
    const text = sql.replace(/\?/g, () => {
      at += 1;
      return `$${at}`;
    });
    return (await beside.query<Record<string, unknown>>(text, [...params])).rows;
  },
  async columnsOf(table) {
    const text = `SELECT column_name AS name FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name = $1`;
    const names = (await beside.query<{ name: string }>(text, [table])).rows.map(({ name }) => name);
    // A cluster refuses to change the project of a row, and finds no row by one that another shard has.
    return postgres.isCluster ? names.filter((name) => name !== 'project_key') : names;
  },
  check: () => checkPostgres(postgres.url, () => {}),
});

test('a damaged resource: 500 for it alone, lists have the copy of their mirror, others go on, PUT and DELETE heal it', async (t) => {
  const own = await startTestPostgres();
  const api = await startTestApi({ DATABASE_URL: own.url });
  const damaging = new Client({ connectionString: own.url });
  await damaging.connect();
  t.after(async () => {
    await damaging.end();
    await api.close();
    await own.close();
  });
  const put = (body: object) => api.call({ method: 'PUT', path: '/p/resource', body });
  const listed = async (query = '') => {
    const { status, json, text } = await api.call({ path: `/p/resource/sorted-query-parameters?${query}` });
    assert.equal(status, 200, text);
    assert.equal(json.total, json.count);
    return json.results.map(({ id }: { id: string }) => id);
  };
  const found = async (query: string) => {
    const { status, json, text } = await api.call({ path: `/p/resource/searchApiPattern?${query}` });
    assert.equal(status, 200, text);
    return [json.results.map(({ id }: { id: string }) => id), json.total];
  };
  const health = async () => (await api.call({ path: '/health/ready', scope: 'none' })).json.checks.resources as string;
  await api.call({ method: 'PUT', path: '/q/resource', body: { id: 'b', color: 'blue' } });
  await put({ id: 'other', color: 'red' });
  for (const [column, value] of [
    ['version', '1152921504606846977'],
    ['key', "'kx'"],
    ['incarnation', "'x'"],
    ['created_at', "'x'"],
    ['modified_at', "'x'"],
    ['current', "replace(current, 'red', 'rex')"],
    ['staged', "'{'"],
    ['history', "history || 'x'"],
    ['checksum', 'checksum + 1'],
  ]) {
    for (const heal of ['PUT', 'DELETE'] as const) {
      await put({ id: 'a', color: 'red' });
      assert.deepEqual(await listed('sort=id%20asc'), ['a', 'other'], String(column));
      await damaging.query(`UPDATE resource SET ${column} = ${value} WHERE id = 'a'`);
      assert.deepEqual(await found('text.en=red&sort=id%20asc'), [['a', 'other'], 2], String(column));
      assert.deepEqual(await listed('where=color%20%3D%20%22red%22&sort=id%20asc'), ['a', 'other'], String(column));
      assert.equal((await api.call({ path: '/q/resource' })).json.count, 1);
      assert.equal((await api.call({ path: '/p/resource/a' })).json.errors[0].code, 'DataCorruption');
      assert.equal(
        await health(),
        '1 damaged, which lists and searches may leave out: p/a: its checksum does not match',
      );
      if (heal === 'PUT') {
        const healed = await put({ id: 'a', color: 'green' });
        assert.equal(healed.status, 201, `${column}: ${healed.text}`);
        assert.equal((await api.call({ path: '/p/resource/a' })).text, healed.text);
        assert.deepEqual(await listed('where=color%20%3D%20%22green%22'), ['a']);
        assert.equal((await api.call({ path: '/p/resource/a/history' })).status, 200);
        await api.call({ method: 'DELETE', path: '/p/resource/a' });
      } else {
        const deleted = await api.call({ method: 'DELETE', path: '/p/resource/a' });
        assert.equal(deleted.status, 200, deleted.text);
      }
      assert.equal((await api.call({ path: '/p/resource/a' })).status, 404);
      // The mirror learns of it by the next query.
      assert.deepEqual(await listed(), ['other']);
      assert.equal(await health(), 'ok');
    }
  }
  await put({ id: 'a', color: 'red' });
  await damaging.query("UPDATE resource SET checksum = checksum + 1 WHERE id = 'a'");
  await assertExportLeavesOut(api, 'a', ['other']);
  await put({ id: 'a', color: 'red' });
  const findings = await checkPostgres(own.url, () => {});
  assert.deepEqual(findings, []);
});

test('a resource that was damaged before a mirror copied it is left out and named until any process heals it', async (t) => {
  const own = await startTestPostgres();
  const [before, next] = [document('a', 1, { n: 1 }), document('a', 2, { n: 2 })];
  const first = await openTestStore(own);
  await first.resources.commit(creation('p', before));
  await first.close();
  await own.run("UPDATE resource SET checksum = checksum + 1 WHERE id = 'a'");
  const [one, two] = [await openTestStore(own), await openTestStore(own)];
  let again: Store | undefined;
  t.after(async () => {
    await Promise.all([one.close(), two.close(), again?.close()]);
    await own.close();
  });
  const list = async (store: Store) => {
    const query = { projectKey: 'p', where: [], staged: false, sort: [], limit: 20, offset: 0, withTotal: true };
    return (await store.resources.list(query)).total;
  };
  assert.deepEqual([await list(one), await list(two)], [0, 0]);
  const countOf = async (store: Store) => (await store.status()).damagedResources?.count;
  assert.deepEqual([await countOf(one), await countOf(two)], [1, 1]);
  again = await openTestStore(own);
  assert.equal(await list(again), 0);
  assert.equal(await countOf(again), 1);
  const change = { ...replacement('p', before, next), isOfDamaged: true } as Change;
  assert.equal(await one.resources.commit(change), 'committed');
  assert.deepEqual([await list(one), await list(two), await list(again)], [1, 1, 1]);
  assert.deepEqual([await countOf(one), await countOf(two), await countOf(again)], [0, 0, 0]);
});
