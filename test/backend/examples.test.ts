import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { refusalOf } from '../api/open-resources.ts';
import { startTestApi, type TestApi } from '../start-test-api.ts';
import { writeConfigFile } from './backend-server.ts';

const folder = fileURLToPath(new URL('../../examples/backends/', import.meta.url));
let warehouse: ChildProcess;
let api: TestApi;

before(async () => {
  warehouse = spawn(process.execPath, [join(folder, 'warehouse.ts')], {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = await once(warehouse.stdout!, 'data');
  // As it is in the examples, but for the port and the folder.
  const file = readFileSync(join(folder, 'backends.json'), 'utf8')
    .replace(':8181/', `:${String(port).trim()}/`)
    .replace('./delivery.ts', join(folder, 'delivery.ts'));
  api = await startTestApi({ BACKENDS_FILE: writeConfigFile(file) });
});
after(async () => {
  await api?.close();
  warehouse.kill('SIGTERM');
});

const path = (projectKey: string) => `/${projectKey}/resource/namespace-action`;
const post = (projectKey: string, body: unknown, headers = {}) =>
  api.call({ method: 'POST', path: path(projectKey), body, headers });

test('examples/backends/warehouse.ts: reserves, refuses what is sold out, reserves a repeat once, and has a cart', async () => {
  const headers = { 'idempotency-key': 'order-1' };
  const first = await post('warehouse', { sku: 'OAK-1', count: 2 }, headers);
  assert.deepEqual([first.status, first.json], [200, { sku: 'OAK-1', count: 2, left: 1 }]);
  assert.equal((await post('warehouse', { sku: 'OAK-1', count: 2 }, headers)).text, first.text);
  const refused = refusalOf(await post('warehouse', { sku: 'OAK-1', count: 2 }), 409, 'BackendRefused');
  assert.deepEqual(refused.details, { reason: 'sold out', left: 1 });
  refusalOf(await post('warehouse', { sku: 'ELM-9', count: 1 }), 404, 'BackendRefused');
  assert.deepEqual((await api.call({ path: path('warehouse') })).json, [{ sku: 'OAK-1', count: 2 }]);
  const { json } = await api.call({ path: `${path('warehouse')}-with-example` });
  assert.deepEqual([json.lineItems[0].variant.sku, json.sum.centAmount], ['OAK-1', 25_900]);
});

test('examples/backends/delivery.ts: tells a price, and refuses what has no weight', async () => {
  const price = (answer: { json: { price: unknown } }) => answer.json.price;
  assert.deepEqual(price(await post('delivery', { grams: 3500 })), { centAmount: 730, currencyCode: 'EUR' });
  const asked = await api.call({ path: `${path('delivery')}?grams=500` });
  assert.deepEqual(price(asked), { centAmount: 490, currencyCode: 'EUR' });
  const refused = refusalOf(await post('delivery', { grams: 'heavy' }), 422, 'BackendRefused');
  assert.deepEqual(refused.details, { grams: 'expected a number above 0' });
  refusalOf(
    await api.call({ path: `${path('delivery')}-with-headers`, headers: { 'path-header': '/' } }),
    400,
    'InvalidInput',
  );
});

test('examples/backends/backends.json: a project that it does not name has the embedded backend', async () => {
  assert.equal((await post('anything', { a: 1 })).text, '{"a":1}');
});
