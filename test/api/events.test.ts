import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextPageOf, openResources, refusalOf } from './open-resources.ts';

const { api, send, get, create, update } = await openResources();

async function page(path: string) {
  const response = await get(path);
  assert.equal(response.status, 200, response.text);
  assert.equal(response.headers['content-type'], 'application/json; charset=utf-8');
  return response.json;
}

/** Resources a and b of a project, of which a changes twice and b is deleted. */
async function fill(project: string) {
  const { id } = await create(project, { key: 'a', n: 1 });
  const other = await create(project, { key: 'b' });
  await update(project, { id, version: 1 }, { action: 'setField', path: 'n', value: 2, staged: true });
  await send('DELETE', `/${project}/resource/key=b`);
  await update(project, { id, version: 2 }, { action: 'publish' });
  return { id, other: other.id };
}

const shown = ({ type, resource, changedFields }: Record<string, Record<string, unknown>>) => [
  ...[type, resource!.key, resource!.version, changedFields],
];

test('GET /{projectKey}/events: every change in order, from the oldest, by pages', async () => {
  const { id } = await fill('e');
  const all = await page('/e/events');
  assert.deepEqual(all.results.map(shown), [
    ['created', 'a', 1, undefined],
    ['created', 'b', 1, undefined],
    ['updated', 'a', 2, { staged: ['n'] }],
    ['deleted', 'b', 1, undefined],
    ['published', 'a', 3, { current: ['n'] }],
  ]);
  assert.deepEqual([all.limit, all.count, all.hasMore], [100, 5, false]);
  const [first] = all.results;
  assert.deepEqual(first.resource, { typeId: 'resource', id, key: 'a', version: 1 });
  assert.deepEqual([first.actor, first.cause], [{ clientId: 'test-admin' }, 'draft']);
  assert.equal(all.next, all.results.at(-1).id);
  const sequences = all.results.map(({ sequence }: { sequence: number }) => sequence);
  assert.deepEqual(
    sequences,
    sequences.toSorted((a: number, b: number) => a - b),
  );
  assert.equal(new Set(sequences).size, 5);

  const walked: unknown[] = [];
  for (let url: string | undefined = '/e/events?tail=500&limit=2'; url !== undefined; ) {
    const found = await get(url);
    const { results, next, hasMore } = found.json;
    walked.push(...results);
    url = nextPageOf(found);
    assert.equal(url, hasMore ? `/e/events?limit=2&after=${next}` : undefined);
  }
  assert.deepEqual(walked, all.results);
  // Behind each event come those behind it; behind the last one nothing, yet.
  for (const [i, { id: cursor }] of all.results.entries()) {
    assert.deepEqual((await page(`/e/events?after=${cursor}`)).results, all.results.slice(i + 1));
    const lastEvent = await get('/e/events?after=oldest', { 'last-event-id': cursor });
    assert.deepEqual(lastEvent.json.results, all.results.slice(i + 1));
  }
  const end = await page('/e/events?after=latest');
  assert.deepEqual([end.count, end.next, end.hasMore], [0, all.next, false]);
  assert.deepEqual((await page('/e/events?tail=2')).results, all.results.slice(-2));
  assert.deepEqual((await page('/e/events?tail=500')).results, all.results);
  assert.equal((await get('/e/events?tail=2&after=latest')).status, 400);
  await create('e', { key: 'c' });
  assert.deepEqual((await page(`/e/events?after=${end.next}`)).results.map(shown), [['created', 'c', 1, undefined]]);
});

test('filters by type, resource and client; a filtered page moves on over what it left out', async () => {
  const { id, other } = await fill('f');
  const typesOf = async (query: string) => {
    const { results } = await page(`/f/events?${query}`);
    return results.map(({ type }: { type: string }) => type);
  };
  assert.deepEqual(await typesOf('types=created,deleted'), ['created', 'created', 'deleted']);
  assert.deepEqual(await typesOf(`resource=${id}`), ['created', 'updated', 'published']);
  assert.deepEqual(await typesOf(`resource=${other}&types=deleted`), ['deleted']);
  assert.deepEqual(await typesOf('actor=test-admin&types=published'), ['published']);
  const none = await page('/f/events?actor=nobody');
  assert.deepEqual(none.results, []);
  assert.equal(none.next, (await page('/f/events?after=latest')).next);
});

test('include=resource adds the resource as it is after each change, to the byte', async () => {
  const { id } = await create('i', '{"key":"a","n":9007199254740993}');
  const texts = [(await get(`/i/resource/${id}`)).text];
  await update('i', { id, version: 1 }, { action: 'setField', path: 's', value: 1, staged: true });
  texts.push((await get(`/i/resource/${id}`)).text);
  const staged = (await get(`/i/resource/${id}?staged=true`)).text;
  await update('i', { id, version: 2 }, { action: 'publish' });
  texts.push((await get(`/i/resource/${id}`)).text);
  await send('DELETE', `/i/resource/${id}`);
  const { text, json } = await get('/i/events?include=resource');
  for (const current of texts) assert.ok(text.includes(`"data":{"current":${current}`), current);
  assert.ok(text.includes(`"data":{"current":${texts[1]},"staged":${staged}}`));
  assert.deepEqual(
    json.results.map((event: object) => 'data' in event),
    [true, true, true, false],
  );
});

test('a page without events waits for the next one, which it returns at once', async () => {
  await create('w', { key: 'first' });
  const { next } = await page('/w/events');
  const begun = performance.now();
  const waiting = page(`/w/events?after=${next}&wait=60`);
  const filtered = page(`/w/events?after=${next}&wait=60&types=deleted`);
  await create('w', { key: 'second' });
  assert.deepEqual((await waiting).results.map(shown), [['created', 'second', 1, undefined]]);
  await send('DELETE', '/w/resource/key=second');
  assert.deepEqual((await filtered).results.map(shown), [['deleted', 'second', 1, undefined]]);
  assert.ok(performance.now() - begun < 50_000);
  const empty = await page('/w/events?after=latest&wait=1');
  assert.deepEqual([empty.count, empty.hasMore], [0, false]);
  // Waiting ends with the first event; what is there already is not waited for.
  assert.equal((await page('/w/events?wait=60')).count, 3);
});

test('a cursor that leads to nothing is 410 with the ends of the log: pruned, of another log, not reached', async () => {
  const { next: elsewhere } = await page('/other/events');
  await create('other', {});
  await fill('g');
  const { results } = await page('/g/events');
  const otherEvent = (await page('/other/events')).results[0];
  const parts = Buffer.from(results[1].id, 'base64url').toString().split('.');
  const cursor = (sequence: string, digest: string, epoch: string) =>
    Buffer.from([sequence, digest, epoch].join('.')).toString('base64url');
  const [sequence, digest, epoch] = parts as [string, string, string];
  const far = (Number.parseInt(sequence, 36) + 100_000).toString(36);
  const bad = [
    cursor(sequence, digest, `${epoch}x`),
    cursor(far, digest, epoch),
    cursor(sequence, '1', epoch),
    otherEvent.id,
  ];
  for (const after of bad) {
    const gone = refusalOf(await get(`/g/events?after=${after}`), 410, 'CursorGone');
    assert.equal(gone.latest, results.at(-1).id);
    assert.equal((await page(`/g/events?after=${gone.latest}`)).count, 0);
    assert.equal((await page(`/g/events?after=${gone.oldest}`)).count, 5);
  }
  assert.equal(typeof elsewhere, 'string');
  refusalOf(await get('/g/events', { 'last-event-id': bad[0]!, accept: 'text/event-stream' }), 410, 'CursorGone');

  await api.app.store.changes.prune(Date.now() + 1000, Number.MAX_SAFE_INTEGER);
  const gone = refusalOf(await get(`/g/events?after=${results[0].id}`), 410, 'CursorGone');
  assert.match(gone.message, /no longer kept/);
  // The last change of a project stays; the cursors around it are good.
  assert.deepEqual((await page('/g/events')).results.map(shown), [['published', 'a', 3, { current: ['n'] }]]);
  for (const { id } of results.slice(-2)) assert.ok((await page(`/g/events?after=${id}`)).count <= 1);
  assert.equal((await page(`/g/events?after=${gone.oldest}`)).count, 1);

  const resource = results[0].resource.id;
  const version = refusalOf(await get(`/g/resource/${resource}?version=1`), 410, 'VersionGone');
  assert.deepEqual(version.versions, { first: 2, last: 3 });
  const restore = { version: 3, actions: [{ action: 'restore', version: 1 }] };
  assert.deepEqual(
    refusalOf(await send('POST', `/g/resource/${resource}`, restore), 410, 'VersionGone').versions,
    version.versions,
  );
});

test('writes of documents of the embedded backend are events of their project, each one, in order with the others', async () => {
  const document = '/d/resource/namespace-action';
  const value = '/d/resource/json-serializable-primitive-type';
  const ok = async (request: ReturnType<typeof send>) => assert.equal((await request).status, 200);
  await ok(send('POST', document, { a: 1 }, { 'x-correlation-id': 'cart-1', 'x-external-user-id': 'jane' }));
  const { id } = await create('d', { id: 'document', n: 1 });
  // At once, so that they share a commit.
  await Promise.all([2, 3, 4].map((n) => ok(send('POST', document, { n }))));
  await ok(send('PUT', value, { x: 1 }));
  for (let time = 0; time < 2; time += 1) await ok(send('POST', document, { n: 5 }, { 'idempotency-key': 'once' }));
  refusalOf(await send('POST', document, { n: 6 }, { 'if-match': '"0"' }), 412, 'PreconditionFailed');
  const { results, next } = await page('/d/events');
  const told = results.map(({ type, resource }: { type: string; resource: object }) => [type, resource]);
  const ofDocument = (name: string, version: number) => [
    'backendDocumentWritten',
    { typeId: 'backend-document', id: name, version },
  ];
  assert.deepEqual(told, [
    ofDocument('document', 1),
    ['created', { typeId: 'resource', id, version: 1 }],
    ...[2, 3, 4].map((version) => ofDocument('document', version)),
    ofDocument('value', 1),
    ofDocument('document', 5),
  ]);
  const [{ id: first, sequence, at, ...rest }] = results;
  assert.deepEqual(rest, {
    ...{ type: 'backendDocumentWritten', resource: { typeId: 'backend-document', id: 'document', version: 1 } },
    ...{ actor: { clientId: 'test-admin', externalUserId: 'jane' }, correlationId: 'cart-1', cause: 'backend' },
  });
  // The version is that of the cart.
  assert.equal((await get('/d/resource/namespace-action-with-example')).json.cartVersion, '5');
  assert.equal((await page('/d/events?types=backendDocumentWritten&actor=test-admin')).count, 6);
  assert.equal((await page('/d/events?types=backendDocumentWritten&include=resource')).results[0].data, undefined);
  assert.equal((await page(`/d/events?resource=document&after=${first}`)).count, 1);
  assert.equal((await page(`/d/resource/document/history`)).count, 1);
  refusalOf(await get('/d/events?resource='), 400, 'InvalidInput');
  for (const accept of ['application/x-ndjson', 'text/event-stream']) {
    const { text } = await get('/d/events?wait=0&types=backendDocumentWritten', { accept });
    assert.equal(text.split('"backend-document"').length - 1, 6, text);
  }
  const waiting = get(`/d/events?after=${next}&wait=60`);
  await ok(send('PUT', value, { x: 2 }));
  assert.deepEqual((await waiting).json.results[0].resource, { typeId: 'backend-document', id: 'value', version: 2 });
});

test('bad parameters are 400 and name what would be right; other projects and scopes see nothing', async () => {
  await create('b', {});
  const message = async (query: string) => refusalOf(await get(`/b/events?${query}`), 400, 'InvalidInput').message;
  assert.match(await message('afetr=latest'), /did you mean `after`/);
  assert.match(await message('types=create'), /unknown type 'create'; did you mean `created`/);
  assert.match(await message('types='), /types/);
  for (const query of ['after=x', 'after=', 'limit=0', 'limit=501', 'wait=61', 'wait=-1', 'include=all', 'offset=1']) {
    await message(query);
  }
  refusalOf(await get('/b/events', { 'last-event-id': 'x' }), 400, 'InvalidInput');
  assert.equal((await page('/empty/events')).count, 0);
  assert.equal((await api.call({ path: '/b/events', scope: 'view_test:b' })).json.count, 1);
  refusalOf(await api.call({ path: '/b/events', scope: 'view_test:e' }), 403, 'insufficient_scope');
  refusalOf(await api.call({ path: '/b/events', scope: 'none' }), 401, 'invalid_token');
  refusalOf(await send('POST', '/b/events', {}), 405, 'MethodNotAllowed');
  assert.equal((await api.call({ method: 'HEAD', path: '/b/events?wait=60&after=latest' })).status, 200);
});

test('without a log of changes events are refused, and resources work', async () => {
  const { get: getHere, create: createHere, update: updateHere } = await openResources({ HISTORY_RETENTION_DAYS: '0' });
  const resource = await createHere('n', { key: 'a' });
  await updateHere('n', resource, { action: 'doSomeThing' });
  const { message } = refusalOf(await getHere('/n/events'), 400, 'InvalidOperation');
  assert.match(message, /HISTORY_RETENTION_DAYS/);
  assert.equal((await getHere('/n/resource/key=a/history')).json.count, 0);
  assert.deepEqual(refusalOf(await getHere('/n/resource/key=a?version=1'), 410, 'VersionGone').versions, {
    first: 2,
    last: 2,
  });
});
