import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openResources, refusalOf, versionIn } from './open-resources.ts';

const { send, get } = await openResources();

const complexPath = '/shop/resource/artificially-complex/path/uri-parameter-one=a/b';
const author = { firstName: 'Ada', lastName: 'L' };
const fixed = {
  ...{ id: 'fixed', createdAt: '2020-01-01T00:00:00.000Z', lastModifiedAt: '2020-01-01T00:00:00.000Z' },
  ...{ createdBy: author, lastModifiedBy: author },
};

for (const [name, write] of [
  ['POST', (colour: string) => send('POST', '/shop/resource', { id: 'inc', colour })],
  ['PATCH', (colour: string) => send('PATCH', '/shop/resource', { id: 'inc', colour })],
  ['PUT', (colour: string) => send('PUT', '/shop/resource', { id: 'inc', colour })],
  ['E9 with given times', (custom: string) => send('POST', complexPath, { ...fixed, custom })],
] as const) {
  test(`${name}: no entity tag of a deleted resource matches the one created under its id`, async () => {
    const first = await write('red');
    assert.equal(first.status, 201, first.text);
    const path = String(first.headers.location);
    assert.equal((await get(path)).headers.etag, first.headers.etag);
    assert.equal((await send('DELETE', path)).headers.etag, first.headers.etag);
    for (const colour of ['blue', 'red']) {
      const second = await write(colour);
      assert.equal(second.status, 201, second.text);
      assert.equal(versionIn(second.headers.etag), 1);
      assert.notEqual(second.headers.etag, first.headers.etag);
      const old = String(first.headers.etag);
      for (const tag of [old, `W/${old}`, '"1"']) {
        assert.equal((await get(path, { 'if-none-match': tag })).status, 200, tag);
        refusalOf(await get(path, { 'if-match': tag }), 412, 'PreconditionFailed');
        const headers = { 'if-match': tag };
        const body = { id: second.headers.location?.split('/').at(-1), colour: 'green' };
        refusalOf(await send('PUT', '/shop/resource', body, headers), 412, 'ConcurrentModification');
        refusalOf(await send('DELETE', path, undefined, headers), 412, 'ConcurrentModification');
        const touch = { version: 1, actions: [{ action: 'doSomeThing' }] };
        refusalOf(await send('POST', path, touch, headers), 412, 'ConcurrentModification');
      }
      assert.equal((await get(path, { 'if-none-match': second.headers.etag! })).status, 304);
      await send('DELETE', path, undefined, { 'if-match': second.headers.etag! });
      assert.equal((await get(path)).status, 404);
    }
  });
}

test('an entity tag stays through all versions of one resource but for the version', async () => {
  const { headers, json } = await send('POST', '/shop/resource', { n: 1 });
  const path = `/shop/resource/${json.id}`;
  let version = 1;
  for (; version < 30; version += 1) {
    const actions = [{ action: 'setField', path: 'n', value: version + 1, staged: version % 2 === 0 }];
    assert.equal((await send('POST', path, { version, actions })).status, 200);
  }
  const expected = String(headers.etag).replace('"1-', `"${version}-`);
  assert.equal((await get(path)).headers.etag, expected);
  assert.equal((await get(`${path}?staged=true`, { 'if-none-match': expected })).status, 304);
});

test('a weakened tag of the current version → 412 that says so and what to do; of an earlier version → the conflict', async () => {
  const created = await send('POST', '/shop/resource', { id: 'weakened', colour: 'red' });
  const path = String(created.headers.location);
  const tag = String(created.headers.etag);
  const headers = { 'if-match': `W/${tag}` };
  const touch = { version: 1, actions: [{ action: 'doSomeThing' }] };
  for (const response of [
    await get(path, headers),
    await send('POST', path, touch, headers),
    await send('PUT', '/shop/resource', { id: 'weakened', colour: 'blue' }, headers),
    await send('DELETE', path, undefined, headers),
  ]) {
    const { message } = refusalOf(response, 412, 'PreconditionFailed');
    assert.match(String(message), /weak form W\/"1-.*A proxy that compresses responses weakens their tags: switch/);
  }
  const changed = await send('PUT', '/shop/resource', { id: 'weakened', colour: 'blue' });
  assert.equal(versionIn(changed.headers.etag), 2);
  refusalOf(await send('DELETE', path, undefined, headers), 412, 'ConcurrentModification');
});
