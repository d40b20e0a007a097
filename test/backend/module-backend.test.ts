import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createApp } from '../../src/app.ts';
import { backendProblem, defineBackend } from '../../src/backend/define.ts';
import { parseConfig } from '../../src/config/parse.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { openResources, refusalOf } from '../api/open-resources.ts';
import { inject } from '../inject.ts';
import { startTestApi } from '../start-test-api.ts';
import { writeConfigFile } from './backend-server.ts';

const define = join(dirname(fileURLToPath(import.meta.url)), '../../src/backend/define.ts');

/** A module that does what its query says. */
const source = `
import { defineBackend } from ${JSON.stringify(define)};
const answers = {
  echo: (request) => ({ body: { ...request, query: [...request.query], signal: request.signal.aborted } }),
  created: () => ({ status: 201, body: null }),
  count: async ({ resources }) => {
    const { n } = await resources.update({ key: 'counter' }, [{ action: 'incrementNumber', path: 'n', by: 1 }]);
    const { results, total } = await resources.list({ where: 'n > 0' });
    const keys = [];
    for await (const { key } of resources.all({ where: 'n is defined' })) keys.push(key);
    return { body: { n: String(n), total, first: results[0].key, keys, none: (await resources.find({ key: 'none' })) === undefined } };
  },
  write: async ({ resources }) => {
    const failed = await resources.create({ key: 'counter' }).catch(({ status, code }) => ({ status, code }));
    const { id } = await resources.save({ key: 'made', a: 1 });
    const { a, lastModifiedBy } = await resources.merge({ id, a: 2 });
    await resources.delete({ id });
    return { body: { failed, a, lastModifiedBy } };
  },
  forbidden: async ({ resources }) => ({ body: await resources.save({ a: 1 }) }),
  refuse: () => ({ status: 409, body: { reason: 'sold out' } }),
  throw: () => { throw new Error('INNER'); },
  reject: async () => { throw new Error('INNER'); },
  never: () => new Promise(() => {}),
  nothing: () => undefined,
  noBody: () => ({ status: 200 }),
  undefinedBody: () => ({ body: undefined }),
  function: () => ({ body: () => 1 }),
  bigint: () => ({ body: 1n }),
  circle: () => { const a = {}; a.a = a; return { body: a }; },
  status: () => ({ status: 99, body: 1 }),
  tagged: (request) => ({ etag: '"m1"', body: request.headers['if-match'] ?? null }),
  unchanged: () => ({ status: 304, etag: '"m1"', body: undefined }),
  redirect: () => ({ status: 302, body: 1 }),
  failing: () => ({ status: 500, body: 'INNER' }),
  large: () => ({ body: 'x'.repeat(1_048_576) }),
  noContent: () => ({ status: 204, body: {} }),
  resetContent: () => ({ status: 205, body: {} }),
  part: () => ({ status: 206, body: {} }),
  statusGetter: () => ({ get status() { throw new Error('INNER'); }, body: {} }),
  bodyGetter: () => ({ get body() { throw new Error('INNER'); } }),
  noDate: () => ({ body: { toJSON() { throw new Error('INNER'); } } }),
};
const run = (request) => answers[request.query.get('do')](request);
export default defineBackend({ handlers: {
  'POST namespace-action': run,
  'GET namespace-action': run,
  'GET namespace-action-with-example': () => ({ body: { lineItems: [] } }),
  'PUT json-serializable-primitive-type': ({ json }) => ({ body: json }),
} });
`;
writeConfigFile(source, 'backend.ts');
const file = writeConfigFile({ projects: { shop: { kind: 'module', file: './backend.ts' } } });
// What answers has all the time that a busy machine takes; only what never does is timed out.
const { api, send, get } = await openResources({ BACKENDS_FILE: file, BACKEND_TIMEOUT_MS: '600000' });
const hasty = await openResources({ BACKENDS_FILE: file, BACKEND_TIMEOUT_MS: '300' });
const run = (what: string, body: unknown = {}, headers = {}) =>
  send('POST', `/shop/resource/namespace-action?do=${what}&b=%20`, body, headers);

test('E14 through a module: the handler gets the request without credentials, and its response is returned', async () => {
  const { status, json } = await run(
    'echo',
    { a: 1 },
    { 'idempotency-key': 'k', 'x-correlation-id': 'my-id', cookie: 'c' },
  );
  assert.equal(status, 200);
  assert.deepEqual(json, {
    ...{ projectKey: 'shop', action: 'POST namespace-action', json: { a: 1 }, headers: {}, clientId: 'test-admin' },
    ...{ correlationId: 'my-id', idempotencyKey: 'k', signal: false },
    query: [
      ['do', 'echo'],
      ['b', ' '],
    ],
  });
});

test('a handler reads and writes resources of the project, as its caller', async () => {
  await send('POST', '/shop/resource', '{"key":"counter","n":9007199254740993}');
  const counted = await run('count');
  const expected = { n: '9007199254740994', total: 1, first: 'counter', keys: ['counter'], none: true };
  assert.deepEqual([counted.status, counted.json], [200, expected]);
  const written = await run('write', {}, { 'x-external-user-id': 'jane', 'x-correlation-id': 'of-a-handler' });
  assert.deepEqual(written.json, {
    ...{ failed: { status: 412, code: 'PreconditionFailed' }, a: 2 },
    lastModifiedBy: { clientId: 'test-admin', externalUserId: 'jane' },
  });
  const { results } = (await get('/shop/events?types=deleted')).json;
  assert.deepEqual([results[0].correlationId, results[0].actor.externalUserId], ['of-a-handler', 'jane']);
});

test('a handler has no rights that its caller has not: neither to write, nor to read', async () => {
  for (const what of ['forbidden', 'count']) {
    const path = `/shop/resource/namespace-action?do=${what}`;
    const response = await api.call({ path, scope: 'use_backend:shop' });
    refusalOf(response, 502, 'BackendFailed');
  }
  const reading = await api.call({ path: '/shop/resource/namespace-action?do=forbidden', scope: 'view_test:shop' });
  refusalOf(reading, 502, 'BackendFailed');
  assert.equal((await get('/shop/resource/sorted-query-parameters')).json.total, 1);
});

test('E14 through a module: another 2xx is kept, a refusal is in our shape of errors', async () => {
  const created = await run('created');
  assert.deepEqual([created.status, created.text], [201, 'null']);
  assert.deepEqual(refusalOf(await run('refuse'), 409, 'BackendRefused').details, { reason: 'sold out' });
});

for (const what of [
  ...['throw', 'reject', 'nothing', 'noBody', 'undefinedBody', 'function', 'bigint', 'circle', 'status', 'redirect'],
  ...['failing', 'large', 'noContent', 'resetContent', 'part', 'statusGetter', 'bodyGetter', 'noDate'],
]) {
  test(`E14 through a module whose handler does “${what}” is 502, without its words`, async () => {
    const answer = await run(what);
    refusalOf(answer, 502, 'BackendFailed');
    assert.equal(answer.text.includes('INNER'), false);
  });
}

test('E14 through a module whose handler never ends is 504', async () => {
  refusalOf(await hasty.send('POST', '/shop/resource/namespace-action?do=never', {}), 504, 'BackendTimedOut');
});

test('E18 through a module keeps the digits of integers; E16 is completed to a cart', async () => {
  const put = await send('PUT', '/shop/resource/json-serializable-primitive-type', '[9007199254740993]');
  assert.equal(put.text, '[9007199254740993]');
  assert.equal((await get('/shop/resource/namespace-action-with-example')).json.sum.centAmount, 0);
});

test('E17 through a module that has no handler for it is 400', async () => {
  const answer = await get('/shop/resource/namespace-action-with-headers', { 'path-header': '/' });
  assert.match(refusalOf(answer, 400, 'InvalidInput').message, /is not registered/);
});

for (const [name, text, problem] of [
  ['throwing.ts', 'throw new Error("no way");', /throwing\.ts: the backend cannot be loaded: no way/],
  ['empty.ts', 'export default {};', /empty\.ts: expected an object with handlers/],
  ['none.ts', 'export default { handlers: {} };', /none\.ts: expected at least one handler/],
  [
    'unknown.ts',
    'export default { handlers: { POST: () => 1 } };',
    /handlers: POST: expected one of POST namespace-action/,
  ],
  [
    'text.ts',
    'export default { handlers: { "GET namespace-action": 1 } };',
    /GET namespace-action: expected a function/,
  ],
] as const) {
  test(`a start with the module ${name}, which is no backend, fails and says why`, async () => {
    writeConfigFile(text, name);
    const file = writeConfigFile({ default: { kind: 'module', file: name } });
    await assert.rejects(startTestApi({ BACKENDS_FILE: file }), problem);
  });
}

test('defineBackend: returns what is fit, and throws for what is not', () => {
  const fit = { handlers: { 'GET namespace-action': () => ({ body: 1 }) } };
  assert.equal(defineBackend(fit), fit);
  assert.equal(backendProblem(fit), undefined);
  assert.throws(() => defineBackend({ handlers: {} }), /Backend: expected at least one handler/);
});

test('E14 through a module that throws: the log has the error under the correlation id', async () => {
  const lines: string[] = [];
  const dataDir = mkdtempSync(join(tmpdir(), 'grs-module-log-'));
  const BACKENDS_FILE = writeConfigFile({ projects: { shop: { kind: 'module', file: './backend.ts' } } });
  const credentials = { ADMIN_CLIENT_ID: 'admin', ADMIN_CLIENT_SECRET: 'a secret for tests only' };
  const config = parseConfig({ DATA_DIR: dataDir, BACKENDS_FILE, ...credentials });
  const stream = { writableLength: 0, write: (line: string) => lines.push(line) };
  const app = await createApp(config, { log: createLog({ level: 'info', stream, nowMs: Date.now }) });
  const basic = Buffer.from(Object.values(credentials).join(':')).toString('base64');
  const granted = await inject(app.server, {
    ...{ method: 'POST', url: '/oauth/token', headers: { authorization: `Basic ${basic}` } },
    query: { grant_type: 'client_credentials', scope: 'manage_test:shop' },
  });
  const headers = {
    authorization: `Bearer ${(granted.json() as { access_token: string }).access_token}`,
    ...{ 'content-type': 'application/json', 'x-correlation-id': 'my-id' },
  };
  const url = '/shop/resource/namespace-action?do=throw';
  const answer = await inject(app.server, { method: 'POST', url, headers, payload: '{}' });
  await app.close();
  rmSync(dataDir, { recursive: true });
  assert.equal(answer.statusCode, 502);
  const logged = lines.map((line) => JSON.parse(line)).find(({ event }) => event === 'request failed');
  assert.deepEqual([logged.correlationId, logged.status, logged.error.cause.message], ['my-id', 502, 'INNER']);
});

test('a module sees conditions and may send an entity tag, and 304 to a read with a condition', async () => {
  const tagged = await run('tagged', {}, { 'if-match': '"m0"' });
  assert.deepEqual([tagged.status, tagged.json, tagged.headers.etag], [200, '"m0"', '"m1"']);
  const path = '/shop/resource/namespace-action?do=unchanged';
  const { status, text, headers } = await get(path, { 'if-none-match': '"m1"' });
  assert.deepEqual([status, text, headers.etag], [304, '', '"m1"']);
  refusalOf(await get(path), 502, 'BackendFailed');
});
