import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openResources, refusalOf } from './open-resources.ts';

const { send, get, create, read } = await openResources();

const increment = { action: 'incrementNumber', path: 'n', by: 1 };
const post = (project: string, address: string, body: unknown, headers = {}) =>
  send('POST', `/${project}/resource/${address}`, body, headers);

test('E10 64 increments at the same time without a version are all counted, and none is refused', async () => {
  const { id } = await create('v1', { key: 'k', n: 9007199254740990 });
  const addresses = [id, 'key=k'];
  const responses = await Promise.all(
    Array.from({ length: 64 }, (_, i) => post('v1', addresses[i % 2]!, { actions: [increment] })),
  );
  assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]));
  assert.equal(new Set(responses.map(({ json }) => json.version)).size, 64);
  const { text } = await get(`/v1/resource/${id}`);
  assert.match(text, /"n":9007199254741054[,}]/);
  assert.equal((await read('v1', id)).version, 65);
});

test('E10 without a version is 400 unless all actions need none', async () => {
  const { id } = await create('v2', { n: 1 });
  for (const actions of [
    [increment, { action: 'setField', path: 'a', value: 1 }],
    [{ action: 'unknown' }],
    [],
    [null],
    [7],
    'x',
  ]) {
    const { detailedErrorMessage } = refusalOf(await post('v2', id, { actions }), 400, 'InvalidJsonInput');
    assert.equal(detailedErrorMessage, 'version: Missing required value');
  }
  assert.equal((await read('v2', id)).version, 1);
});

test('E10 without a version still holds If-Match, and a version where it is sent', async () => {
  const { id } = await create('v3', { n: 1 });
  const tag = String((await get(`/v3/resource/${id}`)).headers.etag);
  assert.equal((await post('v3', id, { actions: [increment] }, { 'if-match': tag })).status, 200);
  refusalOf(await post('v3', id, { actions: [increment] }, { 'if-match': tag }), 412, 'ConcurrentModification');
  refusalOf(await post('v3', id, { version: 1, actions: [increment] }), 409, 'ConcurrentModification');
  refusalOf(await post('v3', `${id}?version=1`, { actions: [increment] }), 409, 'ConcurrentModification');
  assert.equal((await read('v3', id)).n, 2);
});

test('E10 without a version of a missing resource is 404', async () => {
  refusalOf(await post('v3', 'missing', { actions: [increment] }), 404, 'ResourceNotFound');
  refusalOf(await post('v3', 'key=missing', { actions: [increment] }), 404, 'ResourceNotFound');
});

test('E10 that changes nothing without a version is 200 with the resource as it is, and makes no event', async () => {
  const made = await create('v4', { tags: ['a'], n: 1 });
  const actions = [
    { action: 'addToList', path: 'tags', value: 'a', unique: true },
    { action: 'setIfAbsent', path: 'n', value: 7 },
  ];
  const { status, json } = await post('v4', made.id, { actions });
  assert.equal(status, 200);
  assert.deepEqual(json, made);
  assert.equal((await get(`/v4/resource/${made.id}/history`)).json.results.length, 1);
});

test('E10 an increment with an Idempotency-Key counts once, also where the resource is gone when it is repeated', async () => {
  const { id } = await create('v5', { n: 1 });
  const headers = { 'idempotency-key': 'once' };
  const first = await post('v5', id, { actions: [increment] }, headers);
  assert.deepEqual([first.status, first.json.n], [200, 2]);
  assert.equal((await post('v5', id, { actions: [increment] }, headers)).text, first.text);
  assert.equal((await send('DELETE', `/v5/resource/${id}`)).status, 200);
  assert.equal((await post('v5', id, { actions: [increment] }, headers)).text, first.text);
});

test('operations of a batch without a version apply to what is current, at the same time as others', async () => {
  await create('v6', { key: 'a', n: 0 });
  await create('v6', { key: 'b', n: 0 });
  const operation = (key: string) => ({ operation: 'update', key, actions: [increment] });
  const batches = Array.from({ length: 16 }, (_, i) =>
    send('POST', '/v6/resource/batch', {
      operations: i % 2 ? [operation('a'), operation('b')] : [operation('b'), operation('a')],
    }),
  );
  const singles = Array.from({ length: 8 }, () => post('v6', 'key=a', { actions: [increment] }));
  for (const { status, text } of await Promise.all([...batches, ...singles])) assert.equal(status, 200, text);
  assert.equal((await get('/v6/resource/key=a')).json.n, 24);
  assert.equal((await get('/v6/resource/key=b')).json.n, 16);
  const refused = await send('POST', '/v6/resource/batch', {
    operations: [operation('a'), { operation: 'update', key: 'b', actions: [{ action: 'doSomeThing' }] }],
  });
  assert.equal(refusalOf(refused, 400, 'InvalidJsonInput').operation, 1);
});
