import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApi } from '../start-test-api.ts';
import { testDraftWrites } from './draft-writes.suite.ts';
import { openResources } from './open-resources.ts';

await testDraftWrites('E7 PATCH', 'PATCH');
const { send } = await openResources();

/** The examples of RFC 7396, appendix A, one level down: target, patch, result. */
const merges = [
  ['{"a":"b"}', '{"a":"c"}', { a: 'c' }],
  ['{"a":"b"}', '{"b":"c"}', { a: 'b', b: 'c' }],
  ['{"a":"b"}', '{"a":null}', {}],
  ['{"a":"b","b":"c"}', '{"a":null}', { b: 'c' }],
  ['{"a":["b"]}', '{"a":"c"}', { a: 'c' }],
  ['{"a":"c"}', '{"a":["b"]}', { a: ['b'] }],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', { a: { b: 'd' } }],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', { a: [1] }],
  ['["a","b"]', '["c","d"]', ['c', 'd']],
  ['{"a":"b"}', '["c"]', ['c']],
  ['{"e":null}', '{"a":1}', { a: 1 }],
  ['[1,2]', '{"a":"b","c":null}', { a: 'b' }],
  ['{}', '{"a":{"bb":{"ccc":null}}}', { a: { bb: {} } }],
  ['{"__proto__":{"a":1}}', '{"b":2}', JSON.parse('{"__proto__":{"a":1},"b":2}')],
] as const;

for (const [i, [target, patch, result]] of merges.entries()) {
  test(`E7 PATCH of ${target} with ${patch} merges deeply; null removes`, async () => {
    await send('PATCH', '/merging/resource', `{"key":"k${i}","doc":${target}}`);
    const { status, json } = await send('PATCH', '/merging/resource', `{"key":"k${i}","doc":${patch}}`);
    assert.deepEqual([status, json.version], [201, 2]);
    assert.deepEqual(json.doc, result);
  });
}

test('E7 PATCH leaves fields alone that the draft does not name, arrays are replaced whole', async () => {
  const objectTypeProperty = { arrayOfIntExample: [1, 2], arrayOfStringExample: ['a'] };
  await send('PATCH', '/shop/resource', { key: 'k', name: { en: 'Cup', de: 'Tasse' }, size: 1, objectTypeProperty });
  const draft = '{"key":"k","name":{"de":null},"objectTypeProperty":{"arrayOfIntExample":[3]}}';
  const { json } = await send('PATCH', '/shop/resource', draft);
  assert.deepEqual([json.name, json.size], [{ en: 'Cup' }, 1]);
  assert.deepEqual(json.objectTypeProperty, { arrayOfIntExample: [3], arrayOfStringExample: ['a'] });
});

test('E7 takes a JSON Merge Patch by its own media type', async () => {
  const api = await startTestApi();
  try {
    const headers = { 'content-type': 'application/merge-patch+json; charset=utf-8' };
    const patch = (body: unknown, method = 'PATCH') =>
      api.call({ method, path: '/merge/resource', headers, body: JSON.stringify(body) });
    assert.equal((await patch({ key: 'a', size: { w: 1, h: 2 } })).status, 201);
    const patched = await patch({ key: 'a', size: { w: null } });
    assert.deepEqual([patched.status, patched.json.size], [201, { h: 2 }]);
    for (const method of ['POST', 'PUT']) assert.equal((await patch({ key: 'a' }, method)).status, 415, method);
  } finally {
    await api.close();
  }
});
