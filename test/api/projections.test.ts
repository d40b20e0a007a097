import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openResources, refusalOf, versionIn } from './open-resources.ts';

const { send, get, create, update, read } = await openResources();
const stage = (value: unknown, path = 'a') => ({ action: 'setField', path, value, staged: true });

test('E2 and E3 after a staged change return the current projection, with staged=true the staged one', async () => {
  const made = await create('shop', { key: 'k', a: 1 });
  const updated = await update('shop', made, stage(2));
  assert.deepEqual([updated.version, updated.a, updated.hasStagedChanges], [2, 1, true]);
  for (const path of [`/shop/resource/${made.id}`, '/shop/resource/key=k']) {
    assert.deepEqual((await get(path)).json, updated);
    assert.deepEqual((await get(`${path}?staged=false`)).json, updated);
    const staged = await get(`${path}?staged=true`);
    assert.deepEqual(staged.json, { ...updated, a: 2 });
    assert.equal(versionIn(staged.headers.etag), 2);
  }
});

test('E2 with staged=true where nothing is staged returns the current projection, without hasStagedChanges', async () => {
  const made = await create('shop', { a: 1 });
  assert.deepEqual(await read('shop', made.id, '?staged=true'), made);
  assert.equal('hasStagedChanges' in made, false);
});

test('publish makes the staged projection the current one', async () => {
  const staged = await update('shop', await create('shop', { a: 1 }), stage(2));
  const published = await update('shop', staged, { action: 'publish' });
  assert.deepEqual([published.version, published.a, 'hasStagedChanges' in published], [3, 2, false]);
  assert.deepEqual(await read('shop', published.id, '?staged=true'), published);
});

test('revertStagedChanges drops the staged projection', async () => {
  const staged = await update('shop', await create('shop', { a: 1 }), stage(2));
  const reverted = await update('shop', staged, { action: 'revertStagedChanges' });
  assert.deepEqual([reverted.version, reverted.a, 'hasStagedChanges' in reverted], [3, 1, false]);
  assert.deepEqual(await read('shop', reverted.id, '?staged=true'), reverted);
});

test('publish and revertStagedChanges where nothing is staged, and no other action, change nothing', async () => {
  const [publish, revert] = [{ action: 'publish' }, { action: 'revertStagedChanges' }];
  for (const actions of [[publish], [revert], [publish, revert, publish]]) {
    const made = await create('shop', { a: 1 });
    assert.deepEqual(await update('shop', made, ...actions), made);
    assert.deepEqual(await read('shop', made.id), made);
    const path = `/shop/resource/${made.id}`;
    assert.equal((await send('POST', path, { version: 2, actions })).status, 409);
    const touched = await update('shop', made, ...actions, { action: 'doSomeThing' });
    assert.deepEqual([touched.version, touched.a, 'hasStagedChanges' in touched], [2, 1, false]);
    const staged = await update('shop', touched, stage(2));
    const published = await update('shop', staged, ...actions);
    assert.deepEqual([published.version, 'hasStagedChanges' in published], [4, false]);
  }
});

test('publish where nothing is staged, with an Idempotency-Key: the response is repeated after other writes', async () => {
  const made = await create('shop', { a: 1 });
  const body = { version: 1, actions: [{ action: 'publish' }] };
  const headers = { 'idempotency-key': 'publish nothing' };
  const post = () => send('POST', `/shop/resource/${made.id}`, body, headers);
  assert.deepEqual((await post()).json, made);
  await update('shop', made, { action: 'doSomeThing' });
  const repeat = await post();
  assert.deepEqual([repeat.status, repeat.json], [200, made]);
});

test('stage and publish in one request: the actions run in their order', async () => {
  const after = await update('shop', await create('shop', { a: 1 }), stage(2), { action: 'publish' }, stage(3));
  assert.deepEqual([after.a, after.hasStagedChanges], [2, true]);
  assert.equal((await read('shop', after.id, '?staged=true')).a, 3);
});

test('a staged change back to what is current leaves nothing staged', async () => {
  const staged = await update('shop', await create('shop', { a: 1 }), stage(2));
  const back = await update('shop', staged, stage(1));
  assert.equal('hasStagedChanges' in back, false);
});

test('a change that is not staged shows in both projections, and leaves other staged changes', async () => {
  const staged = await update('shop', await create('shop', { a: 1, b: 1 }), stage(2));
  const both = await update('shop', staged, { action: 'setField', path: 'b', value: 9 });
  assert.deepEqual([both.a, both.b, both.hasStagedChanges], [1, 9, true]);
  const projection = await read('shop', both.id, '?staged=true');
  assert.deepEqual([projection.a, projection.b], [2, 9]);
});

test('a draft changes both projections, and drops no staged change of another field', async () => {
  const staged = await update('shop', await create('shop', { key: 'draft', a: 1, b: 1 }), stage(2));
  for (const method of ['POST', 'PATCH']) {
    const { json } = await send(method, '/shop/resource', { key: 'draft', b: method });
    assert.deepEqual([json.a, json.b, json.hasStagedChanges], [1, method, true]);
    const projection = await read('shop', staged.id, '?staged=true');
    assert.deepEqual([projection.a, projection.b], [2, method]);
  }
  const { json } = await send('PUT', '/shop/resource', { key: 'draft', b: 3 });
  assert.deepEqual(['a' in json, json.b, 'hasStagedChanges' in json], [false, 3, false]);
});

test('versions are shared: a staged change makes a version sent before stale', async () => {
  const staged = await update('shop', await create('shop', { a: 1 }), stage(2));
  const response = await send('POST', `/shop/resource/${staged.id}`, { version: 1, actions: [] });
  const error = refusalOf(response, 409, 'ConcurrentModification');
  assert.deepEqual([error.currentVersion, error.changedFields], [2, ['a']]);
});

test('lists match and return the requested projection, and no longer find what was reverted', async () => {
  const list = async (query: string) => (await get(`/lists/resource/sorted-query-parameters?${query}`)).json.results;
  const staged = await update('lists', await create('lists', { a: 1 }), stage(2));
  const where = (value: number) => `where=${encodeURIComponent(`a = ${value}`)}`;
  assert.deepEqual([(await list(where(1))).length, (await list(where(2))).length], [1, 0]);
  assert.deepEqual(
    [(await list(`${where(1)}&staged=true`)).length, (await list(`${where(2)}&staged=true`))[0].a],
    [0, 2],
  );
  await update('lists', staged, { action: 'revertStagedChanges' });
  assert.deepEqual(
    [(await list(`${where(1)}&staged=true`)).length, (await list(`${where(2)}&staged=true`)).length],
    [1, 0],
  );
});
