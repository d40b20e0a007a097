import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Sessions } from '../../src/console/session.ts';
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
    assert.deepEqual(json, { clientId: 'test-admin', name: 'Administrator', isAdministrator: true });
    const attributes = headers['set-cookie']!.split('; ').slice(1);
    assert.deepEqual(attributes.slice(0, 3), ['Path=/console/session', 'HttpOnly', 'SameSite=Strict']);
    const refused = await send('POST', { ...admin, clientSecret: 'wrong' });
    assert.equal(refused.status, 401);
    // Basic would make browsers open a dialog of their own.
    assert.equal(refused.headers['www-authenticate'], 'Bearer');
  });

  test('behind https the cookie is bound to its host by a prefix, and works as before', async (t) => {
    const secure = await startTestApi();
    t.after(() => secure.close());
    const sendTo = (method: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
      secure.call({
        method,
        path,
        body,
        headers: { ...fromPage, origin: 'https://shop.example.com', ...headers },
        scope: 'none',
      });
    const begun = await sendTo('POST', admin);
    const [pair = '', ...attributes] = begun.headers['set-cookie']!.split('; ');
    assert.match(pair, /^__Host-grs-console=/);
    assert.deepEqual(attributes.slice(0, 3), ['Path=/', 'HttpOnly', 'SameSite=Strict']);
    assert.ok(attributes.includes('Secure') && !begun.headers['set-cookie']!.includes('Domain'));
    assert.equal((await sendTo('PUT', { projectKey: 'shop' }, { cookie: pair })).status, 200);
    // As a page of another host of the domain would set it.
    assert.equal((await sendTo('PUT', { projectKey: 'shop' }, { cookie: pair.replace('__Host-', '') })).status, 401);
  });

  test('a session is exchanged for a token of a project, and opens nothing in the API itself', async () => {
    const cookie = await cookieOf(admin);
    const { status, json, headers } = await send('PUT', { projectKey: 'shop' }, { ...fromPage, cookie });
    assert.equal(status, 200);
    const renewed = headers['set-cookie']!.split(';')[0]!;
    assert.ok(json.token.scopes.includes('manage_project:shop'));
    const authorization = `Bearer ${json.token.accessToken}`;
    const project = { path: '/shop', scope: 'none' } as const;
    assert.equal((await api.call({ ...project, headers: { authorization } })).status, 200);
    assert.equal((await api.call({ ...project, headers: { cookie } })).status, 401);
    const stolen = `Bearer ${renewed.slice(renewed.indexOf('=') + 1)}`;
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

  test('a renewal replaces the session: the one before leads to the same next one for a moment', async () => {
    const renewed = async (cookie: string) => {
      const { status, headers } = await send('PUT', {}, { ...fromPage, cookie });
      return status === 200 ? headers['set-cookie']!.split(';')[0]! : status;
    };
    const first = await cookieOf(admin);
    // Two tabs ask at the same time, with the same cookie.
    const [second, other] = await Promise.all([renewed(first), renewed(first)]);
    assert.notEqual(second, first);
    assert.equal(other, second);
    assert.equal(await renewed(first), second, 'a response that was lost can be asked for again');
    const third = (await renewed(second as string)) as string;
    assert.notEqual(third, second);
    // Another process, or this one after half a minute, does not know the one before.
    const strange = new Sessions({
      ...{ clients: api.app.store.clients, tokens: api.app.tokens, admin: api.app.admin.client },
      ...{ lifetimeSeconds: 3600, nowMs: Date.now, newId: () => 'unused' },
    });
    const textOf = (cookie: string) => cookie.slice(cookie.indexOf('=') + 1);
    await assert.rejects(strange.renew(textOf(first)), { code: 'invalid_token' });
  });

  test('logging out ends all of a login: each session and access token of it, and no other login', async () => {
    const cookie = await cookieOf(admin);
    const another = await cookieOf(admin);
    const asked = await send('PUT', { projectKey: 'shop' }, { ...fromPage, cookie });
    const next = asked.headers['set-cookie']!.split(';')[0]!;
    const bearer = { authorization: `Bearer ${asked.json.token.accessToken}` };
    const read = () => api.call({ path: '/shop', scope: 'none', headers: bearer });
    assert.equal((await read()).status, 200);
    // By the tab that still has the session before.
    assert.equal((await send('DELETE', undefined, { ...fromPage, cookie })).status, 204);
    for (const each of [cookie, next]) {
      assert.equal((await send('PUT', {}, { ...fromPage, cookie: each })).status, 401);
    }
    assert.equal((await read()).status, 401);
    assert.equal((await send('PUT', {}, { ...fromPage, cookie: another })).status, 200);
  });

  test('files are compressed, and a copy that is known is not sent again', async () => {
    const page = await api.call({ path: '/console', scope: 'none' });
    const path = /\/console\/assets\/main-\w+\.js/.exec(page.text)![0];
    const get = (headers: Readonly<Record<string, string>>) => api.call({ path, scope: 'none', headers });
    const plain = await get({});
    const packed = await get({ 'accept-encoding': 'zstd' });
    assert.equal(packed.headers['content-encoding'], 'zstd');
    for (const { headers } of [plain, packed]) {
      assert.equal(headers.vary, 'accept-encoding');
      assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
    }
    assert.ok(Number(packed.headers['content-length']) < Number(plain.headers['content-length']) / 2);
    for (const tag of [plain.headers.etag!, packed.headers.etag!, `"other", W/${plain.headers.etag}`]) {
      const known = await get({ 'accept-encoding': 'zstd', 'if-none-match': tag });
      assert.deepEqual([known.status, known.text], [304, ''], tag);
      assert.equal(known.headers['cache-control'], 'public, max-age=31536000, immutable');
    }
    assert.equal((await get({ 'if-none-match': `x${plain.headers.etag}` })).status, 200);
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
