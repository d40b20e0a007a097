import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextPageOf, openResources, refusalOf } from './open-resources.ts';

const { api, send, get, create, update, read } = await openResources();

const entriesOf = async (path: string) => {
  const response = await get(path);
  assert.equal(response.status, 200, response.text);
  return response.json.results;
};

test('GET …/history: newest first, with who, when, how and what, each projection told apart', async () => {
  const user = { 'x-external-user-id': 'jane', 'x-correlation-id': 'import 7' };
  const created = await send('POST', '/h/resource', { key: 'a', name: { en: 'x' }, n: 1 }, user);
  const { id } = created.json;
  await update('h', { id, version: 1 }, { action: 'setField', path: 'n', value: 2 }, { action: 'doSomeThing' });
  await update('h', { id, version: 2 }, { action: 'setField', path: 'name.en', value: 'y', staged: true });
  await update('h', { id, version: 3 }, { action: 'setField', path: 'n', value: 3, staged: true });
  await update('h', { id, version: 4 }, { action: 'publish' });
  await update(
    'h',
    { id, version: 5 },
    { action: 'setKey', key: 'b' },
    { action: 'setField', path: 'm', value: 1, staged: true },
  );
  await update('h', { id, version: 6 }, { action: 'revertStagedChanges' });
  await send('DELETE', `/h/resource/${id}`);

  const results = await entriesOf(`/h/resource/${id}/history`);
  assert.deepEqual(
    results.map(({ version, type, cause, actions, changedFields, key }: Record<string, unknown>) => [
      ...[version, type, cause, actions, changedFields, key],
    ]),
    [
      [7, 'deleted', 'delete', undefined, undefined, 'b'],
      [7, 'reverted', 'actions', ['revertStagedChanges'], { staged: ['m'] }, 'b'],
      [6, 'updated', 'actions', ['setKey', 'setField'], { current: ['key'], staged: ['key', 'm'] }, 'b'],
      [5, 'published', 'actions', ['publish'], { current: ['n', 'name'] }, 'a'],
      [4, 'updated', 'actions', ['setField'], { staged: ['n'] }, 'a'],
      [3, 'updated', 'actions', ['setField'], { staged: ['name'] }, 'a'],
      [2, 'updated', 'actions', ['setField', 'doSomeThing'], { current: ['n'] }, 'a'],
      [1, 'created', 'draft', undefined, undefined, 'a'],
    ],
  );
  const first = results.at(-1);
  assert.deepEqual(first.actor, { clientId: 'test-admin', externalUserId: 'jane' });
  assert.equal(first.correlationId, 'import 7');
  assert.equal(first.at, created.json.createdAt);
  assert.ok(results.every((entry: object) => !('diff' in entry)));
});

test('GET …/history?diff=true: patches from each version to the next, long integers exact, old values on request', async () => {
  const { id } = await create('d', '{"n":9007199254740993,"list":[1,2,3],"a/b":{"c~d":true}}');
  await send('PATCH', '/d/resource', `{"id":"${id}","n":9007199254740995,"list":[1,3]}`);
  await update('d', { id, version: 2 }, { action: 'setField', path: 'x', value: 1, staged: true });
  const { text } = await get(`/d/resource/${id}/history?diff=true&oldValues=true`);
  assert.match(text, /\{"op":"replace","path":"\/n","value":9007199254740995,"oldValue":9007199254740993\}/);
  assert.match(text, /\{"op":"remove","path":"\/list\/1","oldValue":2\}/);

  const [staged, changed, made] = await entriesOf(`/d/resource/${id}/history?diff=true`);
  assert.deepEqual(
    made.diff.current.map(({ op, path }: Record<string, string>) => [op, path]),
    [['add', '']],
  );
  assert.equal(made.diff.current[0].value.version, 1);
  const paths = (patch: readonly { op: string; path: string }[]) => patch.map(({ op, path }) => `${op} ${path}`);
  assert.deepEqual(
    paths(changed.diff.current),
    [...['replace /version', 'replace /lastModifiedAt', 'replace /n', 'remove /list/1']].filter(
      (path) => path !== 'replace /lastModifiedAt' || paths(changed.diff.current).includes(path),
    ),
  );
  assert.ok(!('staged' in changed.diff));
  assert.ok(paths(staged.diff.staged).includes('add /x'), paths(staged.diff.staged).join());
  assert.ok(paths(staged.diff.current).includes('add /hasStagedChanges'));
  refusalOf(await get(`/d/resource/${id}/history?oldValues=true`), 400, 'InvalidInput');
});

test('GET …/history by pages: every change once; over a deletion and a new resource of the same id; by key', async () => {
  for (const round of [1, 2]) {
    await create('p', { id: 'same', key: `k${round}`, round });
    for (let version = 1; version <= 4; version += 1)
      await update('p', { id: 'same', version }, { action: 'doSomeThing' });
    if (round === 1) await send('DELETE', '/p/resource/same');
  }
  const seen: string[] = [];
  const first = '/p/resource/key=k2/history?limit=3&diff=true';
  for (let url: string | undefined = first; url !== undefined; ) {
    const page = await get(url);
    const { limit, count, results, next } = page.json;
    assert.deepEqual([limit, count], [3, results.length]);
    for (const { version, type } of results) seen.push(`${type} ${version}`);
    url = nextPageOf(page);
    assert.equal(url, next && `${first}&cursor=${next}`);
  }
  const life = ['updated 5', 'updated 4', 'updated 3', 'updated 2', 'created 1'];
  assert.deepEqual(seen, [...life, 'deleted 5', ...life]);
  // The key of the first one: it is deleted, and no other has the key.
  assert.deepEqual(await entriesOf('/p/resource/key=k1/history'), await entriesOf('/p/resource/same/history'));
});

test('GET …/history?diff=true: a page of large differences ends early, and the next one goes on behind it', async () => {
  const { id } = await create('large', {});
  for (let version = 1; version <= 6; version += 1) {
    await update('large', { id, version }, { action: 'setField', path: 'text', value: `${version}`.repeat(900_000) });
  }
  const versions: number[] = [];
  let pages = 0;
  for (let after = ''; pages < 7; pages += 1) {
    const { text, json } = await get(`/large/resource/${id}/history?diff=true&oldValues=true${after}`);
    assert.ok(text.length < 8_000_000, `${text.length}`);
    versions.push(...json.results.map(({ version }: { version: number }) => version));
    if (json.next === undefined) break;
    after = `&cursor=${json.next}`;
  }
  assert.ok(pages > 0);
  assert.deepEqual(versions, [7, 6, 5, 4, 3, 2, 1]);
});

test('GET …/history refuses what it does not know, and needs the scope of a read', async () => {
  const { id } = await create('r', {});
  refusalOf(await get(`/r/resource/none/history`), 404, 'ResourceNotFound');
  refusalOf(await get(`/r/resource/key=none/history`), 404, 'ResourceNotFound');
  const { message } = refusalOf(await get(`/r/resource/${id}/history?diffs=true`), 400, 'InvalidInput');
  assert.match(message, /did you mean `diff`/);
  for (const query of ['cursor=x', 'cursor=', 'limit=0', 'limit=501', 'diff=1']) {
    refusalOf(await get(`/r/resource/${id}/history?${query}`), 400, 'InvalidInput');
  }
  const path = `/r/resource/${id}/history`;
  assert.equal((await api.call({ path, scope: 'view_test:r' })).status, 200);
  refusalOf(await api.call({ path, scope: 'view_test:other' }), 403, 'insufficient_scope');
});

test('?version= answers each version byte for byte, of either projection, by id and by key, with its tag', async () => {
  const draft = '{"key":"v","10":1,"b":9007199254740993,"a":{"z":1.50,"ü":"\\u2028"},"__proto__":{"x":1}}';
  const { id } = await create('v', draft);
  const changes = [
    [{ action: 'setField', path: 'b', value: 2 }],
    [{ action: 'setField', path: 'c', value: [1], staged: true }],
    [
      { action: 'setField', path: 'a', staged: true },
      { action: 'setKey', key: 'w' },
    ],
    [{ action: 'publish' }],
    [{ action: 'setField', path: '2', value: 0 }],
  ];
  const versions = new Map<string, { text: string; etag: string | undefined }>();
  for (let version = 1; version <= 6; version += 1) {
    for (const staged of [false, true]) {
      const { text, headers } = await get(`/v/resource/${id}?staged=${staged}`);
      versions.set(`version=${version}&staged=${staged}`, { text, etag: headers.etag });
    }
    if (version < 6) await update('v', { id, version }, ...changes[version - 1]!);
  }
  const check = async (path: string) => {
    for (const [query, { text, etag }] of versions) {
      const response = await get(`${path}?${query}`);
      assert.equal(response.status, 200, response.text);
      assert.equal(response.text, text, query);
      assert.equal(response.headers.etag, etag);
      assert.equal((await get(`${path}?${query}`, { 'if-none-match': etag! })).status, 304);
    }
  };
  await check(`/v/resource/${id}`);
  await check('/v/resource/key=w');
  refusalOf(await get(`/v/resource/${id}?version=7`), 404, 'ResourceNotFound');
  for (const version of ['0', '-1', '9223372036854775807']) {
    const { message } = refusalOf(await get(`/v/resource/${id}?version=${version}`), 404, 'ResourceNotFound');
    assert.match(message, /versions 1 to 6/);
  }
  refusalOf(await get(`/v/resource/${id}?version=one`), 400, 'InvalidInput');

  // Deleted, it can still be read in every version, but not as it is.
  await send('DELETE', `/v/resource/${id}`);
  await check(`/v/resource/${id}`);
  await check('/v/resource/key=w');
  refusalOf(await get(`/v/resource/${id}`), 404, 'ResourceNotFound');

  // One of the same id is another resource.
  await create('v', { id, key: 'w' });
  refusalOf(await get(`/v/resource/${id}?version=2`), 404, 'ResourceNotFound');
  assert.equal((await read('v', id, '?version=1')).key, 'w');
});

test('?version= expands references as they are now', async () => {
  const target = await create('e', { key: 't', name: 'old' });
  const { id } = await create('e', { ref: { typeId: 'resource', id: target.id } });
  await update('e', { id, version: 1 }, { action: 'setField', path: 'ref' });
  assert.equal((await read('e', id, '?version=1&expand=ref')).ref.obj.name, 'old');
});
