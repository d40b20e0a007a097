import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openResources, refusalOf } from './open-resources.ts';

const { api, send, get } = await openResources({ MAX_BODY_BYTES: '65536' });
const path = (projectKey: string) => `/${projectKey}/resource/namespace-action`;
const post = (projectKey: string, body: unknown, headers = {}) => send('POST', path(projectKey), body, headers);

test('E14 merges an object into the document and returns it', async () => {
  assert.equal((await post('merge', { a: { b: 1, c: 2 }, d: [1, 2] })).text, '{"a":{"b":1,"c":2},"d":[1,2]}');
  const merged = await post('merge', '{"a":{"b":null,"e":"x"},"d":[3]}');
  assert.equal(merged.status, 200);
  assert.equal(merged.headers['content-type'], 'application/json; charset=utf-8');
  assert.equal(merged.text, '{"a":{"c":2,"e":"x"},"d":[3]}');
  assert.equal((await get(path('merge'))).text, merged.text);
});

for (const body of ['[1,2]', '"text"', '7', 'true', 'false', 'null', '9007199254740993']) {
  test(`E14 of ${body} replaces the document`, async () => {
    await post('replace', { a: 1 });
    assert.equal((await post('replace', body)).text, body);
    assert.equal((await get(path('replace'))).text, body);
    assert.equal((await post('replace', { b: 2 })).text, '{"b":2}');
    await post('replace', 'null');
  });
}

test('E14 keeps all digits of integers, and names like __proto__ as data', async () => {
  const body = '{"n":9007199254740993,"m":-9223372036854775808,"__proto__":{"x":1}}';
  assert.equal((await post('digits', body)).text, body);
  assert.equal((await post('digits', '{"k":1}')).text, `${body.slice(0, -1)},"k":1}`);
  assert.equal((await get(path('digits'))).text, `${body.slice(0, -1)},"k":1}`);
});

test('E14 of a document as deep as JSON may be here can be merged and read', async () => {
  const deep = `{"a":${'['.repeat(63)}9007199254740993${']'.repeat(63)}}`;
  assert.equal((await post('deep', deep)).text, deep);
  assert.equal((await post('deep', '{}')).text, deep);
  assert.equal((await get(path('deep'))).text, deep);
});

test('E14 that would make the document too large is 400, and the document stays', async () => {
  const filling = '"'.repeat(30_000);
  assert.equal((await post('large', { a: filling.slice(0, 20_000) })).status, 200);
  refusalOf(await post('large', { b: filling }), 400, 'ResourceSizeLimitExceeded');
  assert.deepEqual(Object.keys((await get(path('large'))).json), ['a']);
});

test('E14 from 40 requests at once loses none, and counts them all', async () => {
  const responses = await Promise.all(Array.from({ length: 40 }, (_, i) => post('race', { [`k${i}`]: i })));
  assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]));
  for (const [i, { json }] of responses.entries()) assert.equal(json[`k${i}`], i);
  assert.equal(Object.keys((await get(path('race'))).json).length, 40);
  assert.equal((await get(`${path('race')}-with-example`)).json.cartVersion, '40');
});

test('E14 refused among others at once is refused alone', async () => {
  await post('mixed', { a: 'x'.repeat(40_000) });
  const responses = await Promise.all([
    ...[1, 2, 3].map((i) => post('mixed', { [`k${i}`]: i })),
    post('mixed', { b: 'y'.repeat(40_000) }),
    post('mixed', { k4: 4 }),
  ]);
  assert.deepEqual(
    responses.map(({ status }) => status),
    [200, 200, 200, 400, 200],
  );
  assert.deepEqual(Object.keys((await get(path('mixed'))).json), ['a', 'k1', 'k2', 'k3', 'k4']);
});

test('E14 repeated with its Idempotency-Key gets the first response and is written once', async () => {
  const headers = { 'idempotency-key': 'once' };
  const first = await post('repeat', { count: 1 }, headers);
  await post('repeat', { count: 2 });
  const again = await post('repeat', { count: 1 }, headers);
  assert.deepEqual([again.status, again.text], [200, first.text]);
  assert.equal((await get(path('repeat'))).text, '{"count":2}');
  refusalOf(await post('repeat', { count: 3 }, headers), 422, 'IdempotencyKeyReused');
});

test('E14 without a body, with broken JSON or as a form is 400 or 415', async () => {
  refusalOf(await send('POST', path('bad')), 400, 'InvalidJsonInput');
  refusalOf(await post('bad', '{"a":}'), 400, 'InvalidJsonInput');
  refusalOf(
    await post('bad', 'a=1', { 'content-type': 'application/x-www-form-urlencoded' }),
    415,
    'UnsupportedMediaType',
  );
  assert.equal((await get(path('bad'))).text, '{}');
});

test('E14 is for manage_test; the projects do not see each other', async () => {
  const request = { method: 'POST', path: path('mine'), body: { a: 1 } };
  refusalOf(await api.call({ ...request, scope: 'none' }), 401, 'invalid_token');
  refusalOf(await api.call({ ...request, scope: 'view_test:mine' }), 403, 'insufficient_scope');
  refusalOf(await api.call({ ...request, scope: 'manage_test:other' }), 403, 'insufficient_scope');
  assert.equal((await api.call({ ...request, scope: 'manage_test:mine' })).status, 200);
  assert.equal((await get(path('other'))).text, '{}');
});

test('E14 leaves no resource that lists or reads could find', async () => {
  await post('hidden', { a: 1 });
  assert.equal((await get('/hidden/resource?where=a%3D1')).json.total, 0);
  assert.equal((await get('/hidden/resource')).json.total, 0);
  refusalOf(await get('/hidden/resource/document'), 404, 'ResourceNotFound');
  assert.equal((await get('/hidden~backend/resource/document', { authorization: 'Bearer x' })).status, 404);
});
