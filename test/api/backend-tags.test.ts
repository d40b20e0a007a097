import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openResources, refusalOf } from './open-resources.ts';

const { send, get } = await openResources();
const path = (projectKey: string) => `/${projectKey}/resource/namespace-action`;
const valuePath = (projectKey: string) => `/${projectKey}/resource/json-serializable-primitive-type`;
const price = { centAmount: 100, currencyCode: 'EUR' };

for (const [name, method, pathOf] of [
  ['E14', 'POST', path],
  ['E18', 'PUT', valuePath],
] as const) {
  test(`${name} honours If-Match and If-None-Match, and sends an ETag`, async () => {
    const write = (body: unknown, headers = {}) => send(method, pathOf(name), body, headers);
    refusalOf(await write({ a: 0 }, { 'if-match': '*' }), 412, 'PreconditionFailed');
    refusalOf(await write({ a: 0 }, { 'if-match': '"1"' }), 412, 'PreconditionFailed');
    const first = await write({ a: 1 }, { 'if-none-match': '*' });
    assert.equal(first.status, 200);
    assert.match(first.headers.etag!, /^"1-[0-9a-f]{10}"$/);
    refusalOf(await write({ a: 2 }, { 'if-none-match': '*' }), 412, 'PreconditionFailed');
    const second = await write({ a: 2 }, { 'if-match': first.headers.etag! });
    assert.equal(second.headers.etag, first.headers.etag!.replace('"1-', '"2-'));
    const stale = refusalOf(await write({ a: 3 }, { 'if-match': first.headers.etag! }), 412, 'PreconditionFailed');
    assert.equal(stale.message, `If-Match does not hold: the entity tag is ${second.headers.etag}.`);
    refusalOf(await write({ a: 3 }, { 'if-match': `W/${second.headers.etag}` }), 412, 'PreconditionFailed');
    refusalOf(await write({ a: 3 }, { 'if-none-match': second.headers.etag! }), 412, 'PreconditionFailed');
    refusalOf(await write({ a: 3 }, { 'if-match': 'x' }), 400, 'InvalidInput');
    assert.equal((await write({ a: 4 }, { 'if-match': `"x", ${second.headers.etag}` })).json.a, 4);
  });

  test(`${name}: of 20 writes at once with one If-Match exactly one is carried out`, async () => {
    const { headers } = await send(method, pathOf(`${name}-race`), { n: -1 });
    const writes = Array.from({ length: 20 }, (_, n) =>
      send(method, pathOf(`${name}-race`), { n }, { 'if-match': headers.etag! }),
    );
    const responses = await Promise.all(writes);
    const statuses = responses.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [200, ...new Array(19).fill(412)]);
    const winner = responses.find(({ status }) => status === 200)!;
    assert.equal(winner.headers.etag, headers.etag!.replace('"1-', '"2-'));
  });
}

test('E14 before the first write: the tag of what E15 returns then may be named', async () => {
  const { headers, text } = await get(path('first'));
  assert.deepEqual([text, headers.etag], ['{}', '"0"']);
  assert.equal((await send('POST', path('first'), { a: 1 }, { 'if-match': '"0"' })).status, 200);
  refusalOf(await send('POST', path('first'), { a: 1 }, { 'if-match': '"0"' }), 412, 'PreconditionFailed');
});

test('each of many concurrent writes of E14 gets the tag of its own response', async () => {
  const responses = await Promise.all(
    Array.from({ length: 30 }, (_, i) => send('POST', path('many'), { [`k${i}`]: i })),
  );
  const numbers = responses.map(({ headers, json }) => {
    const number = Number(/^"(\d+)-/.exec(headers.etag!)?.[1]);
    assert.equal(Object.keys(json).length, number);
    return number;
  });
  assert.equal(new Set(numbers).size, 30);
  const last = responses.find(({ json }) => Object.keys(json).length === 30)!;
  assert.equal((await get(path('many'), { 'if-none-match': last.headers.etag! })).status, 304);
});

const cartHeaders = { 'path-header': '/', accept: 'application/json' };
for (const [name, suffix] of [
  ['E15', ''],
  ['E16', '-with-example'],
  ['E17', '-with-headers'],
] as const) {
  test(`${name} sends an ETag that follows the document; If-None-Match is 304, If-Match 412`, async () => {
    const read = (headers = {}) => get(`${path(name)}${suffix}`, { ...cartHeaders, ...headers });
    const empty = await read();
    await send('POST', path(name), { lineItems: [{ price }] });
    const first = await read();
    assert.equal(first.status, 200);
    assert.notEqual(first.headers.etag, empty.headers.etag);
    for (const tag of [first.headers.etag, `W/${first.headers.etag}`, '*']) {
      const cached = await read({ 'if-none-match': tag });
      assert.deepEqual([cached.status, cached.text, cached.headers.etag], [304, '', first.headers.etag]);
    }
    assert.equal((await read({ 'if-none-match': empty.headers.etag })).text, first.text);
    assert.equal((await read({ 'if-match': first.headers.etag })).status, 200);
    refusalOf(await read({ 'if-match': empty.headers.etag }), 412, 'PreconditionFailed');
    await send('POST', path(name), { lineItems: [{ price }, { price }] });
    assert.equal((await read({ 'if-none-match': first.headers.etag })).status, 200);
  });
}

test('a repeat of E14 with an Idempotency-Key has the ETag of the first response', async () => {
  const write = () => send('POST', path('repeat'), { a: 1 }, { 'idempotency-key': 'k', 'if-none-match': '*' });
  const first = await write();
  await send('POST', path('repeat'), { a: 2 });
  const again = await write();
  assert.deepEqual([again.status, again.text, again.headers.etag], [200, first.text, first.headers.etag]);
});
