import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openResources, refusalOf, versionIn } from './open-resources.ts';

const { api, send, get, create, update } = await openResources();

test('E11 is 200 with what was deleted; after it reads, lists and existence know it no more', async () => {
  const made = await create('shop', { key: 'k', a: 1, objectTypeProperty: { arrayOfIntExample: [6] } });
  const { status, headers, json } = await send('DELETE', `/shop/resource/${made.id}`);
  assert.deepEqual([status, versionIn(headers.etag)], [200, 1]);
  assert.deepEqual(json, made);
  refusalOf(await get(`/shop/resource/${made.id}`), 404, 'ResourceNotFound');
  refusalOf(await get('/shop/resource/key=k'), 404, 'ResourceNotFound');
  assert.equal((await get('/shop/resource')).json.total, 0);
  assert.equal((await send('HEAD', '/shop/resource')).status, 404);
});

test('E11 by key, and with the current version as parameter, is 200', async () => {
  await create('versions', { key: 'k' });
  assert.equal((await send('DELETE', '/versions/resource/key=k?version=1')).status, 200);
  const made = await create('versions', { key: 'k' });
  assert.equal(made.version, 1);
});

test('E11 with a misspelled version, or a parameter of another service, is 400 and deletes nothing', async () => {
  const { id } = await create('misspelled', { key: 'k' });
  const { message } = refusalOf(await send('DELETE', `/misspelled/resource/${id}?versoin=7`), 400, 'InvalidInput');
  assert.match(String(message), /versoin: unknown parameter; did you mean `version`\?/);
  for (const other of ['priceCurrency=EUR', 'limit=1', 'dataErasure=true', 'stagd=true']) {
    refusalOf(await get(`/misspelled/resource/${id}?${other}`), 400, 'InvalidInput');
    refusalOf(await send('DELETE', `/misspelled/resource/${id}?${other}`), 400, 'InvalidInput');
  }
  assert.equal((await get(`/misspelled/resource/${id}`)).status, 200);
});

test('E11 with a body: it is ignored, whatever it is', async () => {
  for (const [body, type] of [
    ['{"version":7}', 'application/json'],
    ['{', 'application/json'],
    ['<a/>', 'text/xml'],
  ] as const) {
    const { id } = await create('bodies', {});
    assert.equal((await send('DELETE', `/bodies/resource/${id}`, body, { 'content-type': type })).status, 200, body);
  }
});

test('E11 returns the current projection of a resource with staged changes', async () => {
  const made = await create('staging', { a: 1 });
  await update('staging', made, { action: 'setField', path: 'a', value: 2, staged: true });
  const { json } = await send('DELETE', `/staging/resource/${made.id}`);
  assert.deepEqual([json.a, json.hasStagedChanges], [1, true]);
});

test('E11 of one resource from 10 requests at once: one is 200, the others 404', async () => {
  const { id } = await create('race', {});
  const responses = await Promise.all(Array.from({ length: 10 }, () => send('DELETE', `/race/resource/${id}`)));
  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, ...Array(9).fill(404)]);
});

for (const version of ['one', '1.5', '', '1e400', '1&version=1']) {
  test(`E11 with version=${version} is 400 InvalidInput and deletes nothing`, async () => {
    const { id } = await create('malformed', {});
    const response = await send('DELETE', `/malformed/resource/${id}?version=${version}`);
    assert.match(refusalOf(response, 400, 'InvalidInput').message, /version/);
    assert.equal((await get(`/malformed/resource/${id}`)).status, 200);
  });
}

test('E11 without a token is 401, with view_test 403', async () => {
  const { id } = await create('shop', {});
  const request = { method: 'DELETE', path: `/shop/resource/${id}` };
  refusalOf(await api.call({ ...request, scope: 'none' }), 401, 'invalid_token');
  refusalOf(await api.call({ ...request, scope: 'view_test:shop' }), 403, 'insufficient_scope');
  assert.equal((await get(request.path)).status, 200);
});

test('E11 of what there is not is 404, whatever the version', async () => {
  refusalOf(await send('DELETE', '/shop/resource/none?version=3'), 404, 'ResourceNotFound');
  refusalOf(await send('DELETE', '/shop/resource/key=none'), 404, 'ResourceNotFound');
});

test('E11 with a stale version is 409 and deletes nothing', async () => {
  const made = await create('stale', { a: 1 });
  await update('stale', made, { action: 'setField', path: 'a', value: 2 });
  for (const version of ['1', '3', '-1', '9223372036854775807', '9007199254740993']) {
    const response = await send('DELETE', `/stale/resource/${made.id}?version=${version}`);
    const error = refusalOf(response, 409, 'ConcurrentModification');
    assert.equal(error.currentVersion, 2);
    assert.match(error.message, new RegExp(`Expected: ${version} - Actual: 2\\.$`));
  }
  assert.equal((await get(`/stale/resource/${made.id}`)).status, 200);
});

test('E11 with a stale If-Match is 412 and deletes nothing; with the current one 200', async () => {
  const { id } = await create('matching', {});
  const path = `/matching/resource/${id}`;
  const error = refusalOf(await send('DELETE', path, undefined, { 'if-match': '"2"' }), 412, 'ConcurrentModification');
  assert.equal(error.currentVersion, 1);
  const current = { 'if-match': String((await get(path)).headers.etag) };
  assert.equal((await send('DELETE', path, undefined, current)).status, 200);
});
