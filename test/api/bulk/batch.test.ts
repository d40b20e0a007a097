import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openResources, refusalOf } from '../open-resources.ts';

const { api, send, create, read, get } = await openResources();

const batch = (project: string, operations: unknown, query = '', headers: Readonly<Record<string, string>> = {}) =>
  send('POST', `/${project}/resource/batch${query}`, { operations }, headers);
const totalOf = async (project: string) =>
  (await get(`/${project}/resource/sorted-query-parameters?withTotal=true`)).json.total;

test('a batch carries out drafts, update actions and deletions in order, each over the results before it', async () => {
  const gone = await create('b1', { key: 'gone' });
  const response = await batch('b1', [
    { operation: 'create', draft: { key: 'a', colour: 'red', size: 1 } },
    { operation: 'merge', draft: { key: 'a', colour: 'blue', version: 1 } },
    { operation: 'update', key: 'a', version: 2, actions: [{ action: 'setKey', key: 'b' }] },
    { operation: 'replace', draft: { key: 'a', colour: 'green' } },
    { operation: 'overwrite', draft: { key: 'b', colour: 'black' } },
    { operation: 'overwrite', draft: { key: 'b', colour: 'black' } },
    { operation: 'delete', id: gone.id, version: 1 },
    { operation: 'create', draft: { id: gone.id, key: 'gone' } },
    { operation: 'delete', key: 'a' },
  ]);
  assert.equal(response.status, 200, response.text);
  const { results } = response.json;
  assert.deepEqual(
    results.map((each: { status: number; outcome: string; version: number }) => [
      each.status,
      each.outcome,
      each.version,
    ]),
    [
      [201, 'created', 1],
      [200, 'updated', 2],
      [200, 'updated', 3],
      [201, 'created', 1],
      [200, 'updated', 4],
      [200, 'unchanged', 4],
      [200, 'deleted', 1],
      [201, 'created', 1],
      [200, 'deleted', 1],
    ],
  );
  assert.equal(results[4].id, results[0].id);
  assert.deepEqual(results[4].resource, await read('b1', results[0].id));
  assert.equal(results[4].resource.colour, 'black');
  assert.equal('size' in results[4].resource, false);
  assert.equal(await totalOf('b1'), 2);
});

test('if one operation is refused, nothing is written, and the error names its index', async () => {
  await create('b2', { key: 'taken', colour: 'red' });
  const cases: readonly [operation: unknown, status: number, code: string][] = [
    [{ operation: 'merge', draft: { key: 'taken', version: 7 } }, 409, 'ConcurrentModification'],
    [{ operation: 'create', draft: { key: 'taken' } }, 400, 'DuplicateField'],
    [{ operation: 'create', draft: { key: 'first' } }, 400, 'DuplicateField'],
    [{ operation: 'delete', key: 'none' }, 404, 'ResourceNotFound'],
    [{ operation: 'update', key: 'taken', version: 1, actions: [{ action: 'nope' }] }, 400, 'InvalidInput'],
    [
      { operation: 'update', key: 'first', version: 1, actions: [{ action: 'setKey', key: 'taken' }] },
      400,
      'DuplicateField',
    ],
    [{ operation: 'remove', key: 'taken' }, 400, 'InvalidJsonInput'],
    [{ operation: 'delete' }, 400, 'InvalidJsonInput'],
    [{ operation: 'delete', key: 'a', id: 'b' }, 400, 'InvalidJsonInput'],
    [{ operation: 'delete', key: 'taken', verison: 1 }, 400, 'InvalidJsonInput'],
    [{ operation: 'merge' }, 400, 'InvalidJsonInput'],
    [{ operation: 'merge', draft: { id: 'batch' } }, 400, 'InvalidJsonInput'],
    [7, 400, 'InvalidJsonInput'],
  ];
  for (const [operation, status, code] of cases) {
    const response = await batch('b2', [
      { operation: 'create', draft: { key: 'first' } },
      { operation: 'delete', key: 'taken' },
      { operation: 'create', draft: { key: 'taken', colour: 'red' } },
      operation,
      { operation: 'create', draft: { key: 'last' } },
    ]);
    const error = refusalOf(response, status, code);
    assert.equal(error.operation, 3, response.text);
    assert.match(error.message, /^operations\[3\]: /);
    assert.equal(await totalOf('b2'), 1);
  }
});

test('with atomic=false the other operations are carried out, and the refused ones say why', async () => {
  const response = await batch(
    'b3',
    [
      { operation: 'create', draft: { key: 'a' } },
      { operation: 'create', draft: { key: 'a' } },
      { operation: 'oops' },
      { operation: 'merge', draft: { key: 'a', colour: 'red' } },
    ],
    '?atomic=false&resources=false',
  );
  assert.equal(response.status, 200);
  const [first, second, third, last] = response.json.results;
  assert.deepEqual([first.status, first.outcome, 'resource' in first], [201, 'created', false]);
  assert.deepEqual(
    [second.status, second.error.errors[0].code, second.error.errors[0].operation],
    [400, 'DuplicateField', 1],
  );
  assert.deepEqual([third.status, third.error.statusCode, third.error.errors[0].operation], [400, 400, 2]);
  assert.deepEqual([last.status, last.version], [200, 2]);
  assert.equal((await get('/b3/resource/key=a')).json.colour, 'red');
});

test('a repeat with the same Idempotency-Key gets the same response and writes nothing', async () => {
  const headers = { 'idempotency-key': 'once' };
  const operations = [
    { operation: 'create', draft: { colour: 'red' } },
    { operation: 'create', draft: { key: 'k' } },
  ];
  const first = await batch('b4', operations, '', headers);
  const second = await batch('b4', operations, '', headers);
  assert.deepEqual([second.status, second.text], [first.status, first.text]);
  assert.equal(await totalOf('b4'), 2);
  refusalOf(await batch('b4', operations.slice(1), '', headers), 422, 'IdempotencyKeyReused');
  const unchanged = [{ operation: 'merge', draft: { key: 'k' } }];
  const alone = await batch('b4', unchanged, '', { 'idempotency-key': 'nothing' });
  assert.equal(alone.json.results[0].outcome, 'unchanged');
  await send('PATCH', '/b4/resource', { key: 'k', colour: 'red' });
  assert.equal((await batch('b4', unchanged, '', { 'idempotency-key': 'nothing' })).text, alone.text);
});

test('what is no batch is refused before anything is written', async () => {
  for (const body of [
    {},
    { operations: {} },
    { operations: [] },
    { operations: Array(501).fill({}) },
    { operations: [{}], more: 1 },
  ]) {
    refusalOf(await send('POST', '/b5/resource/batch', body), 400, 'InvalidJsonInput');
  }
  refusalOf(await batch('b5', [{ operation: 'delete', key: 'a' }], '?atomc=false'), 400, 'InvalidInput');
  const view = await api.call({ method: 'POST', path: '/b5/resource/batch', body: {}, scope: 'view_test:b5' });
  refusalOf(view, 403, 'insufficient_scope');
  refusalOf(await get('/b5/resource/batch'), 405, 'MethodNotAllowed');
  assert.equal(await totalOf('b5'), 0);
});

test('500 operations on one resource make 500 versions, and more than the size limit is refused', async () => {
  const touch = (version: number) => ({ operation: 'update', key: 'a', version, actions: [{ action: 'doSomeThing' }] });
  await create('b6', { key: 'a', text: 'x'.repeat(30_000) });
  const many = Array.from({ length: 500 }, (_, n) => touch(n + 1));
  refusalOf(await batch('b6', many), 400, 'ResourceSizeLimitExceeded');
  assert.equal((await get('/b6/resource/key=a')).json.version, 1);
  await send('PUT', '/b6/resource', { key: 'a' });
  const response = await batch(
    'b6',
    Array.from({ length: 500 }, (_, n) => touch(n + 2)),
    '?resources=false',
  );
  assert.equal(response.status, 200, response.text);
  assert.equal((await get('/b6/resource/key=a')).json.version, 502);
});

test('batches and single writes of the same resources at the same time lose no change', async () => {
  const keys = ['a', 'b', 'c'];
  for (const key of keys) await create('b7', { key });
  const field = (n: number) => `f${n}`;
  const writers = Array.from({ length: 20 }, async (_, n) => {
    const drafts = keys.map((key) => ({ key, [field(n)]: n }));
    if (n % 4 === 3) {
      for (const draft of drafts) assert.equal((await send('PATCH', '/b7/resource', draft)).status, 201);
      return;
    }
    const ordered = n % 2 === 0 ? drafts : drafts.toReversed();
    const response = await batch(
      'b7',
      ordered.map((draft) => ({ operation: 'merge', draft })),
    );
    assert.equal(response.status, 200, response.text);
  });
  await Promise.all(writers);
  for (const key of keys) {
    const { json } = await get(`/b7/resource/key=${key}`);
    assert.equal(json.version, 21);
    for (let n = 0; n < 20; n += 1) assert.equal(json[field(n)], n);
  }
});
