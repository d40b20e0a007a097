import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDraftWrites } from './draft-writes.suite.ts';
import { openResources, refusalOf } from './open-resources.ts';

await testDraftWrites('E6 POST', 'POST');
const { send, create } = await openResources();

test('E6 POST on an existing resource replaces the fields of the draft whole, and leaves the others', async () => {
  const objectTypeProperty = { arrayOfIntExample: [1], arrayOfStringExample: ['a'] };
  await create('shop', { key: 'k', name: { en: 'Cup', de: 'Tasse' }, size: 1, list: [1, 2], objectTypeProperty });
  const draft = { key: 'k', name: { en: 'Mug' }, list: [3], objectTypeProperty: { arrayOfIntExample: [2] } };
  const { status, json } = await send('POST', '/shop/resource', draft);
  assert.deepEqual([status, json.version], [201, 2]);
  assert.deepEqual([json.name, json.size, json.list], [{ en: 'Mug' }, 1, [3]]);
  assert.deepEqual(json.objectTypeProperty, { arrayOfIntExample: [2] });
});

test('E6 POST removes a top-level field that is null; null further inside stays as it is', async () => {
  await create('nulls', { key: 'k', a: 1, b: 1 });
  const { json } = await send('POST', '/nulls/resource', '{"key":"k","a":null,"b":{"c":null,"d":[null]}}');
  assert.equal('a' in json, false);
  assert.deepEqual(json.b, { c: null, d: [null] });
});

test('E6 other methods on the collection are 405 and Allow names those it has', async () => {
  for (const method of ['DELETE', 'TRACE', 'OPTIONS']) {
    const response = await send(method, '/shop/resource');
    refusalOf(response, 405, 'MethodNotAllowed');
    assert.equal(response.headers.allow, 'GET, HEAD, PATCH, POST, PUT');
  }
});

test('E6 a resource that grows over the limit by several bodies is 400, and stays as it was', async () => {
  const half = 'x'.repeat(600_000);
  await create('growing', { key: 'k', a: half });
  refusalOf(await send('POST', '/growing/resource', { key: 'k', b: half }), 400, 'ResourceSizeLimitExceeded');
});
