import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startTestApi, type TestApi } from '../../start-test-api.ts';
import { startCuttingProxy } from './cutting-proxy.ts';
import { startTestPostgres, type TestPostgres } from './start-test-postgres.ts';

/** The whole service on PostgreSQL: that the parts fit; the rules are tested on the embedded engine. */
let postgres: TestPostgres;
let api: TestApi;
before(async () => {
  postgres = await startTestPostgres();
  api = await startTestApi({ DATABASE_URL: postgres.url, INDEXED_PATHS: 'price' });
});
after(async () => {
  await api.close();
  await postgres.close();
});

test('POST /resource on PostgreSQL, a resource with a 64-bit integer: read back and found digit by digit', async () => {
  const body = '{"key":"shoe","price":9007199254740993,"name":{"en":"Blue shoe"}}';
  const created = await api.call({ method: 'POST', path: '/p/resource', body });
  assert.equal(created.status, 201);
  const read = await api.call({ path: '/p/resource/key=shoe' });
  assert.match(read.text, /"price":9007199254740993,/);
  for (const [value, total] of [
    ['9007199254740993', 1],
    ['9007199254740992', 0],
  ] as const) {
    const where = encodeURIComponent(`price = ${value}`);
    const list = await api.call({ path: `/p/resource/sorted-query-parameters?where=${where}` });
    assert.equal(list.json.total, total);
  }
});

test('POST /resource/{id} on PostgreSQL, a stale version: 409 with the current one', async () => {
  const update = (version: number) =>
    api.call({
      ...{ method: 'POST', path: '/p/resource/key=shoe' },
      body: { version, actions: [{ action: 'changeSomeProperty', someProperty: 'x' }] },
    });
  assert.equal((await update(1)).status, 200);
  const stale = await update(1);
  assert.equal(stale.status, 409);
  assert.equal(stale.json.errors[0].currentVersion, 2);
});

test('POST /resource on PostgreSQL, 40 at once with one new key: one resource', async () => {
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) => api.call({ method: 'POST', path: '/q/resource', body: { key: 'one', n } })),
  );
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
  const list = await api.call({ path: '/q/resource/sorted-query-parameters' });
  assert.equal(list.json.total, 1);
});

test('POST /resource on PostgreSQL with an Idempotency-Key, twice: stored once', async () => {
  const send = () =>
    api.call({ method: 'POST', path: '/r/resource', headers: { 'idempotency-key': 'k-1' }, body: { colour: 'red' } });
  const [first, second] = [await send(), await send()];
  assert.equal(second.text, first.text);
  assert.equal((await api.call({ path: '/r/resource/sorted-query-parameters' })).json.total, 1);
});

test('POST /{projectKey}/api-clients on PostgreSQL: the client gets a token, and none once it is deleted', async () => {
  const scope = 'manage_api_clients:p';
  const body = { name: 'robot', scopes: ['view_test'] };
  const { json } = await api.call({ method: 'POST', path: '/p/api-clients', scope, body });
  const grant = () =>
    api.call({
      ...{ method: 'POST', path: '/oauth/token?grant_type=client_credentials', scope: 'none' },
      headers: { authorization: `Basic ${Buffer.from(`${json.id}:${json.secret}`).toString('base64')}` },
    });
  assert.equal((await grant()).status, 200);
  const deleted = await api.call({ method: 'DELETE', path: `/p/api-clients/${json.id}`, scope });
  assert.equal(deleted.status, 200);
  assert.equal((await grant()).status, 401);
});

test('GET /health/ready on PostgreSQL: ready', async () => {
  await api.app.store.warm();
  assert.equal((await api.call({ path: '/health/ready', scope: 'none' })).status, 200);
});

test('GET /{projectKey} and a form with 500 ids on PostgreSQL: counted, and found', async () => {
  const { json } = await api.call({ path: '/p' });
  const sorted = '/p/resource/sorted-query-parameters';
  const { total, results } = (await api.call({ path: sorted })).json;
  assert.deepEqual(json.counts, { resources: total, imageVariants: 0 });
  const ids = [...Array.from({ length: 499 }, () => crypto.randomUUID() as string), results[0].id];
  const list = await api.call({
    ...{ method: 'POST', path: sorted, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    body: new URLSearchParams({ where: `id in (${ids.map((id) => `"${id}"`).join(', ')})` }).toString(),
  });
  assert.deepEqual([list.status, list.json.total], [200, 1], list.text);
});

test('Prefer: eventual, while the database cannot be reached: what the machine has mirrored, and 503 without it', async (t) => {
  if (!postgres.server) return t.skip('needs a server of its own');
  const at = new URL(postgres.url);
  const proxy = await startCuttingProxy(Number(at.port || '5432'));
  Object.assign(at, { hostname: '127.0.0.1', port: String(proxy.port) });
  const cutOff = await startTestApi({ DATABASE_URL: at.href });
  const list = '/eventual/resource/sorted-query-parameters';
  const create = (id: string) => api.call({ method: 'POST', path: '/eventual/resource', body: { id } });
  await create('before');
  const [current, eventual] = [
    await cutOff.call({ path: list }),
    await cutOff.call({ path: `${list}?consistency=eventual` }),
  ];
  assert.deepEqual([current.json.total, current.headers['preference-applied']], [1, undefined]);
  assert.deepEqual([eventual.json.total, eventual.headers['preference-applied']], [1, 'eventual']);
  await proxy.close();
  assert.equal((await create('after')).status, 201);
  const headers = { prefer: 'eventual' };
  for (const path of [list, '/eventual/resource/before']) {
    const { status, headers: answered } = await cutOff.call({ path, headers });
    assert.deepEqual([status, answered['preference-applied']], [200, 'eventual'], path);
    assert.equal((await cutOff.call({ path })).status, 503, path);
  }
  assert.equal((await cutOff.call({ path: list, headers })).json.total, 1);
  // One that it does not have may have been written since.
  assert.equal((await cutOff.call({ path: '/eventual/resource/after', headers })).status, 503);
  await cutOff.close();
});

test('a second service on one DATA_DIR: refused, and the mirror of the first one stays', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'grs-two-'));
  const environment = { DATABASE_URL: postgres.url, DATA_DIR: folder };
  const first = await startTestApi(environment);
  try {
    const file = join(folder, 'mirror', 'mirror.db');
    const { ino } = statSync(file);
    const second = startTestApi(environment).then((other) => other.close());
    await assert.rejects(second, /Another process serves this data folder/);
    assert.equal(statSync(file).ino, ino);
  } finally {
    await first.close();
    rmSync(folder, { recursive: true });
  }
});
