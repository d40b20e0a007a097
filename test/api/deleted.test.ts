import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextPageOf, openResources, refusalOf } from './open-resources.ts';

const { api, send, get, create, update, read } = await openResources();

const ownOf = ({
  id,
  version,
  createdAt,
  lastModifiedAt,
  createdBy,
  lastModifiedBy,
  ...own
}: Record<string, unknown>) => own;

test('restore makes the content of an earlier version the next one: both projections and the key', async () => {
  const { id } = await create('r', '{"key":"a","n":9007199254740993}');
  const first = await read('r', id);
  await update('r', { id, version: 1 }, { action: 'setField', path: 's', value: 1, staged: true });
  const stagedText = (await get(`/r/resource/${id}?staged=true`)).json;
  await update('r', { id, version: 2 }, { action: 'revertStagedChanges' });
  await update('r', { id, version: 3 }, { action: 'setField', path: 'n' }, { action: 'setKey', key: 'b' });

  const restored = await update('r', { id, version: 4 }, { action: 'restore', version: 1 });
  assert.equal(restored.version, 5);
  assert.deepEqual(ownOf(restored), ownOf(first));
  assert.match((await get(`/r/resource/key=a`)).text, /"n":9007199254740993/);

  const withStaged = await update('r', { id, version: 5 }, { action: 'restore', version: 2 });
  assert.equal(withStaged.hasStagedChanges, true);
  assert.deepEqual(ownOf(await read('r', id, '?staged=true')), ownOf(stagedText));

  // Together with other actions, in their order; of the current version too; it is one more version each time.
  const together = await update(
    'r',
    { id, version: 6 },
    { action: 'setField', path: 'lost', value: 1 },
    { action: 'restore', version: 4 },
    { action: 'setField', path: 'kept', value: 1 },
  );
  assert.deepEqual(
    [together.key, together.lost, together.kept, together.hasStagedChanges],
    ['b', undefined, 1, undefined],
  );
  assert.equal((await update('r', { id, version: 7 }, { action: 'restore', version: 7 })).version, 8);
  const [entry] = (await get(`/r/resource/${id}/history`)).json.results;
  assert.deepEqual([entry.type, entry.cause, entry.actions], ['restored', 'actions', ['restore']]);
});

test('restore is refused without a trace: versions that never were, a key that is taken, a wrong version first', async () => {
  const { id } = await create('s', { key: 'mine' });
  await update('s', { id, version: 1 }, { action: 'setKey', key: 'other' });
  const taker = await create('s', { key: 'mine' });
  const restore = (version: unknown, expected = 2) =>
    send('POST', `/s/resource/${id}`, { version: expected, actions: [{ action: 'restore', version }] });
  const taken = refusalOf(await restore(1), 400, 'DuplicateField');
  assert.equal(taken.conflictingResource.id, taker.id);
  const { message } = refusalOf(await restore(9), 400, 'InvalidOperation');
  assert.match(message, /actions\[0\].*no version 9, but versions 1 to 2/);
  for (const version of [0, -1]) refusalOf(await restore(version), 400, 'InvalidOperation');
  for (const version of [1.5, '1', null, undefined]) refusalOf(await restore(version), 400, 'InvalidJsonInput');
  refusalOf(await restore(9, 1), 409, 'ConcurrentModification');
  assert.equal((await read('s', id)).version, 2);
  const actions = [
    { action: 'restore', version: 1 },
    { action: 'setKey', key: 'free' },
  ];
  const { json } = await send('POST', `/s/resource/${id}`, { version: 2, actions });
  assert.deepEqual([json.version, json.key], [3, 'free']);
});

test('a deleted resource is listed, and comes back under its id; its versions and tags go on', async () => {
  const { id, createdAt } = await create('d', '{"key":"a","n":9007199254740993}');
  await update('d', { id, version: 1 }, { action: 'setField', path: 's', value: 1, staged: true });
  const before = await get(`/d/resource/${id}?staged=true`);
  await send('DELETE', `/d/resource/${id}`);
  const { json: list } = await get('/d/resource/deleted');
  assert.equal(list.count, 1);
  assert.ok(!('next' in list));
  const { deletedAt, ...listed } = list.results[0];
  assert.equal(new Date(deletedAt).toISOString(), deletedAt);
  const correlationId = listed.correlationId;
  assert.deepEqual(listed, { id, key: 'a', version: 2, deletedBy: { clientId: 'test-admin' }, correlationId });

  const restored = await send('POST', `/d/resource/${id}/restore`);
  assert.equal(restored.status, 201, restored.text);
  assert.equal(restored.headers.location, `/d/resource/${id}`);
  assert.equal(restored.json.version, 3);
  assert.equal(restored.json.createdAt, createdAt);
  const now = await get(`/d/resource/${id}?staged=true`);
  assert.deepEqual(ownOf(now.json), ownOf(before.json));
  assert.match(now.text, /"n":9007199254740993/);
  assert.equal(now.headers.etag, before.headers.etag!.replace('"2-', '"3-'));
  assert.equal((await get('/d/resource/deleted')).json.count, 0);
  // Earlier versions are those of the same resource.
  assert.equal((await get(`/d/resource/${id}?version=2&staged=true`)).text, before.text);
  const types = (await get(`/d/resource/${id}/history?diff=true`)).json.results.map(
    (entry: { type: string }) => entry.type,
  );
  assert.deepEqual(types, ['restored', 'deleted', 'updated', 'created']);
  refusalOf(await send('POST', `/d/resource/${id}/restore`), 400, 'InvalidOperation');
});

test('restoring by key, in an earlier version, under another key or none; a taken key is refused', async () => {
  const { id } = await create('k', { key: 'a', n: 1 });
  await update('k', { id, version: 1 }, { action: 'setField', path: 'n', value: 2 });
  await send('DELETE', '/k/resource/key=a');
  const other = await create('k', { key: 'a' });
  const path = `/k/resource/${id}/restore`;
  assert.equal(refusalOf(await send('POST', path), 400, 'DuplicateField').conflictingResource.id, other.id);
  refusalOf(await send('POST', path, { version: 3 }), 404, 'ResourceNotFound');
  refusalOf(await send('POST', path, { vresion: 1 }), 400, 'InvalidJsonInput');
  const renamed = await send('POST', path, { version: 1, key: 'b' });
  assert.deepEqual([renamed.status, renamed.json.n, renamed.json.key, renamed.json.version], [201, 1, 'b', 3]);
  await send('DELETE', '/k/resource/key=b');
  const keyless = await send('POST', '/k/resource/key=b/restore', { key: null });
  assert.deepEqual([keyless.status, keyless.json.n, keyless.json.key, keyless.json.version], [201, 1, undefined, 4]);
  refusalOf(await send('POST', '/k/resource/never-was/restore'), 404, 'ResourceNotFound');
  refusalOf(await api.call({ method: 'POST', path, scope: 'view_test:k' }), 403, 'insufficient_scope');
});

test('restoring with an Idempotency-Key: the repeat gets the same response', async () => {
  const { id } = await create('i', {});
  await send('DELETE', `/i/resource/${id}`);
  const headers = { 'idempotency-key': 'once' };
  const first = await send('POST', `/i/resource/${id}/restore`, undefined, headers);
  const second = await send('POST', `/i/resource/${id}/restore`, undefined, headers);
  assert.equal(first.status, 201, first.text);
  assert.deepEqual([second.status, second.text], [first.status, first.text]);
});

test('deleted resources by pages: the last one first, each once, not those that exist again', async () => {
  for (let i = 0; i < 7; i += 1) {
    await create('l', { id: `r${i}` });
    await send('DELETE', `/l/resource/r${i}`);
  }
  await create('l', { id: 'r3' });
  const seen: string[] = [];
  const first = '/l/resource/deleted?limit=2';
  for (let url: string | undefined = first; url !== undefined; ) {
    const page = await get(url);
    const { results, next } = page.json;
    assert.equal(results.length, 2);
    seen.push(...results.map(({ id }: { id: string }) => id));
    url = nextPageOf(page);
    assert.equal(url, next && `${first}&cursor=${next}`);
  }
  assert.deepEqual(seen, ['r6', 'r5', 'r4', 'r2', 'r1', 'r0']);
  refusalOf(await get('/l/resource/deleted?offset=1'), 400, 'InvalidInput');
});

test('forgetting: content, keys and users are gone from history, versions, the list and the way back', async () => {
  const user = { 'x-external-user-id': 'jane' };
  const { json } = await send('POST', '/f/resource', { id: 'x', key: 'secret', name: 'secret' }, user);
  await update('f', json, { action: 'setField', path: 'name', value: 'more secret' });
  const path = '/f/resource/x/history';
  const forget = (scope: string) => api.call({ method: 'DELETE', path, scope });
  refusalOf(await forget('manage_project:f'), 400, 'InvalidOperation');
  await send('DELETE', '/f/resource/x');
  refusalOf(await forget('manage_test:f'), 403, 'insufficient_scope');
  const done = await forget('manage_project:f');
  assert.equal(done.status, 200, done.text);
  assert.equal(done.json.id, 'x');

  const history = await get(`${path}?diff=true&oldValues=true`);
  assert.doesNotMatch(history.text, /secret|jane/);
  const types = history.json.results.map(({ type }: { type: string }) => type);
  assert.deepEqual(types, ['forgotten', 'deleted', 'updated', 'created']);
  assert.doesNotMatch((await get('/f/events?include=resource')).text, /secret|jane/);
  assert.equal((await get('/f/resource/deleted')).json.count, 0);
  refusalOf(await get('/f/resource/x?version=1'), 404, 'ResourceNotFound');
  refusalOf(await get('/f/resource/key=secret/history'), 404, 'ResourceNotFound');
  refusalOf(await send('POST', '/f/resource/x/restore'), 404, 'ResourceNotFound');
  refusalOf(await api.call({ method: 'DELETE', path: '/f/resource/none/history' }), 404, 'ResourceNotFound');

  // What is created anew under the id has a history of its own.
  await create('f', { id: 'x', name: 'new' });
  await update('f', { id: 'x', version: 1 }, { action: 'setField', path: 'name', value: 'newer' });
  assert.equal((await read('f', 'x', '?version=1')).name, 'new');
  assert.equal((await get(path)).json.count, 6);
});

test('forgetting by the key that a resource had: the deleted one, never the one that has it now', async () => {
  const forget = () => api.call({ method: 'DELETE', path: '/k/resource/key=one/history', scope: 'manage_project:k' });
  await create('k', { id: 'old', key: 'one', name: 'secret' });
  await send('DELETE', '/k/resource/old');
  await create('k', { id: 'new', key: 'one', name: 'public' });
  refusalOf(await forget(), 400, 'InvalidOperation');
  await send('DELETE', '/k/resource/new');
  // Of two that had the key, the one that was deleted last.
  assert.equal((await forget()).json.id, 'new');
  assert.equal((await get('/k/resource/old?version=1')).json.name, 'secret');
  const done = await forget();
  assert.deepEqual([done.status, done.json.id], [200, 'old'], done.text);
  assert.doesNotMatch((await get('/k/resource/old/history?diff=true&oldValues=true')).text, /secret/);
  refusalOf(await forget(), 404, 'ResourceNotFound');
});
