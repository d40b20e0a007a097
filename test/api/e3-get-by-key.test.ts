import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openResources, refusalOf, versionIn } from './open-resources.ts';

const { api, send, get, create } = await openResources();

for (const key of ['k', 'box [blue] (1)', 'a/b?c#d', 'ü\u{1F600}', 'images', 'key=x', '..', '100%', 'x'.repeat(256)]) {
  test(`E3 of the key ${JSON.stringify(key).slice(0, 24)}, percent-encoded, is 200 with the resource and its ETag`, async () => {
    const made = await create('shop', { key });
    const { status, headers, json } = await get(`/shop/resource/key=${encodeURIComponent(key)}`);
    assert.deepEqual([status, versionIn(headers.etag)], [200, 1]);
    assert.deepEqual(json, made);
    // A client that encodes whole segments reaches the same.
    for (const equals of ['%3D', '%3d']) {
      const encoded = await get(`/shop/resource/key${equals}${encodeURIComponent(key)}?staged=true`);
      assert.deepEqual([encoded.status, encoded.json], [200, made], equals);
    }
  });
}

test('E3 with a percent-encoded "=" updates, deletes and refuses methods as without', async () => {
  const { id } = await create('encoded', { key: 'a=b' });
  const path = '/encoded/resource/key%3Da%3Db';
  const updated = await send('POST', path, { version: 1, actions: [{ action: 'doSomeThing' }] });
  assert.deepEqual([updated.status, updated.json.id, updated.json.version], [200, id, 2]);
  const refused = await send('PUT', path, {});
  assert.deepEqual([refused.status, refused.headers.allow], [405, 'DELETE, GET, HEAD, POST']);
  assert.equal((await get('/encoded/resource?where=key%3D%22key%3Db%22')).status, 200);
  assert.equal((await send('DELETE', path)).json.id, id);
  refusalOf(await get('/encoded/resource/key%3D'), 404, 'ResourceNotFound');
});

test('E3 reads, HEAD, updates and deletes work by key as by id', async () => {
  const { id } = await create('ways', { key: 'k' });
  const path = '/ways/resource/key=k';
  const head = await send('HEAD', path);
  assert.deepEqual([head.status, versionIn(head.headers.etag), head.text], [200, 1, '']);
  const updated = await send('POST', path, { version: 1, actions: [{ action: 'doSomeThing' }] });
  assert.deepEqual([updated.status, updated.json.id, updated.json.version], [200, id, 2]);
  assert.equal((await get(path, { 'if-none-match': updated.headers.etag! })).status, 304);
  const deleted = await send('DELETE', `${path}?version=2`);
  assert.deepEqual([deleted.status, deleted.json.id], [200, id]);
  refusalOf(await get(path), 404, 'ResourceNotFound');
});

test('E3 follows a key that moves to another resource', async () => {
  const first = await create('moving', { key: 'k' });
  await send('POST', `/moving/resource/${first.id}`, { version: 1, actions: [{ action: 'setKey' }] });
  refusalOf(await get('/moving/resource/key=k'), 404, 'ResourceNotFound');
  const second = await create('moving', { key: 'k' });
  assert.equal((await get('/moving/resource/key=k')).json.id, second.id);
});

test('E3 with a malformed path is 400', async () => {
  refusalOf(await get('/shop/resource/key=%zz'), 400, 'InvalidInput');
  refusalOf(await get('/shop/resource/key=a%00'), 400, 'InvalidInput');
});

test('E3 without a token is 401, with another scope 403', async () => {
  refusalOf(await api.call({ path: '/shop/resource/key=k', scope: 'none' }), 401, 'invalid_token');
  refusalOf(await api.call({ path: '/shop/resource/key=k', scope: 'manage_products:shop' }), 403, 'insufficient_scope');
});

test('E3 of a key that there is not is 404 and names it; an empty key is no path', async () => {
  const { message } = refusalOf(await get('/shop/resource/key=no%20one'), 404, 'ResourceNotFound');
  assert.equal(message, "The Resource with key 'no one' was not found.");
  refusalOf(await get('/shop/resource/key='), 404, 'ResourceNotFound');
  refusalOf(await get('/shop/resource/key=K'), 404, 'ResourceNotFound');
});

test('E3 with a method that the path has not is 405', async () => {
  const response = await send('PUT', '/shop/resource/key=k', {});
  refusalOf(response, 405, 'MethodNotAllowed');
  assert.equal(response.headers.allow, 'DELETE, GET, HEAD, POST');
});
