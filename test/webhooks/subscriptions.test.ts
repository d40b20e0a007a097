import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHooks } from './open-hooks.ts';

/** What a subscription is to those who manage it. Nothing here is delivered. */
const hooks = await openHooks();
const off = await openHooks({}, { HISTORY_RETENTION_DAYS: '0' });
const url = 'https://receiver.example.com/hook';

test('POST returns 201 with Location, ETag and the secret; no other response has the secret', async () => {
  const draft = { key: 'index', url, types: ['created'], where: 'a = 1', include: 'resource', description: 'Search' };
  const created = await hooks.send('POST', '/made/subscriptions', draft, { 'x-external-user-id': 'jane' });
  assert.equal(created.status, 201);
  const { secret, ...shown } = created.json;
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.deepEqual(
    { ...shown, id: '', createdAt: '', lastModifiedAt: '', secrets: shown.secrets.length },
    {
      ...draft,
      ...{ id: '', createdAt: '', lastModifiedAt: '', version: 1, status: 'enabled', secrets: 1 },
      createdBy: { clientId: 'test-admin', externalUserId: 'jane' },
      lastModifiedBy: { clientId: 'test-admin', externalUserId: 'jane' },
    },
  );
  assert.equal(created.headers['cache-control'], 'no-store');
  const location = String(created.headers.location);
  assert.equal(location, `/made/subscriptions/${shown.id}`);
  for (const path of [location, '/made/subscriptions/key=index']) {
    const read = await hooks.send('GET', path);
    assert.deepEqual([read.status, read.json], [200, shown]);
    assert.equal(read.headers.etag, created.headers.etag);
    assert.equal(
      (await hooks.send('GET', path, undefined, { 'if-none-match': String(read.headers.etag) })).status,
      304,
    );
  }
  const list = await hooks.send('GET', '/made/subscriptions');
  assert.deepEqual(list.json, { limit: 20, offset: 0, count: 1, total: 1, results: [shown] });
  assert.deepEqual((await hooks.send('GET', '/other/subscriptions')).json.results, []);
});

test('a secret that the client chose is taken over', async () => {
  const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  const { json } = await hooks.send('POST', '/chosen/subscriptions', { url, secret });
  assert.equal(json.secret, secret);
});

test('what is wrong in a draft is 400 and names the field; nothing is created', async () => {
  const long = `whsec_${Buffer.alloc(65).toString('base64')}`;
  const cases: readonly (readonly [draft: unknown, told: RegExp])[] = [
    [[], /expected an object/],
    [{}, /url: Missing/],
    [{ url: 5 }, /url: expected a string/],
    [{ url, uri: url }, /uri: unknown field/],
    [{ url: `https://example.com/${'x'.repeat(2048)}` }, /url: expected at most 2048/],
    [{ url, types: [] }, /types: expected at least one of/],
    [{ url, types: ['changed'] }, /types\[0\]: expected created, updated/],
    [{ url, where: 'a = ' }, /where/],
    [
      { url, where: 'a = :x' },
      /where'. There are no variables here; write a value instead of ':x' \(line 1, column 5\)/,
    ],
    [{ url, include: 'all' }, /include: expected resource/],
    [{ url, secret: 'abc' }, /secret: expected whsec_/],
    [{ url, secret: 'whsec_c2hvcnQ=' }, /secret: expected whsec_/],
    [{ url, secret: `whsec_${'-_'.repeat(16)}` }, /secret: expected whsec_/],
    [{ url, secret: long }, /secret: expected whsec_/],
    [{ url, from: 'yesterday' }, /from: expected now, oldest/],
    [{ url, enabled: 'yes' }, /enabled: expected a boolean/],
    [{ url, key: '' }, /key: expected a string of 1 to 256/],
  ];
  for (const [draft, told] of cases) {
    const { status, json } = await hooks.send('POST', '/refused/subscriptions', draft);
    assert.equal(status, 400, JSON.stringify(draft));
    assert.match(`${json.message} ${json.errors[0].detailedErrorMessage ?? ''}`, told);
    assert.equal(JSON.stringify(json).includes(long), false, 'a secret is not repeated');
  }
  assert.equal((await hooks.send('GET', '/refused/subscriptions')).json.total, 0);
});

test('a key is unique in the project; a 51st subscription is refused', async () => {
  assert.equal((await hooks.send('POST', '/full/subscriptions', { url, key: 'one' })).status, 201);
  const taken = await hooks.send('POST', '/full/subscriptions', { url, key: 'one' });
  assert.deepEqual([taken.status, taken.json.errors[0].code], [400, 'DuplicateField']);
  for (let n = 1; n < 50; n += 1) assert.equal((await hooks.send('POST', '/full/subscriptions', { url })).status, 201);
  const more = await hooks.send('POST', '/full/subscriptions', { url });
  assert.deepEqual([more.status, more.json.errors[0].code], [400, 'InvalidOperation']);
  const page = (await hooks.send('GET', '/full/subscriptions?limit=10&offset=45')).json;
  assert.deepEqual([page.count, page.total], [5, 50]);
});

test('update actions change it in their order, in the version that is named; If-Match is honoured', async () => {
  const created = await hooks.send('POST', '/updated/subscriptions', { url, key: 'k', where: 'a = 1' });
  const path = `/updated/subscriptions/${created.json.id}`;
  const other = 'https://receiver.example.com/other';
  const actions = [
    { action: 'setKey', key: 'other' },
    { action: 'setUrl', url: other },
    { action: 'setTypes', types: ['deleted', 'deleted'] },
    { action: 'setWhere' },
    { action: 'setInclude', include: 'resource' },
    { action: 'setDescription', description: 'text' },
    { action: 'disable' },
  ];
  const updated = await hooks.send('POST', path, { version: 1, actions });
  assert.equal(updated.status, 200);
  const { version, key, types, where, include, description, status, disabledReason } = updated.json;
  assert.deepEqual(
    [version, key, updated.json.url, types, where, include, description, status, disabledReason],
    [2, 'other', other, ['deleted'], undefined, 'resource', 'text', 'disabled', 'byClient'],
  );
  const enable = { version: 2, actions: [{ action: 'enable' }] };
  const stale = await hooks.send('POST', path, { ...enable, version: 1 });
  assert.deepEqual([stale.status, stale.json.errors[0].currentVersion], [409, 2]);
  const unmatched = await hooks.send('POST', path, enable, { 'if-match': String(created.headers.etag) });
  assert.equal(unmatched.status, 412);
  const matched = await hooks.send('POST', path, enable, { 'if-match': String(updated.headers.etag) });
  assert.deepEqual([matched.status, matched.json.status], [200, 'enabled']);
  assert.equal((await hooks.send('GET', '/updated/subscriptions/key=k')).status, 404);
});

test('what is wrong in an update is 400, and nothing of it is done', async () => {
  const { id } = await hooks.subscribe('wrong', { url });
  const cases: readonly (readonly [action: unknown, told: RegExp])[] = [
    [{ action: 'setColour' }, /actions\[1\]\.action: expected one of setKey/],
    [{ action: 'constructor' }, /actions\[1\]\.action: expected one of setKey/],
    [{ action: 'setUrl' }, /actions\[1\]\.url: Missing/],
    [{ action: 'setUrl', url: 'ftp://x' }, /expected https:/],
    [{ action: 'enable', now: true }, /actions\[1\]\.now: unknown field/],
    [{ action: 'rotateSecret', overlapSeconds: -1 }, /overlapSeconds: expected 0 to 2592000/],
    [{ action: 'rotateSecret', secret: 'x' }, /secret: expected whsec_/],
  ];
  for (const [action, told] of cases) {
    const actions = [{ action: 'setDescription', description: 'half' }, action];
    const { status, json } = await hooks.send('POST', `/wrong/subscriptions/${id}`, { version: 1, actions });
    assert.equal(status, 400, JSON.stringify(action));
    assert.match(`${json.message} ${json.errors[0].detailedErrorMessage ?? ''}`, told);
  }
  const rotations = Array.from({ length: 5 }, () => ({ action: 'rotateSecret' }));
  const many = await hooks.send('POST', `/wrong/subscriptions/${id}`, { version: 1, actions: rotations });
  assert.deepEqual([many.status, many.json.errors[0].code], [400, 'InvalidOperation']);
  const { version, description } = (await hooks.send('GET', `/wrong/subscriptions/${id}`)).json;
  assert.deepEqual([version, description], [1, undefined]);
});

test('DELETE returns what it deletes, in the version that is named; then there is nothing left', async () => {
  const { id, secret, ...shown } = await hooks.subscribe('deleted', { url, key: 'k' });
  assert.equal((await hooks.send('DELETE', `/deleted/subscriptions/${id}?version=2`)).status, 409);
  const { status, json } = await hooks.send('DELETE', '/deleted/subscriptions/key=k?version=1');
  assert.deepEqual([status, json], [200, { id, ...shown }]);
  for (const [method, path] of [
    ['GET', ''],
    ['DELETE', ''],
    ['GET', '/deliveries'],
    ['POST', '/test'],
    ['GET', '/dead-letters'],
    ['POST', '/dead-letters/replay'],
  ] as const) {
    const answer = await hooks.send(method, `/deleted/subscriptions/${id}${path}`);
    assert.deepEqual([answer.status, answer.json.errors[0].code], [404, 'ResourceNotFound'], method + path);
  }
  for (const companion of ['subscriptions', 'deliveries', 'attempts', 'dead-letters']) {
    assert.deepEqual(await hooks.store.resources.scan(`deleted~${companion}`, undefined, 10), [], companion);
  }
});

test('only manage_subscriptions, or manage_project, of the project may', async () => {
  for (const [scope, expected] of [
    ['manage_test:scoped', 403],
    ['view_test:scoped manage_products:scoped', 403],
    ['manage_project:other', 403],
    ['manage_subscriptions:scoped', 200],
    ['manage_project:scoped', 200],
  ] as const) {
    const authorization = `Bearer ${await hooks.token(scope)}`;
    const { status } = await hooks.send('GET', '/scoped/subscriptions', undefined, { authorization });
    assert.equal(status, expected, scope);
  }
});

test('where changes are not logged, a subscription is refused', async () => {
  const { status, json } = await off.send('POST', '/off/subscriptions', { url });
  assert.deepEqual([status, json.errors[0].code], [400, 'InvalidOperation']);
  assert.match(json.message, /HISTORY_RETENTION_DAYS is 0/);
});
