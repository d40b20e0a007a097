import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSessionQuota, startExpiringSessions } from '../../src/backend/embedded/session-upkeep.ts';
import { deleteUnusedSessions, sessionLimits } from '../../src/domain/sessions/sessions.ts';
import { noLog } from '../../src/telemetry/log.ts';
import { until } from '../until.ts';
import { openResources, refusalOf } from './open-resources.ts';

const { api } = await openResources();

const write = '/namespace-action';
const cart = '/namespace-action-with-example';
const [first, second] = ['session-of-the-first', '2222222222222222'];

/** A backend action in a session, with the scope of a shop's server. */
async function act(
  method: string,
  path: string,
  session?: string,
  { body, project = 'shop', headers = {} }: { body?: unknown; project?: string; headers?: Record<string, string> } = {},
) {
  return api.call({
    ...{ method, path: `/${project}/resource${path}`, body, scope: `use_backend:${project}` },
    headers: { ...(session !== undefined && { 'x-session-id': session }), ...headers },
  });
}

const items = (...names: readonly string[]) => ({
  lineItems: names.map((name) => ({ name, price: { centAmount: 100, currencyCode: 'EUR' } })),
});
const namesIn = (json: { lineItems: readonly { name: string }[] }) => json.lineItems.map(({ name }) => name);

test('each session has a cart of its own, beside that of the project', async () => {
  const e17 = { headers: { 'path-header': '/cart' } };
  assert.equal((await act('POST', write, first, { body: items('Chair') })).status, 200);
  assert.equal((await act('POST', write, second, { body: items('Table', 'Lamp') })).status, 200);
  assert.equal((await act('POST', write, undefined, { body: items('Shared') })).status, 200);
  assert.deepEqual(namesIn((await act('GET', cart, first)).json), ['Chair']);
  assert.deepEqual(namesIn((await act('GET', cart, second)).json), ['Table', 'Lamp']);
  assert.deepEqual(namesIn((await act('GET', cart)).json), ['Shared']);
  assert.deepEqual(namesIn((await act('GET', '/namespace-action-with-headers', second, e17)).json), ['Table', 'Lamp']);
  // Writes of a session merge, count and have tags as those of the project do.
  const merged = await act('POST', write, first, { body: { note: 'x' } });
  assert.deepEqual([namesIn(merged.json), merged.json.note], [['Chair'], 'x']);
  const { json, text } = await act('GET', cart, first);
  assert.equal(json.cartVersion, '2');
  assert.ok(!text.includes(first), 'a cart does not show what opens it');
  assert.notEqual(json.cartId, (await act('GET', cart, second)).json.cartId);
  // The same id in another project is another session.
  assert.deepEqual(namesIn((await act('GET', cart, first, { project: 'other' })).json), []);
});

test('the document and the value of a session are apart', async () => {
  const session = 'document-and-value';
  const put = (body: unknown, of?: string) => act('PUT', '/json-serializable-primitive-type', of, { body });
  assert.equal((await put('"mine"', session)).text, '"mine"');
  const empty = await act('GET', write, session);
  assert.deepEqual([empty.json, empty.headers.etag], [{}, '"0"']);
  await act('POST', write, session, { body: { a: 1 } });
  assert.equal((await put('"again"', session)).text, '"again"');
  assert.deepEqual((await act('GET', write, session)).json, { a: 1 });
});

test('concurrent writes to both values of a session are all there', async () => {
  const session = 'concurrent-writes-1';
  const results = await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      n % 4 === 0
        ? act('PUT', '/json-serializable-primitive-type', session, { body: String(n) })
        : act('POST', write, session, { body: { [`f${n}`]: n } }),
    ),
  );
  for (const { status, text } of results) assert.equal(status, 200, text);
  assert.equal(Object.keys((await act('GET', write, session)).json).length, 30);
});

test('conditions and repeats belong to a session', async () => {
  const [one, other] = ['conditions-of-one-1', 'conditions-of-two-2'];
  const body = { a: 1 };
  const onlyFirst = { body, headers: { 'if-none-match': '*' } };
  assert.equal((await act('POST', write, one, onlyFirst)).status, 200);
  assert.equal((await act('POST', write, one, onlyFirst)).status, 412);
  assert.equal((await act('POST', write, other, onlyFirst)).status, 200);
  const { etag } = (await act('GET', write, one)).headers;
  assert.equal((await act('GET', write, one, { headers: { 'if-none-match': etag! } })).status, 304);
  assert.equal((await act('GET', write, other, { headers: { 'if-none-match': etag! } })).status, 200);
  // The same key with the same body, by one client: each session gets its own write.
  const repeated = { body: { n: 1 }, headers: { 'idempotency-key': 'k' } };
  for (const session of [one, one, other]) assert.equal((await act('POST', write, session, repeated)).status, 200);
  assert.deepEqual((await act('GET', write, other)).json, { a: 1, n: 1 });
  assert.equal((await act('GET', cart, one)).json.cartVersion, '2');
});

test('a session id of another form is 400, and nothing is read or written', async () => {
  for (const session of [
    'short',
    'a'.repeat(15),
    'a'.repeat(129),
    'with blanks in the id',
    'ümlaut-aaaaaaaaaaaa',
    'a/../bbbbbbbbbbbbbbbb',
    'value~aaaaaaaaaaaaaaaaaa',
    '',
  ]) {
    for (const [method, path] of [
      ['GET', write],
      ['POST', write],
      ['GET', cart],
    ] as const) {
      const response = await act(method, path, session, method === 'POST' ? { body: {} } : {});
      assert.match(refusalOf(response, 400, 'InvalidInput').message, /X-Session-Id: expected 16 to 128/, session);
    }
  }
  assert.equal((await act('POST', write, 'a'.repeat(128), { body: {} })).status, 200);
});

test('the document of a session has at most 256 KiB; that of the project may have more', async () => {
  const body = { text: 'x'.repeat(sessionLimits.documentBytes) };
  refusalOf(await act('POST', write, 'large-documents-1', { body }), 400, 'ResourceSizeLimitExceeded');
  assert.equal((await act('POST', write, undefined, { body, project: 'large' })).status, 200);
  const fits = { text: '\\"'.repeat(sessionLimits.documentBytes / 8) };
  assert.equal((await act('POST', write, 'large-documents-1', { body: fits })).status, 200);
  assert.equal(
    (await act('PUT', '/json-serializable-primitive-type', 'large-documents-1', { body: fits })).status,
    200,
  );
});

test('a project has a bounded number of sessions', async () => {
  let nowMs = 0;
  let total = sessionLimits.sessions - 2;
  const list = async () => ({ results: [], count: 0, total });
  const admit = createSessionQuota({ list }, () => nowMs);
  await admit('p');
  await admit('p');
  await assert.rejects(admit('p'), { code: 'QuotaExceeded', status: 413 });
  total = 5;
  nowMs = 60_000;
  await admit('p');
});

test('use_backend opens the backend actions and nothing else', async () => {
  const admitted = new Set<string>();
  for (const route of api.app.routes) {
    if (!Array.isArray(route.access) && route.access !== 'service') continue;
    const path = route.path.replace(':projectKey', 'shop').replace(/:\w+/g, 'x');
    const headers: Record<string, string> =
      route.body?.kind === 'form' ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
    const { status } = await api.call({ method: route.method, path, scope: 'use_backend:shop', headers });
    if (status !== 403) admitted.add(route.operationId);
  }
  const actions = ['runAction', 'readAction', 'readActionWithExample', 'readActionWithHeaders', 'writeJsonValue'];
  assert.deepEqual([...admitted].toSorted(), actions.toSorted());
  const other = await api.call({ path: `/shop2/resource${write}`, scope: 'use_backend:shop' });
  assert.equal(other.status, 403);
  for (const scope of ['view_published:shop', 'manage_products:shop']) {
    assert.equal((await api.call({ path: `/shop/resource${write}`, scope })).status, 403);
  }
  for (const scope of ['view_test:shop', 'manage_test:shop']) {
    assert.equal((await api.call({ path: `/shop/resource${write}`, scope })).status, 200);
  }
});

test('a session is no event and no resource', async () => {
  const session = 'seen-by-nobody-else';
  await act('POST', write, session, { body: { secret: 'of-the-session' }, project: 'quiet' });
  await act('POST', write, undefined, { body: { open: true }, project: 'quiet' });
  const events = await api.call({ path: '/quiet/events' });
  assert.equal(events.json.results.length, 1);
  assert.ok(!events.text.includes(session) && !events.text.includes('of-the-session'));
  assert.equal((await api.call({ path: '/quiet/resource' })).json.total, 0);
  assert.equal((await api.call({ path: `/quiet/resource/${session}` })).status, 404);
});

test('operators list sessions page by page, and delete one or those that are unused', async () => {
  const manage = (method: string, path: string, scope = 'manage_project:listed') =>
    api.call({ method, path: `/listed/sessions${path}`, scope });
  const ids = Array.from({ length: 5 }, (_, n) => `session-number-000${n}`);
  for (const id of ids) await act('POST', write, id, { body: { a: 1 }, project: 'listed' });
  const found: string[] = [];
  for (let next: string | undefined, page = 0; page === 0 || next !== undefined; page += 1) {
    const { status, json, text } = await manage('GET', `?limit=2${next === undefined ? '' : `&cursor=${next}`}`);
    assert.equal(status, 200, text);
    for (const { id, bytes, lastUsedOn } of json.results) {
      found.push(id);
      assert.ok(bytes > 10);
      assert.match(lastUsedOn, /^\d{4}-\d\d-\d\d$/);
    }
    next = json.next;
  }
  assert.deepEqual(found, ids);
  assert.equal((await manage('GET', '?limit=500')).json.count, 5);
  refusalOf(await manage('GET', '?cursor=x'), 400, 'InvalidInput');
  for (const scope of ['manage_test:listed', 'use_backend:listed', 'view_published:listed']) {
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['DELETE', `/${ids[0]}`],
    ] as const) {
      assert.equal((await manage(method, path, scope)).status, 403);
    }
  }
  assert.deepEqual((await manage('DELETE', `/${ids[0]}`)).json, { deleted: 1 });
  assert.equal((await manage('DELETE', `/${ids[0]}`)).status, 404);
  assert.deepEqual((await act('GET', write, ids[0], { project: 'listed' })).json, {});
  assert.deepEqual((await manage('DELETE', '')).json, { deleted: 0 });
  assert.deepEqual((await manage('DELETE', '?unusedDays=0')).json, { deleted: 4 });
  assert.equal((await manage('GET', '')).json.count, 0);
});

test('sessions that are unused for 30 days are deleted; a read is a use', async (t) => {
  const { resources } = api.app.store;
  const [kept, unused] = ['that-one-is-read-on', 'nobody-needs-this-1'];
  for (const id of [kept, unused]) await act('POST', write, id, { body: { a: 1 }, project: 'ageing' });
  const dayMs = 86_400_000;
  const later = Date.now() + 20 * dayMs;
  // The record of the session as it is read twenty days later.
  const { createEmbeddedBackend } = await import('../../src/backend/embedded/backend.ts');
  const { createMetrics } = await import('../../src/telemetry/metrics.ts');
  const backend = createEmbeddedBackend({
    store: resources,
    findImages: async () => ({ stamp: '', bySku: () => new Map() }),
    metrics: createMetrics(),
    maxDocumentBytes: 1_000_000,
    nowMs: () => later,
    newId: () => 'id',
  });
  const read = (session: string) =>
    backend.call({
      ...{ projectKey: 'ageing', action: 'GET namespace-action', query: '', json: undefined },
      ...{ headers: { 'x-session-id': session }, correlationId: '', clientId: '', externalUserId: undefined },
    });
  const before = await read(kept);
  assert.deepEqual(JSON.parse(before.body), { a: 1 });
  assert.equal((await read(kept)).etag, before.etag, 'noting a use changes no entity tag');
  assert.equal(await deleteUnusedSessions(resources, 'ageing', 30, Date.now() + 29 * dayMs), 0);
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const projects = async (_limit: number, after?: string) => (after === undefined ? ['ageing'] : []);
  const stop = startExpiringSessions({ resources, projects }, () => Date.now() + 31 * dayMs, noLog);
  t.mock.timers.tick(600_000);
  t.mock.timers.reset();
  await until(async () => (await act('GET', write, unused, { project: 'ageing' })).text === '{}');
  stop();
  assert.deepEqual((await act('GET', write, kept, { project: 'ageing' })).json, { a: 1 });
});
