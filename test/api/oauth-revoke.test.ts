import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newClient, postForm, startWithClient, statusWith, tokenOf } from './oauth-requests.ts';

const revoke = '/oauth/token/revoke';

test('POST /oauth/token/revoke: the token is 401 at once, however it is encoded; another one of the client stays', async (t) => {
  const { api, client } = await startWithClient(t, ['view_test']);
  const [token, other] = [await tokenOf(api, client), await tokenOf(api, client)];
  assert.equal(await statusWith(api, token), 404);
  const response = await postForm(api, revoke, `token=${token}&token_type_hint=access_token`, client);
  assert.deepEqual([response.status, response.text], [200, '{}']);
  assert.equal(await statusWith(api, token), 401);
  assert.equal(await statusWith(api, `${token}==`), 401);
  assert.equal(await statusWith(api, other), 404);
  assert.equal((await postForm(api, revoke, `token=${token}`, client)).status, 200);
});

test('POST /oauth/token/revoke: garbage and a token of another client get the same response and are left alone', async (t) => {
  const { api, client } = await startWithClient(t, ['view_test']);
  const sibling = await tokenOf(api, await newClient(api, 'shop', ['view_test']));
  for (const token of ['garbage', sibling]) {
    const response = await postForm(api, revoke, `token=${token}`, client);
    assert.deepEqual([response.status, response.text], [200, '{}']);
  }
  assert.equal(await statusWith(api, sibling), 404);
});

test('POST /oauth/token/revoke: without credentials 401 and the token stays; without token 400', async (t) => {
  const { api, client } = await startWithClient(t, ['view_test']);
  const token = await tokenOf(api, client);
  assert.equal((await postForm(api, revoke, `token=${token}`)).status, 401);
  assert.equal(await statusWith(api, token), 404);
  assert.equal((await postForm(api, revoke, '', client)).status, 400);
});
