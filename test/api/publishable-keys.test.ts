import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createPublishableClient } from '../../src/auth/clients/api-clients.ts';
import { createTokenService } from '../../src/auth/tokens.ts';
import { startTestTokens } from '../auth/start-test-tokens.ts';
import { startTestApi } from '../start-test-api.ts';
import { refusalOf } from './open-resources.ts';

const shop = 'https://shop.example';

async function start(t: TestContext, environment: Readonly<Record<string, string>> = {}) {
  const api = await startTestApi(environment);
  t.after(() => api.close());
  const manage = (method: string, path: string, body?: unknown) =>
    api.call({ method, path: `/p/api-clients${path}`, body, scope: 'manage_api_clients:p' });
  const create = async (origins: readonly string[] = [shop]) => {
    const made = await manage('POST', '', { name: 'Pages', publishable: true, origins });
    assert.equal(made.status, 201, made.text);
    return made.json as { readonly id: string; readonly key: string };
  };
  /** A request with a key, of a page of an origin. */
  const get = (key: string, origin?: string, path = '/p/resource', method = 'GET') =>
    api.call({ method, path, scope: 'none', headers: { authorization: `Bearer ${key}`, ...(origin && { origin }) } });
  return { api, manage, create, get };
}

test('a client with a publishable key: no secret, one scope, and a key that is shown again', async (t) => {
  const { api, manage, create } = await start(t);
  const { id, key, ...rest } = await create();
  assert.match(key, /^grs_pub_p\.[\w-]+\.[\w-]{32}$/);
  const { createdAt: _, ...shown } = rest as Record<string, unknown>;
  const scopes = { scopes: ['view_published:p'], scope: 'view_published:p' };
  assert.deepEqual(shown, { name: 'Pages', ...scopes, publishable: true, origins: [shop] });
  const { createdAt: __, lastUsedAt: ___, ...read } = (await manage('GET', `/${id}`)).json;
  assert.deepEqual(read, { id, key, ...shown });
  assert.equal((await manage('GET', '')).json.results[0].key, key);
  // Neither as a secret nor without one does it get a token.
  for (const secret of [key, '', 'x']) {
    const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
    const path = '/oauth/token?grant_type=client_credentials';
    refusalOf(
      await api.call({ method: 'POST', path, scope: 'none', headers: { authorization } }),
      401,
      'invalid_client',
    );
  }
  refusalOf(await manage('POST', `/${id}/rotate`), 400, 'InvalidOperation');
});

test('a draft of a publishable client that asks for more is 400 that names the field', async (t) => {
  const { manage } = await start(t);
  const draft = { name: 'n', publishable: true };
  for (const [body, detail] of [
    [{ ...draft, scopes: ['view_test'] }, 'scopes: a publishable key has view_published and no other scope'],
    [{ ...draft, scope: 'view_published manage_test:p' }, 'scopes: a publishable key has view_published and no other'],
    [{ ...draft, scopes: ['view_published:q'] }, 'scopes: a publishable key has'],
    [{ ...draft, origins: ['https://shop.example/'] }, 'origins[0]: expected an origin as browsers send it'],
    [{ ...draft, origins: ['https://*.shop.example'] }, 'origins[0]: expected an origin as browsers send it'],
    [{ ...draft, origins: ['*'] }, 'origins[0]: expected an origin'],
    [{ ...draft, origins: ['null'] }, 'origins[0]: expected an origin'],
    [{ ...draft, origins: ['HTTPS://shop.example'] }, 'origins[0]: expected an origin'],
    [{ ...draft, origins: ['https://a.example', 1] }, 'origins[1]: expected a string'],
    [{ ...draft, origins: 'https://a.example' }, 'origins: expected an array'],
    [
      { ...draft, origins: Array.from({ length: 51 }, (_, n) => `https://a${n}.example`) },
      'origins: expected at most 50',
    ],
    [{ ...draft, publishable: 'yes' }, 'publishable: expected a boolean'],
    [{ name: 'n', scopes: ['view_test'], origins: [shop] }, 'publishable: expected a boolean'],
    [{ name: 'n', scopes: ['view_test'], publishable: false, origins: [shop] }, 'origins: expected publishable: true'],
    [{ ...draft, secret: 'x' }, 'secret: unknown field'],
  ] as const) {
    const { detailedErrorMessage } = refusalOf(await manage('POST', '', body), 400, 'InvalidJsonInput');
    assert.ok(detailedErrorMessage.startsWith(detail), detailedErrorMessage);
  }
  assert.equal((await manage('POST', '', { ...draft, scopes: ['view_published'] })).status, 201);
  assert.equal((await manage('POST', '', { name: 'n', scopes: ['view_test'], publishable: false })).status, 201);
});

test('pages of the origins of a key may read, and pages of others may not', async (t) => {
  const { create, get } = await start(t);
  const { key } = await create([shop, 'http://127.0.0.1:8090']);
  for (const origin of [shop, 'http://127.0.0.1:8090']) {
    const good = await get(key, origin);
    assert.equal(good.status, 200, good.text);
    assert.equal(good.headers['access-control-allow-origin'], origin);
    assert.equal(good.headers['access-control-allow-credentials'], undefined);
    assert.match(good.headers.vary!, /origin/);
    const missing = await get(key, origin, '/p/resource/none');
    assert.deepEqual([missing.status, missing.headers['access-control-allow-origin']], [404, origin]);
    const refused = await get(key, origin, '/p/events');
    assert.deepEqual([refused.status, refused.headers['access-control-allow-origin']], [403, origin]);
  }
  for (const origin of ['https://evil.example', 'https://shop.example.evil', 'http://shop.example', 'null']) {
    const refused = await get(key, origin);
    assert.match(refusalOf(refused, 403, 'insufficient_scope').message, /may not use this publishable key/);
    assert.equal(refused.headers['access-control-allow-origin'], undefined);
  }
  assert.equal((await get(key)).status, 200, 'a program sends no origin');
  assert.equal((await get((await create([])).key, shop)).status, 403);
});

test('a key opens nothing but what is published in its project', async (t) => {
  const { api, create, get } = await start(t);
  const { key } = await create();
  assert.equal((await get(key, shop, '/q/resource')).status, 403);
  for (const route of api.app.routes) {
    if (route.published || (typeof route.access === 'string' && route.access !== 'service')) continue;
    const { status } = await get(key, shop, route.path.replace(':projectKey', 'p').replace(/:\w+/g, 'x'), route.method);
    // Without a type and a body, POST …/resource is not the form that keys may send.
    assert.equal(status, 403, `${route.method} ${route.path}`);
  }
});

test('a preflight for what keys may read is allowed from every origin, and for nothing else', async (t) => {
  const { api } = await start(t);
  const preflight = (path: string, method: string, origin = shop) =>
    api.call({ method: 'OPTIONS', path, scope: 'none', headers: { origin, 'access-control-request-method': method } });
  for (const path of ['/p/resource', '/p/resource/x', '/p/resource/searchApiPattern', '/p/resource/images']) {
    const { status, headers } = await preflight(path, 'GET');
    assert.deepEqual([status, headers['access-control-allow-origin']], [204, shop], path);
    assert.match(headers['access-control-allow-headers']!, /Authorization/);
    assert.doesNotMatch(headers['access-control-allow-methods']!, /PUT|PATCH|DELETE/);
    assert.equal(headers['access-control-allow-credentials'], undefined);
  }
  for (const path of ['/p/events', '/p/api-clients', '/p/settings/access', '/oauth/token']) {
    const { status, headers } = await preflight(path, 'GET');
    assert.deepEqual([status, headers['access-control-allow-origin']], [405, undefined], path);
  }
});

test('a key that was tampered with, or whose client is gone, is 401; guesses are limited', async (t) => {
  const { manage, create, get } = await start(t, { KEY_RATE_PER_SECOND: '3' });
  const { id, key } = await create();
  const other = await create();
  for (const good of [key, other.key]) assert.equal((await get(good)).status, 200);
  for (const wrong of [
    `${key}x`,
    key.slice(0, -1),
    key.replace(id, other.id),
    'grs_pub_',
    'grs_pub_.',
    'grs_pub_p.x',
  ]) {
    refusalOf(await get(wrong), 401, 'invalid_token');
  }
  assert.equal((await manage('DELETE', `/${id}`)).status, 200);
  refusalOf(await get(key), 401, 'invalid_token');
  // A page whose key is gone goes on to ask, and is told so only so often.
  const statuses = new Set<number>();
  for (let n = 0; n < 40; n += 1) statuses.add((await get(`grs_pub_p.${n}.x`)).status);
  assert.deepEqual([...statuses], [401, 429]);
  assert.equal((await get(other.key)).status, 200, 'a key that is known is not held up');
});

test('requests with a key are limited by key and address', async (t) => {
  const { create, get } = await start(t, { KEY_RATE_PER_SECOND: '1' });
  const [first, second] = [await create(), await create()];
  const statuses: number[] = [];
  for (let n = 0; n < 6; n += 1) statuses.push((await get(first.key, shop)).status);
  assert.deepEqual(statuses.slice(0, 4), [200, 200, 200, 200]);
  const limited = await get(first.key, shop);
  refusalOf(limited, 429, 'TooManyRequests');
  assert.ok(Number(limited.headers['retry-after']) >= 1);
  assert.equal(limited.headers['access-control-allow-origin'], shop);
  assert.equal((await get(second.key, shop)).status, 200);
});

test('another process refuses a key after its next reload of the revocations', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { clients, elsewhere, deps, tokens, newId, clock } = await startTestTokens(t);
  const other = createTokenService({ ...deps, clients: elsewhere });
  await other.start();
  t.after(other.close);
  const draft = { name: 'Pages', scopes: ['view_published:p'], origins: [shop] };
  const client = await createPublishableClient({ clients, newId, nowMs: () => clock.nowMs }, 'p', draft);
  const { key } = client.publishable!;
  const caller = await other.verify(key);
  assert.deepEqual(
    [caller.clientId, [...caller.scopes], [...caller.origins!]],
    [client.id, ['view_published:p'], [shop]],
  );
  await tokens.deleteClient(client.id);
  assert.ok(other.cached(key));
  while (other.cached(key)) {
    t.mock.timers.tick(500);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await assert.rejects(other.verify(key), /not valid/);
  assert.equal(await tokens.inspect(key, 'any'), undefined, 'a key is no token that could be revoked alone');
});
