import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openResources, refusalOf } from './open-resources.ts';

const { api, send, get } = await openResources();
const path = '/shop/resource/namespace-action';

test('E15 before the first write returns {}', async () => {
  const response = await get(path);
  assert.deepEqual([response.status, response.text], [200, '{}']);
  assert.equal(response.headers['content-type'], 'application/json; charset=utf-8');
});

test('E15 returns the document as it was last written, whatever the query', async () => {
  for (const n of [1, 2, 3]) {
    await send('POST', path, { n });
    assert.equal((await get(`${path}?ids[0]=a&any=thing`)).text, `{"n":${n}}`);
  }
});

test('E15 as HEAD responds like GET, without a body', async () => {
  const response = await send('HEAD', path);
  assert.deepEqual([response.status, response.text], [200, '']);
});

test('E15 is for view_test and manage_test', async () => {
  for (const scope of ['view_test:shop', 'manage_test:shop', 'manage_project:shop']) {
    assert.equal((await api.call({ path, scope })).status, 200, scope);
  }
  refusalOf(await api.call({ path, scope: 'none' }), 401, 'invalid_token');
  refusalOf(await api.call({ path, scope: 'manage_products:shop' }), 403, 'insufficient_scope');
  refusalOf(await api.call({ path, scope: 'view_test:other' }), 403, 'insufficient_scope');
});

test('E15 with broken percent-encoding in the query is 400', async () => {
  refusalOf(await get(`${path}?a=%zz`), 400, 'InvalidInput');
});
