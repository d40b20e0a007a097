import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDraftWrites } from './draft-writes.suite.ts';
import { openResources } from './open-resources.ts';

await testDraftWrites('E8 PUT', 'PUT');
const { send, create } = await openResources();

test('E8 PUT on an existing resource replaces everything but the system fields', async () => {
  const before = await create('shop', {
    key: 'k',
    name: { en: 'Cup' },
    size: 1,
    objectTypeProperty: { arrayOfIntExample: [1] },
  });
  const { status, json } = await send('PUT', '/shop/resource', { id: before.id, colour: 'red' });
  assert.equal(status, 201);
  const { version, lastModifiedAt: _, ...others } = json;
  assert.equal(version, 2);
  const { id, key, createdAt, createdBy, lastModifiedBy } = before;
  assert.deepEqual(others, { id, key, createdAt, createdBy, lastModifiedBy, colour: 'red', objectTypeProperty: {} });
});

test('E8 PUT twice of the same draft makes one version', async () => {
  const draft = { key: 'twice', a: { b: [1] } };
  const first = await send('PUT', '/shop/resource', draft);
  const second = await send('PUT', '/shop/resource', draft);
  assert.equal(first.json.version, 1);
  assert.deepEqual(second.json, first.json);
});
