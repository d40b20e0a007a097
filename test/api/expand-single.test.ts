import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openResources, refusalOf, versionIn } from './open-resources.ts';

const { send, get, create, update } = await openResources();
const reference = (id: string) => ({ typeId: 'resource', id });

const grandparent = await create('shop', { key: 'grandparent', n: '9007199254740993' });
const parent = await create('shop', { key: 'parent', of: { typeId: 'resource', key: 'grandparent' } });
const child = await create('shop', { key: 'child', parent: reference(parent.id), gone: reference('nothing') });
const expanded = {
  ...reference(parent.id),
  obj: { ...parent, of: { ...parent.of, obj: grandparent } },
};
const query = '?expand=parent.of&expand=gone';

for (const path of [`/shop/resource/${child.id}`, '/shop/resource/key=child']) {
  test(`GET ${path.slice(0, 18)}… with expand puts obj into references, two levels deep`, async () => {
    const { status, json, headers } = await get(path + query);
    assert.deepEqual([status, json], [200, { ...child, parent: expanded }]);
    assert.equal(headers.etag, undefined);
    assert.deepEqual((await get(path)).json, child);
    const tag = String((await get(path)).headers.etag);
    assert.equal((await get(path + query, { 'if-none-match': tag })).status, 200);
    assert.equal((await get(path + query, { 'if-match': tag })).status, 200);
    refusalOf(await get(path + query, { 'if-match': '"7-x"' }), 412, 'PreconditionFailed');
    assert.equal(
      (await send('HEAD', path + query)).headers['content-length'],
      String((await get(path + query)).text.length),
    );
  });
}

test('E2 with expand and staged=true puts the staged projection into references', async () => {
  const target = await create('staged', { a: 1 });
  await update('staged', target, { action: 'setField', path: 'a', value: 2, staged: true });
  const made = await create('staged', { to: reference(target.id) });
  const of = async (staged: boolean) =>
    (await get(`/staged/resource/${made.id}?expand=to&staged=${staged}`)).json.to.obj.a;
  assert.deepEqual([await of(false), await of(true)], [1, 2]);
});

for (const [name, method, body] of [
  ['E6', 'POST', { id: 'w', to: reference(parent.id) }],
  ['E7', 'PATCH', { id: 'w', n: 1 }],
  ['E8', 'PUT', { id: 'w', to: reference(parent.id) }],
] as const) {
  test(`${name} with expand: the response has obj, the resource has not`, async () => {
    const { status, json, headers } = await send(method, '/shop/resource?expand=to.of', body);
    assert.deepEqual([status, json.to], [201, expanded]);
    const { json: stored, headers: read } = await get('/shop/resource/w');
    assert.deepEqual([stored.to, read.etag], [reference(parent.id), headers.etag]);
  });
}

test('E10 and E11 with expand: the response has obj', async () => {
  const path = '/shop/resource/w?expand=to';
  const { version } = (await get('/shop/resource/w')).json;
  const updated = await send('POST', path, { version, actions: [{ action: 'doSomeThing' }] });
  assert.deepEqual([updated.status, updated.json.to.obj, versionIn(updated.headers.etag)], [200, parent, version + 1]);
  const deleted = await send('DELETE', `${path}&version=${version + 1}`);
  assert.deepEqual([deleted.status, deleted.json.to.obj], [200, parent]);
});

test('a write with expand sees itself in references to itself, by id and by key', async () => {
  const first = await send('POST', '/self/resource?expand=me&expand=mine', {
    ...{ id: 's', key: 'k', me: reference('s'), mine: { typeId: 'resource', key: 'k' } },
  });
  assert.deepEqual([first.json.me.obj.version, first.json.mine.obj.id], [1, 's']);
  const renamed = await send('POST', '/self/resource?expand=me&expand=mine', { id: 's', key: 'other' });
  assert.deepEqual([renamed.json.me.obj.version, 'obj' in renamed.json.mine], [2, false]);
});

test('a malformed expand is 400 and writes nothing', async () => {
  refusalOf(await send('POST', '/shop/resource?expand=a%5B', { key: 'never' }), 400, 'InvalidInput');
  refusalOf(await get('/shop/resource/key=never'), 404, 'ResourceNotFound');
  refusalOf(await get('/shop/resource/key=child?expand=a..b'), 400, 'InvalidInput');
});

test('a repeat with an Idempotency-Key has what the first response put into references', async () => {
  const target = await create('repeat', { a: 1 });
  const post = () =>
    send('POST', '/repeat/resource?expand=to', { to: reference(target.id) }, { 'idempotency-key': 'k' });
  const first = await post();
  assert.equal(first.json.to.obj.a, 1);
  await update('repeat', target, { action: 'setField', path: 'a', value: 2 });
  assert.equal((await post()).text, first.text);
});
