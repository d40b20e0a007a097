import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { png } from '../images/pictures.ts';
import { startTestApi } from '../start-test-api.ts';
import { refusalOf } from './open-resources.ts';

const api = await startTestApi();
after(() => api.close());

test('GET /{projectKey} describes the project: what it holds, what the token may do, and where all is', async () => {
  for (const key of ['a', 'b']) await api.call({ method: 'POST', path: '/shop/resource', body: { key } });
  const image = { method: 'POST', path: '/shop/resource/images', headers: { 'content-type': 'image/png' } };
  const uploaded = await api.call({ ...image, body: await png(8, 8) });
  assert.equal(uploaded.status, 200, uploaded.text);
  const { status, json, headers } = await api.call({ path: '/shop', scope: 'view_test:shop' });
  assert.equal(status, 200);
  assert.deepEqual(json.counts, { resources: 2, imageVariants: 1 });
  assert.deepEqual([json.key, json.scopes], ['shop', ['view_test:shop']]);
  for (const code of ['de', 'zh', 'th']) assert.ok(json.languages.includes(code), json.languages.join());
  assert.equal(headers['cache-control'], 'no-store');
  for (const [name, path] of Object.entries<string>(json.links)) {
    if (name === 'apiClients') continue;
    assert.equal((await api.call({ path })).status, 200, name);
  }
  const clients = await api.call({ path: json.links.apiClients, scope: 'manage_api_clients:shop' });
  assert.equal(clients.status, 200);
});

test('GET /{projectKey} of a project without anything is the same, empty', async () => {
  const { status, json } = await api.call({ path: '/empty' });
  assert.deepEqual([status, json.counts], [200, { resources: 0, imageVariants: 0 }]);
});

test('GET /{projectKey} needs a token of the project; names that belong to the service are no projects', async () => {
  refusalOf(await api.call({ path: '/shop', scope: 'none' }), 401, 'invalid_token');
  refusalOf(await api.call({ path: '/shop', scope: 'view_test:other' }), 403, 'insufficient_scope');
  refusalOf(await api.call({ path: '/health', scope: 'none' }), 404, 'ResourceNotFound');
  refusalOf(await api.call({ method: 'POST', path: '/shop', body: {} }), 405, 'MethodNotAllowed');
});
