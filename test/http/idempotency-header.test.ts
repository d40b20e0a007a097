import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { assertError, build, route } from './fixture.ts';

const headers = (key: string, token = 'write-p') => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
  'idempotency-key': key,
});
const post = (key: string, payload = '{}', url = '/p/things', token = 'write-p') =>
  ({ method: 'POST', url, headers: headers(key, token), payload }) as const;

describe('Idempotency-Key', () => {
  test('not 1 to 255 printable ASCII characters → 400 InvalidInput', async () => {
    for (const key of ['a'.repeat(256), 'é', '']) {
      const response = await build().inject(post(key));
      assert.equal(response.statusCode, 400, key);
      assertError({ status: 400, text: response.body, type: response.headers['content-type'] }, 'InvalidInput');
    }
  });

  test('the handler gets the scope and the hash of the request', async () => {
    const server = build();
    const of = async (...request: Parameters<typeof post>) =>
      (await server.inject(post(...request))).json().idempotency;
    const first = await of('k');
    assert.equal(first.scope, 'writer-p\nPOST\n/p/things\nk');
    assert.match(first.requestHash, /^[0-9a-f]{64}$/);
    assert.deepEqual(await of('k'), first);
    const other = await of('k', '{ }');
    assert.equal(other.scope, first.scope);
    assert.notEqual(other.requestHash, first.requestHash);
    assert.notEqual((await of('k', '{}', '/p/things?expand=a')).requestHash, first.requestHash);
    assert.notEqual((await of('k', '{}', '/p2/things', 'write-p2')).scope, first.scope);
  });

  test('without the header, and on routes that do not honour it, there is none', async () => {
    const { 'idempotency-key': _, ...without } = headers('k');
    const server = build();
    const created = await server.inject({ ...post('k'), headers: without });
    const read = await server.inject({ url: '/p/things/1', headers: headers('k') });
    assert.equal(created.json().idempotency, undefined);
    assert.equal(read.json().idempotency, undefined);
  });

  test('a second request while the first runs → 409 RequestInProgress; afterwards the key is free', async () => {
    const gate = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<void>();
    const slow = route({
      operationId: 'slow',
      method: 'POST',
      path: '/:projectKey/things',
      idempotent: true,
      body: { kind: 'json', contentTypes: ['application/json'], required: true, schema: {} },
      handler: async () => {
        entered.resolve();
        await gate.promise;
        return { status: 201, body: '{}' };
      },
    });
    const server = build({}, { routes: [slow] });
    const first = server.inject(post('k')).then(({ statusCode }) => statusCode);
    await entered.promise;
    const second = await server.inject(post('k'));
    const otherKey = server.inject(post('other')).then(({ statusCode }) => statusCode);
    assert.equal(second.statusCode, 409);
    assert.equal(second.headers['retry-after'], '1');
    assertError({ status: 409, text: second.body, type: second.headers['content-type'] }, 'RequestInProgress');
    gate.resolve();
    assert.deepEqual([await first, await otherKey], [201, 201]);
    assert.equal((await server.inject(post('k'))).statusCode, 201);
  });

  test('a handler that fails frees the key', async () => {
    const failing = route({
      operationId: 'fail',
      method: 'POST',
      path: '/:projectKey/things',
      idempotent: true,
      body: { kind: 'json', contentTypes: ['application/json'], required: true, schema: {} },
      handler: () => Promise.reject(new Error('no')),
    });
    const server = build({}, { routes: [failing] });
    assert.equal((await server.inject(post('k'))).statusCode, 500);
    assert.equal((await server.inject(post('k'))).statusCode, 500);
  });
});
