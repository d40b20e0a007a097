import assert from 'node:assert/strict';
import { test } from 'node:test';
import { basic, newClient, postForm, startWithClient, tokenOf } from './oauth-requests.ts';

test('POST /oauth/introspect: a good token is described, times in seconds', async (t) => {
  const { api, client } = await startWithClient(t, ['manage_test']);
  const response = await postForm(api, '/oauth/introspect', `token=${await tokenOf(api, client)}`, client);
  assert.equal(response.status, 200, response.text);
  assert.equal(response.headers['cache-control'], 'no-store');
  const { active, scope, client_id, token_type, exp, iat } = response.json;
  assert.deepEqual([active, scope, client_id, token_type], [true, 'manage_test:shop', client.id, 'Bearer']);
  assert.ok(exp - iat >= 600 && exp - iat <= 172_800);
  assert.ok(Math.abs(iat - Date.now() / 1000) < 600);
});

test('POST /oauth/introspect: the token may stand in the query, under a JSON content type without body', async (t) => {
  const { api, client } = await startWithClient(t, ['view_test']);
  const path = `/oauth/introspect?token=${await tokenOf(api, client)}`;
  const headers = { 'content-type': 'application/json', authorization: basic(client) };
  const response = await api.call({ method: 'POST', path, headers, scope: 'none' });
  assert.equal(response.json.active, true, response.text);
});

test('POST /oauth/introspect: garbage, a changed token and one of another project are just not active', async (t) => {
  const { api, client } = await startWithClient(t, ['view_test']);
  const own = await tokenOf(api, client);
  const foreign = await tokenOf(api, await newClient(api, 'other', ['view_test']));
  for (const token of ['x', 'a.b.c', `${own}%3D`, own.slice(0, -2), foreign, await api.token('view_test:other')]) {
    const response = await postForm(api, '/oauth/introspect', `token=${token}`, client);
    assert.deepEqual([response.status, response.text], [200, '{"active":false}']);
  }
});

test('POST /oauth/introspect: a client sees the tokens of its project', async (t) => {
  const { api, client } = await startWithClient(t, ['view_test']);
  const sibling = await newClient(api, 'shop', ['manage_test']);
  const response = await postForm(api, '/oauth/introspect', `token=${await tokenOf(api, sibling)}`, client);
  assert.equal(response.json.client_id, sibling.id);
});

test('POST /oauth/introspect: without credentials 401, without token 400', async (t) => {
  const { api, client } = await startWithClient(t, ['view_test']);
  const anonymous = await postForm(api, '/oauth/introspect', `token=${await tokenOf(api, client)}`);
  assert.deepEqual([anonymous.status, anonymous.json.error], [401, 'invalid_client']);
  const empty = await postForm(api, '/oauth/introspect', '', client);
  assert.deepEqual([empty.status, empty.json.message], [400, 'Missing required parameter: token.']);
});
