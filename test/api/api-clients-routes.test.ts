import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createLastUse } from '../../src/auth/clients/last-use.ts';
import { noLog } from '../../src/telemetry/log.ts';
import { startTestApi, type TestApi } from '../start-test-api.ts';
import { newClient, postForm, statusWith, tokenOf } from './oauth-requests.ts';

type Method = 'GET' | 'POST' | 'DELETE';

/** Calls with a token for `manage_api_clients:p`, or with the scope given. */
async function start(t: TestContext) {
  const api = await startTestApi();
  t.after(() => api.close());
  const call = (method: Method, path: string, body?: unknown, scope = 'manage_api_clients:p') =>
    api.call({ method, path, body, scope });
  return { api, call };
}

const draft = { name: 'Shop front', scopes: ['view_test', 'manage_products:p'] };

test('POST /{projectKey}/api-clients: 201 with the secret, which no later response has', async (t) => {
  const { call } = await start(t);
  const made = await call('POST', '/p/api-clients', draft);
  assert.equal(made.status, 201, made.text);
  const { id, secret, createdAt, ...rest } = made.json;
  assert.match(id, /^p\./);
  assert.match(secret, /^grs_/);
  assert.ok(!Number.isNaN(Date.parse(createdAt)));
  assert.deepEqual(rest, {
    ...{ name: 'Shop front', scopes: ['view_test:p', 'manage_products:p'], scope: 'view_test:p manage_products:p' },
  });
  assert.equal(made.headers['cache-control'], 'no-store');
  for (const url of [`/p/api-clients/${id}`, '/p/api-clients']) {
    const read = await call('GET', url);
    assert.equal(read.status, 200);
    assert.ok(read.text.includes(id));
    assert.ok(!/secret|sha256|hash/i.test(read.text), read.text);
  }
});

test('POST /{projectKey}/api-clients: takes the scopes as one text, as stock SDKs send them', async (t) => {
  const { call } = await start(t);
  const body = { name: 'SDK', scope: ' view_test:p  manage_products:p view_test ' };
  const { status, json } = await call('POST', '/p/api-clients', body);
  assert.deepEqual([status, json.scopes], [201, ['view_test:p', 'manage_products:p']]);
  assert.equal(json.scope, 'view_test:p manage_products:p');
  const { message } = (await call('POST', '/p/api-clients', { name: 'SDK', scope: 'view_test:q' })).json;
  assert.match(message, /a client has scopes of its own project only/);
  const misspelled = (await call('POST', '/p/api-clients', { name: 'SDK', scope: 'view_tets:p' })).json.message;
  assert.match(misspelled, /'view_tets:p'.* manage_test, view_test, .*, each with or without :p behind it\.$/);
});

test('POST /{projectKey}/api-clients: a draft of another shape is 400 that names the field', async (t) => {
  const { call } = await start(t);
  for (const [body, detail] of [
    [{}, 'name: Missing required value'],
    [{ name: 1, scopes: ['view_test'] }, 'name: expected a string'],
    [{ name: ' ', scopes: ['view_test'] }, 'name: expected 1 to 256 characters'],
    [{ name: 'n' }, 'scopes: Missing required value'],
    [{ name: 'n', scopes: [] }, 'scopes: expected at least one scope'],
    [{ name: 'n', scopes: 'view_test' }, 'scopes: expected an array'],
    [{ name: 'n', scopes: ['view_test', 1] }, 'scopes[1]: expected a string'],
    [{ ...draft, secretHash: 'sha256:x' }, 'secretHash: unknown field; expected name, scopes, scope'],
    [{ ...draft, scope: 'view_test' }, 'scope: send it instead of scopes, not beside it'],
    [{ name: 'n', scope: ['view_test'] }, 'scope: expected a string'],
    [{ name: 'n', scope: '  ' }, 'scope: expected at least one scope, such as "view_test manage_test"'],
    [[], 'body: expected an object'],
    [null, 'body: expected an object'],
  ] as [unknown, string][]) {
    const { status, json: response } = await call('POST', '/p/api-clients', body);
    assert.equal(status, 400);
    assert.equal(response.errors[0].detailedErrorMessage, detail);
  }
  assert.equal((await call('GET', '/p/api-clients')).json.count, 0);
});

test('POST /{projectKey}/api-clients: a scope of another project, or none at all, is 400 InvalidField', async (t) => {
  const { call } = await start(t);
  for (const scope of [
    'view_test:q',
    'view_test:P',
    'view_test:p:x',
    'view_test:',
    'admin',
    '__proto__',
    'constructor',
    '',
  ]) {
    const { status, json: body } = await call('POST', '/p/api-clients', { name: 'n', scopes: ['view_test', scope] });
    assert.equal(status, 400, scope);
    assert.equal(body.errors[0].code, 'InvalidField');
    assert.equal(body.errors[0].field, 'scopes');
    assert.equal(body.errors[0].invalidValue, scope);
  }
});

test('GET /{projectKey}/api-clients: pages in the order of creation', async (t) => {
  const { api, call } = await start(t);
  const made: string[] = [];
  for (let index = 0; index < 5; index += 1) made.push((await newClient(api, 'p', ['view_test'])).id);
  const seen: string[] = [];
  let url = '/p/api-clients?limit=2';
  for (let pages = 0; pages < 3; pages += 1) {
    const { json: body } = await call('GET', url);
    assert.equal(body.limit, 2);
    assert.equal(body.count, body.results.length);
    seen.push(...body.results.map(({ id }: { id: string }) => id));
    url = `/p/api-clients?limit=2&after=${body.next}`;
    assert.equal('next' in body, pages < 2);
  }
  assert.deepEqual(seen, made);
  assert.equal((await call('GET', '/p/api-clients?limit=0')).status, 400);
  assert.equal((await call('GET', '/p/api-clients?limit=501')).status, 400);
});

test('DELETE /{projectKey}/api-clients/{id}: 200 with the client; its tokens and secret are refused at once', async (t) => {
  const { api, call } = await start(t);
  const client = await newClient(api, 'shop', ['view_test']);
  const token = await tokenOf(api, client);
  const asShop = (method: Method) =>
    call(method, `/shop/api-clients/${client.id}`, undefined, 'manage_api_clients:shop');
  assert.equal(await statusWith(api, token), 404);
  const deleted = await asShop('DELETE');
  assert.equal(deleted.status, 200);
  assert.equal(deleted.json.id, client.id);
  assert.ok(!/secret|hash/i.test(deleted.text));
  assert.equal(await statusWith(api, token), 401);
  assert.equal((await postForm(api, '/oauth/token', 'grant_type=client_credentials', client)).status, 401);
  assert.equal((await asShop('GET')).status, 404);
  assert.equal((await asShop('DELETE')).status, 404);
});

test('/{projectKey}/api-clients/{id}: a client of another project is 404 and stays', async (t) => {
  const { api, call } = await start(t);
  const { id } = await newClient(api, 'q', ['view_test']);
  for (const method of ['GET', 'DELETE'] as const) {
    const { status, json: body } = await call(method, `/p/api-clients/${id}`);
    assert.equal(status, 404);
    assert.equal(body.errors[0].code, 'ResourceNotFound');
  }
  assert.equal((await call('GET', `/q/api-clients/${id}`, undefined, 'manage_api_clients:q')).status, 200);
});

test('POST /{projectKey}/api-clients/{id}/rotate: a new secret; the old one for as long as wanted', async (t) => {
  const { api, call } = await start(t);
  const first = await newClient(api, 'p', ['view_test']);
  const token = await tokenOf(api, first);
  const path = `/p/api-clients/${first.id}/rotate`;
  const login = async (secret: string) =>
    (await postForm(api, '/oauth/token', 'grant_type=client_credentials', { id: first.id, secret })).status;

  const second = await call('POST', path, { overlapSeconds: 3600 });
  assert.equal(second.status, 200, second.text);
  assert.notEqual(second.json.secret, first.secret);
  assert.ok(Date.parse(second.json.previousSecretUntil) > Date.now());
  assert.deepEqual([await login(first.secret), await login(second.json.secret)], [200, 200]);
  const shown = await call('GET', `/p/api-clients/${first.id}`);
  assert.equal(shown.json.previousSecretUntil, second.json.previousSecretUntil);
  assert.ok(!/grs_|sha256/.test(shown.text));

  // The first secret is two rotations old, and the second has no time left.
  const third = await call('POST', path);
  assert.equal(third.status, 200, third.text);
  assert.ok(!('previousSecretUntil' in third.json));
  const logins = [await login(first.secret), await login(second.json.secret), await login(third.json.secret)];
  assert.deepEqual(logins, [401, 401, 200]);
  const headers = { authorization: `Bearer ${token}` };
  assert.equal((await api.call({ path: '/p/resource/none', headers, scope: 'none' })).status, 404);

  for (const body of [
    { overlapSeconds: -1 },
    { overlapSeconds: 2_592_001 },
    { overlapSeconds: 'x' },
    { grace: 1 },
    [],
  ]) {
    assert.equal((await call('POST', path, body)).status, 400, JSON.stringify(body));
  }
  assert.equal((await call('POST', '/p/api-clients/p.none/rotate')).status, 404);
  assert.equal((await call('POST', `/q/api-clients/${first.id}/rotate`, {}, 'manage_api_clients:q')).status, 404);
});

test('API clients show the minute of their last use, which is written and outlives the process', async (t) => {
  const { api, call } = await start(t);
  const used = await newClient(api, 'p', ['view_test']);
  const unused = await newClient(api, 'p', ['view_test']);
  const read = async (id: string) => (await call('GET', `/p/api-clients/${id}`)).json.lastUsedAt;
  assert.equal(await read(used.id), undefined);
  await tokenOf(api, used);
  assert.match(await read(used.id), /:00\.000Z$/);
  assert.equal(await read(unused.id), undefined);

  // Another process notes uses, writes them when it ends, and never an earlier one over a later one.
  const { clients, resources: store } = api.app.store;
  const laterMs = Date.parse('2126-01-02T03:04:59Z');
  for (const nowMs of [laterMs, laterMs - 600_000]) {
    const other = createLastUse({ store, clients, nowMs: () => nowMs, log: { ...noLog, write: assert.fail } });
    other.start();
    for (const id of [used.id, 'p.none', 'q.1', 'test-admin', '']) other.note(id);
    await other.close();
  }
  assert.equal(await read(used.id), '2126-01-02T03:04:00.000Z');
  assert.equal((await store.scan('p~client-use', undefined, 10)).length, 1);
  const { json } = await call('GET', '/p/api-clients');
  const uses = json.results.map((each: { id: string; lastUsedAt?: string }) => [each.id, each.lastUsedAt]);
  assert.deepEqual(uses, [
    [used.id, '2126-01-02T03:04:00.000Z'],
    [unused.id, undefined],
  ]);
  assert.equal((await call('DELETE', `/p/api-clients/${used.id}`)).status, 200);
  assert.deepEqual(await store.scan('p~client-use', undefined, 10), []);
});

async function everyStatus(api: TestApi, scope: string): Promise<number[]> {
  const { id } = await newClient(api, 'p', ['view_test']);
  const responses = await Promise.all([
    api.call({ method: 'GET', path: '/p/api-clients', scope }),
    api.call({ method: 'GET', path: `/p/api-clients/${id}`, scope }),
    api.call({ method: 'DELETE', path: `/p/api-clients/${id}`, scope }),
    api.call({ method: 'POST', path: '/p/api-clients', body: draft, scope }),
    api.call({ method: 'POST', path: `/p/api-clients/${id}/rotate`, scope }),
  ]);
  return responses.map(({ status }) => status);
}

test('/{projectKey}/api-clients: exactly manage_api_clients of exactly this project is needed', async (t) => {
  const { api } = await start(t);
  for (const scope of [
    'manage_project:p manage_test:p view_test:p manage_products:p',
    ...['manage_api_clients:q', 'manage_api_clients:P', 'manage_api_clients:p2'],
  ]) {
    assert.deepEqual(await everyStatus(api, scope), [403, 403, 403, 403, 403], scope);
  }
  assert.deepEqual(await everyStatus(api, 'none'), [401, 401, 401, 401, 401]);
});

test('the Location of a new client has the address that clients reach the service at', async (t) => {
  const api = await startTestApi({ REGION: 'eu', CLOUD_PROVIDER: 'gcp', DOMAIN: 'example.com' });
  t.after(() => api.close());
  const made = await api.call({ method: 'POST', path: '/p/api-clients', body: draft, scope: 'manage_api_clients:p' });
  assert.equal(made.status, 201, made.text);
  assert.equal(made.headers.location, `https://api.eu.gcp.example.com/p/api-clients/${made.json.id}`);
});
