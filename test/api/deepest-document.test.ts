import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonLimits } from '../../src/domain/json/values.ts';
import { openResources } from './open-resources.ts';

/**
 * A document of the greatest depth with an integer of 64 bits, which the native parser would round: whatever the service
 * puts around it, in pages, records of changes and events, can be read again.
 */
const { send, get } = await openResources();

const resource = '/deep/resource';
const nested = (digits: string) => '['.repeat(jsonLimits.depth - 1) + digits + ']'.repeat(jsonLimits.depth - 1);
const first = `"a":${nested('9007199254740993')}`;
const second = `"a":${nested('9223372036854775807')}`;

async function expectAll(expected: string): Promise<void> {
  const paths = [
    ...['/deep', '?limit=1', '?expand=b', '/sorted-query-parameters', '/sorted-query-parameters?expand=b'],
    ...[
      '/sorted-query-parameters?sort=a&fields=a',
      '/searchApiPattern?facet=b&fields=a',
      '/searchApiPattern?text.en=deep',
    ],
    '/export',
  ];
  for (const path of paths) {
    const { status, text } = await get(resource + path);
    assert.equal(status, 200, `${path}: ${text}`);
    assert.ok(text.includes(expected), `${path}: ${text}`);
  }
  assert.equal((await get(`${resource}/deep/history?diff=true`)).status, 200);
}

test('the deepest document with a long integer can be written, changed, listed, searched, deleted and restored', async () => {
  const created = await send('POST', resource, `{"id":"deep","name":"deep",${first}}`);
  assert.equal(created.status, 201, created.text);
  await expectAll(first);
  const patched = await send('PATCH', resource, `{"id":"deep","name":"deep",${second}}`);
  assert.equal(patched.status, 201, patched.text);
  await expectAll(second);
  assert.ok((await get(`${resource}/deep?version=1`)).text.includes(first));
  assert.equal((await send('DELETE', `${resource}/deep?version=2`)).status, 200);
  assert.equal((await get(`${resource}/sorted-query-parameters`)).json.total, 0);
  const { json } = await get(`${resource}/deleted`);
  assert.equal(json.results.length, 1);
  const restored = await send('POST', `${resource}/deep/restore`, `{"version":1}`);
  assert.equal(restored.status, 201, restored.text);
  await expectAll(first);
  const { text } = await get('/deep/events?include=resource');
  assert.ok(text.includes(first), text);
});

test('one level more is refused, and says how many are allowed', async () => {
  const { status, text } = await send('POST', resource, `{"a":[${nested('9007199254740993')}]}`);
  assert.equal(status, 400);
  assert.match(text, /at most 64 levels/);
});
