import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestResponse } from '../start-test-api.ts';
import { openResources, refusalOf } from './open-resources.ts';

const { api, send, get, create, read } = await openResources();
const keyed = (key: string) => ({ 'idempotency-key': key });
const outline = ({ status, headers, text }: TestResponse) => [
  status,
  headers.etag,
  headers.location,
  headers['content-type'],
  text,
];

test('100 concurrent creations with one Idempotency-Key create one resource and get one response', async () => {
  const responses = await Promise.all(
    Array.from({ length: 100 }, () => send('POST', '/once/resource', { colour: 'red' }, keyed('k'))),
  );
  const done = responses.filter(({ status }) => status === 201);
  assert.ok(done.length >= 1);
  assert.equal(new Set(done.map(({ text }) => text)).size, 1);
  for (const response of responses) {
    if (response.status === 201) continue;
    refusalOf(response, 409, 'RequestInProgress');
    assert.match(response.headers['retry-after'] ?? '', /^\d+$/);
  }
  const repeat = await send('POST', '/once/resource', { colour: 'red' }, keyed('k'));
  assert.equal(repeat.text, done[0]!.text);
  assert.equal((await get('/once/resource')).json.total, 1);
});

test('a repeat gets the first response again, headers included, also after later writes and a deletion', async () => {
  const draft = { key: 'k', a: 1 };
  const first = await send('POST', '/again/resource', draft, keyed('k'));
  assert.equal(first.status, 201);
  await send('POST', '/again/resource', { key: 'k', a: 2 });
  assert.deepEqual(outline(await send('POST', '/again/resource', draft, keyed('k'))), outline(first));
  assert.equal((await read('again', first.json.id)).a, 2);
  await send('DELETE', `/again/resource/${first.json.id}`);
  assert.deepEqual(outline(await send('POST', '/again/resource', draft, keyed('k'))), outline(first));
  refusalOf(await get(`/again/resource/${first.json.id}`), 404, 'ResourceNotFound');
});

test('a PATCH, an update by actions and a form of E9 are repeated too, with one effect each', async () => {
  const { id } = await create('kinds', { n: 1 });
  const complex = '/kinds/resource/artificially-complex/path/uri-parameter-one=a/b';
  const form = { accept: 'application/x-www-form-urlencoded' };
  const update = { version: 2, actions: [{ action: 'changeSomeProperty', someProperty: 'x' }] };
  for (const [method, path, body, headers] of [
    ['PATCH', '/kinds/resource', { id, n: 2 }, {}],
    ['POST', `/kinds/resource/${id}`, update, {}],
    ['POST', complex, { objectTypeProperty: { arrayOfIntExample: [6] } }, form],
  ] as const) {
    const first = await send(method, path, body, { ...headers, ...keyed('k') });
    assert.ok(first.status < 300, first.text);
    assert.deepEqual(outline(await send(method, path, body, { ...headers, ...keyed('k') })), outline(first));
  }
  assert.equal((await read('kinds', id)).version, 3);
  assert.equal((await get('/kinds/resource')).json.total, 2);
});

test('a key is good for one client, one method and one path: elsewhere it is another key', async () => {
  const { id } = await create('scopes', {});
  const headers = keyed('shared');
  assert.equal((await send('POST', '/scopes/resource', { a: 1 }, headers)).status, 201);
  assert.equal((await send('PATCH', '/scopes/resource', { a: 1 }, headers)).status, 201);
  assert.equal((await send('POST', `/scopes/resource/${id}`, { version: 1, actions: [] }, headers)).status, 200);
  assert.equal((await send('POST', '/scopes-2/resource', { a: 2 }, headers)).status, 201);
  const clients = { method: 'POST', path: '/scopes/api-clients', scope: 'manage_api_clients:scopes' };
  const { json: client } = await api.call({ ...clients, body: { name: 'other', scopes: ['manage_test:scopes'] } });
  const authorization = `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`;
  const token = await api.call({
    ...{ method: 'POST', path: '/oauth/token?grant_type=client_credentials', scope: 'none' },
    headers: { authorization },
  });
  const other = { ...headers, authorization: `Bearer ${token.json.access_token}` };
  const response = await send('POST', '/scopes/resource', { a: 3 }, other);
  assert.deepEqual([response.status, response.json.a], [201, 3]);
});

test('PUT, which is idempotent by itself, takes no notice of the key', async () => {
  const first = await send('PUT', '/puts/resource', { key: 'k' }, keyed('k'));
  const second = await send('PUT', '/puts/resource', { key: 'k', a: 1 }, keyed('k'));
  assert.deepEqual([first.status, second.status, second.json.version], [201, 201, 2]);
});

test('a refused request stores nothing: corrected, it succeeds under the same key', async () => {
  const headers = keyed('refused');
  refusalOf(await send('POST', '/refused/resource', { version: 3 }, headers), 400, 'InvalidOperation');
  refusalOf(await send('POST', '/refused/resource', '{', headers), 400, 'InvalidJsonInput');
  assert.equal((await send('POST', '/refused/resource', { a: 1 }, headers)).status, 201);
});

test('a repeat gets its response although its version or If-Match is stale by its own first effect', async () => {
  const { id } = await create('stale', {});
  const tag = String((await get(`/stale/resource/${id}`)).headers.etag);
  const update = { version: 1, actions: [{ action: 'doSomeThing' }] };
  const headers = { ...keyed('k'), 'if-match': tag };
  const first = await send('POST', `/stale/resource/${id}`, update, headers);
  assert.equal(first.status, 200);
  assert.deepEqual(outline(await send('POST', `/stale/resource/${id}`, update, headers)), outline(first));
});

for (const key of ['', 'x'.repeat(256), 'ü', 'a\tb']) {
  test(`an Idempotency-Key of ${JSON.stringify(key).slice(0, 12)} is 400 InvalidInput`, async () => {
    const { message } = refusalOf(await send('POST', '/keys/resource', {}, keyed(key)), 400, 'InvalidInput');
    assert.match(message, /^Malformed parameter: Idempotency-Key: /);
  });
}

test('a repeat needs a token as good as the first: without one it is 401, with view_test 403', async () => {
  await send('POST', '/tokens/resource', {}, keyed('k'));
  const request = { method: 'POST', path: '/tokens/resource', body: {}, headers: keyed('k') };
  refusalOf(await api.call({ ...request, scope: 'none' }), 401, 'invalid_token');
  refusalOf(await api.call({ ...request, scope: 'view_test:tokens' }), 403, 'insufficient_scope');
});

test('the same key with another body, type of body or query is 422 and has no effect', async () => {
  await send('POST', '/reused/resource', { a: 1 }, keyed('k'));
  refusalOf(await send('POST', '/reused/resource', { a: 2 }, keyed('k')), 422, 'IdempotencyKeyReused');
  refusalOf(await send('POST', '/reused/resource', '{"a": 1}', keyed('k')), 422, 'IdempotencyKeyReused');
  refusalOf(await send('POST', '/reused/resource?expand=x', { a: 1 }, keyed('k')), 422, 'IdempotencyKeyReused');
  assert.equal((await get('/reused/resource')).json.total, 1);
});
