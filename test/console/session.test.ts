import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startTestApi, type TestApi } from '../start-test-api.ts';

const path = '/console/session';
const fromPage = { 'sec-fetch-site': 'same-origin' };
const admin = { clientId: 'test-admin', clientSecret: 'a secret for tests only' };

describe('sessions of the console', () => {
  let api: TestApi;
  before(async () => {
    api = await startTestApi();
  });
  after(() => api.close());

  const send = (method: string, body: unknown, headers: Readonly<Record<string, string>> = fromPage) =>
    api.call({ method, path, body, headers, scope: 'none' });

  async function cookieOf(body: unknown): Promise<string> {
    const { status, headers } = await send('POST', body);
    assert.equal(status, 201);
    return headers['set-cookie']!.split(';')[0]!;
  }

  test('client id and secret begin a session, whose cookie only these endpoints get, and no script', async () => {
    const { status, headers, json } = await send('POST', admin);
    assert.equal(status, 201);
    assert.deepEqual(json, { clientId: 'test-admin', name: 'Administrator' });
    const attributes = headers['set-cookie']!.split('; ').slice(1);
    assert.deepEqual(attributes.slice(0, 3), ['Path=/console/session', 'HttpOnly', 'SameSite=Strict']);
    assert.equal((await send('POST', { ...admin, clientSecret: 'wrong' })).status, 401);
  });

  test('a session is exchanged for a token of a project, and opens nothing in the API itself', async () => {
    const cookie = await cookieOf(admin);
    const { status, json } = await send('PUT', { projectKey: 'shop' }, { ...fromPage, cookie });
    assert.equal(status, 200);
    assert.ok(json.token.scopes.includes('manage_project:shop'));
    const authorization = `Bearer ${json.token.accessToken}`;
    const project = { path: '/shop', scope: 'none' } as const;
    assert.equal((await api.call({ ...project, headers: { authorization } })).status, 200);
    assert.equal((await api.call({ ...project, headers: { cookie } })).status, 401);
    const stolen = `Bearer ${cookie.slice(cookie.indexOf('=') + 1)}`;
    assert.equal((await api.call({ ...project, headers: { authorization: stolen } })).status, 403);
    assert.equal((await send('PUT', { projectKey: '..' }, { ...fromPage, cookie })).status, 400);
    // An access token is no session.
    const other = `grs-console=${json.token.accessToken}`;
    assert.equal((await send('PUT', { projectKey: 'shop' }, { ...fromPage, cookie: other })).status, 401);
  });

  test('a page of another origin cannot use the cookie, although the browser may send it along', async () => {
    const cookie = await cookieOf(admin);
    for (const site of ['same-site', 'cross-site', 'none']) {
      const { status } = await send('PUT', { projectKey: 'shop' }, { cookie, 'sec-fetch-site': site });
      assert.equal(status, 403, site);
    }
    assert.equal((await send('PUT', { projectKey: 'shop' }, { cookie })).status, 403);
  });

  test('the client of a project gets the scopes that it has, and none of another project', async () => {
    const created = await api.call({
      ...{ method: 'POST', path: '/shop/api-clients', scope: 'manage_api_clients:shop' },
      body: { name: 'Editor', scopes: ['view_test'] },
    });
    const cookie = await cookieOf({ clientId: created.json.id, clientSecret: created.json.secret });
    const { json } = await send('PUT', { projectKey: 'shop' }, { ...fromPage, cookie });
    assert.equal(json.projectKey, 'shop');
    assert.deepEqual(json.token.scopes, ['view_test:shop']);
    assert.equal((await send('PUT', { projectKey: 'other' }, { ...fromPage, cookie })).status, 403);
  });

  test('a code logs the administrator in once', async () => {
    const code = api.app.consoleSessions!.createCode();
    const { status, json } = await send('POST', { code });
    assert.deepEqual([status, json.clientId], [201, 'test-admin']);
    assert.equal((await send('POST', { code })).status, 401);
    assert.equal((await send('POST', { code: 'never-made' })).status, 401);
  });

  test('after logging out the session is refused, also from a copy of its cookie', async () => {
    const cookie = await cookieOf(admin);
    const { status, headers } = await send('DELETE', undefined, { ...fromPage, cookie });
    assert.deepEqual([status, headers['set-cookie']?.includes('Max-Age=0')], [204, true]);
    assert.equal((await send('PUT', { projectKey: 'shop' }, { ...fromPage, cookie })).status, 401);
    assert.equal((await send('PUT', {})).json, null);
  });
});

test('switched off, nothing of the console is served, and / leads to the documentation', async () => {
  const api = await startTestApi({ CONSOLE: 'off' });
  try {
    const get = (path: string) => api.call({ path, scope: 'none' });
    for (const path of ['/console', '/console/shop/resources', '/console/session']) {
      assert.equal((await get(path)).status, 404, path);
    }
    const { status, headers } = await get('/');
    assert.deepEqual([status, headers.location], [303, '/docs']);
  } finally {
    await api.close();
  }
});
