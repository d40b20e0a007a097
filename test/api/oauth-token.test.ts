import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApi } from '../start-test-api.ts';
import {
  basic,
  formType,
  newClient,
  postForm,
  startWithClient,
  statusWith,
  type TestClient,
} from './oauth-requests.ts';

const grant = 'grant_type=client_credentials';

test('POST /oauth/token: a client gets a token with all of its scopes, which must not be cached', async (t) => {
  const { api, client } = await startWithClient(t, ['manage_test', 'manage_products']);
  const response = await postForm(api, '/oauth/token', grant, client);
  assert.equal(response.status, 200, response.text);
  assert.equal(response.headers['cache-control'], 'no-store');
  assert.equal(response.headers['content-type'], 'application/json; charset=utf-8');
  const { access_token, expires_in, ...rest } = response.json;
  assert.deepEqual(rest, { token_type: 'Bearer', scope: 'manage_test:shop manage_products:shop' });
  assert.ok(expires_in >= 600);
  assert.equal(await statusWith(api, access_token), 404);
});

test('POST /oauth/token: raw or encoded, in the query, under a JSON type without body, credentials in the form', async (t) => {
  const { api, client } = await startWithClient(t, ['manage_project']);
  const wanted = 'manage_test:shop view_test:shop';
  const inQuery = `/oauth/token?${grant}&scope=${encodeURIComponent(wanted)}`;
  const inForm = `client_id=${client.id}&client_secret=${client.secret}`;
  const authorization = basic(client);
  for (const [path, body, headers] of [
    ['/oauth/token', `${grant}&scope=${wanted}`, { ...formType, authorization }],
    ['/oauth/token', `${grant}&scope=manage_test%3Ashop+view_test%3Ashop`, { ...formType, authorization }],
    [inQuery, undefined, { 'content-type': 'application/json', authorization }],
    [inQuery, undefined, { authorization }],
    ['/oauth/token', `${grant}&${inForm}&scope=${wanted}`, formType],
    [
      '/oauth/token',
      `${grant}&scope=${wanted}`,
      { ...formType, authorization: authorization.replace('Basic', 'basic') },
    ],
  ] as [string, string | undefined, Record<string, string>][]) {
    const response = await api.call({ method: 'POST', path, headers, body, scope: 'none' });
    assert.equal(response.status, 200, `${path} ${body} ${response.text}`);
    assert.equal(response.json.scope, wanted);
  }
});

const credentials = 'Please provide valid client credentials using HTTP Basic Authentication.';
const refusedScope = (scope: string) =>
  `Malformed parameter: scope: Invalid scope. '${scope}' is refused. This client may request view_test:shop.`;
const password = 'Invalid parameter: grant_type: Invalid grant type: password. It must be client_credentials.';

/** Form, credentials, status, code and message of each refusal. */
function refusals(client: TestClient): [string, TestClient | undefined, number, string, string][] {
  const both = 'Send client credentials by HTTP Basic Authentication or in the form, not both.';
  return [
    [grant, undefined, 401, 'invalid_client', credentials],
    [grant, { ...client, secret: `${client.secret}~` }, 401, 'invalid_client', credentials],
    [grant, { ...client, id: 'shop.none' }, 401, 'invalid_client', credentials],
    [grant, { id: '', secret: '' }, 401, 'invalid_client', 'Client credentials are missing.'],
    ['', client, 400, 'invalid_request', 'Missing required parameter: grant_type.'],
    ['grant_type=', client, 400, 'invalid_request', 'Missing required parameter: grant_type.'],
    [`${grant}&${grant}`, client, 400, 'invalid_request', 'Duplicate parameter: grant_type.'],
    [`${grant}&client_id=${client.id}&client_secret=${client.secret}`, client, 400, 'invalid_request', both],
    ['grant_type=password', client, 400, 'unsupported_grant_type', password],
    [`${grant}&scope=manage_test:shop`, client, 400, 'invalid_scope', refusedScope('manage_test:shop')],
    [`${grant}&scope=view_test:other`, client, 400, 'invalid_scope', refusedScope('view_test:other')],
    [`${grant}&scope=view_test`, client, 400, 'invalid_scope', refusedScope('view_test')],
  ];
}

test('/oauth/token: what is refused before the endpoint is asked has both error shapes as well', async (t) => {
  const { api, client } = await startWithClient(t, ['view_test']);
  const authorization = basic(client);
  const path = '/oauth/token';
  const token = await (await postForm(api, path, grant, client)).json.access_token;
  for (const [status, error, request] of [
    [
      415,
      'invalid_request',
      { method: 'POST', path, headers: { authorization, 'content-type': 'text/plain' }, body: grant },
    ],
    [
      413,
      'invalid_request',
      { method: 'POST', path, headers: { ...formType, authorization }, body: `${grant}&a=${'x'.repeat(17_000)}` },
    ],
    [400, 'invalid_request', { method: 'POST', path: `${path}?a=%zz`, headers: { authorization } }],
    [405, 'invalid_request', { path, headers: { authorization: `Bearer ${token}` } }],
  ] as const) {
    const response = await api.call({ scope: 'none', ...request });
    assert.equal(response.status, status, response.text);
    assert.deepEqual([response.json.error, response.json.error_description], [error, response.json.message]);
    assert.equal(response.json.statusCode, status);
  }
});

test('/oauth/token beyond its rate is 429 temporarily_unavailable', async (t) => {
  const api = await startTestApi({ TOKEN_RATE_PER_SECOND: '1' });
  t.after(() => api.close());
  let response = await postForm(api, '/oauth/token', grant, { id: 'shop.none', secret: 'x' });
  for (let n = 0; n < 100 && response.status !== 429; n += 1) {
    response = await postForm(api, '/oauth/token', grant, { id: 'shop.none', secret: 'x' });
  }
  assert.deepEqual([response.status, response.json.error], [429, 'temporarily_unavailable']);
});

test('POST /oauth/token: every refusal has both error shapes, names its scheme, and must not be cached', async (t) => {
  const { api, client } = await startWithClient(t, ['view_test']);
  for (const [form, as, status, code, message] of refusals(client)) {
    const response = await postForm(api, '/oauth/token', form, as);
    assert.equal(response.status, status, `${form} ${response.text}`);
    assert.deepEqual(response.json, {
      ...{ statusCode: status, message, errors: [{ code, message }], error: code, error_description: message },
    });
    assert.equal(response.headers['cache-control'], 'no-store');
    assert.equal(/^Basic realm=/.test(response.headers['www-authenticate'] ?? ''), status === 401);
    assert.ok(!response.text.includes(client.secret));
  }
});

test('POST /oauth/token: the administrator may name any scope, but must name it', async (t) => {
  const admin = { id: 'root', secret: 'a secret of sixteen letters and more' };
  const api = await startTestApi({ ADMIN_CLIENT_ID: admin.id, ADMIN_CLIENT_SECRET: admin.secret });
  t.after(() => api.close());
  const wanted = 'manage_api_clients:one view_test:another';
  assert.equal((await postForm(api, '/oauth/token', `${grant}&scope=${wanted}`, admin)).json.scope, wanted);
  const unnamed = await postForm(api, '/oauth/token', grant, admin);
  assert.deepEqual([unnamed.status, unnamed.json.error], [400, 'invalid_scope']);
  assert.match(unnamed.json.message, /scope=manage_project:my-shop/);
});

test('POST /oauth/token: a JSON body is invalid_request, GET is 405', async (t) => {
  const { api, client } = await startWithClient(t, ['view_test']);
  const headers = { authorization: basic(client) };
  const body = { grant_type: 'client_credentials' };
  const response = await api.call({ method: 'POST', path: '/oauth/token', headers, body, scope: 'none' });
  assert.equal(response.status, 400);
  assert.equal(response.json.error, 'invalid_request');
  assert.equal((await api.call({ path: '/oauth/token', scope: 'none' })).status, 405);
});

test('/oauth/token: guesses for many client ids from one address are limited; those who are known there go on', async (t) => {
  const api = await startTestApi({ TOKEN_RATE_PER_SECOND: '5' });
  t.after(() => api.close());
  const client = await newClient(api, 'shop', ['view_test:shop']);
  const login = (as: { id: string; secret: string }) => postForm(api, '/oauth/token', grant, as);
  const statuses = (responses: readonly { status: number }[]) =>
    Object.entries(Object.groupBy(responses, ({ status }) => status)).map(([status, all]) => [
      Number(status),
      all!.length,
    ]);

  // A stock SDK asks for many tokens at once.
  assert.deepEqual(statuses(await Promise.all(Array.from({ length: 60 }, () => login(client)))), [[200, 60]]);
  const begunMs = Date.now();
  /** How many further failures the limit allows by now: one in five seconds. */
  const more = () => Math.floor((Date.now() - begunMs) / 5000) + 1;
  const assertLimited = (responses: readonly { status: number }[], failures: number) => {
    const refused = responses.filter(({ status }) => status === 401).length;
    assert.ok(refused >= failures && refused <= failures + more(), `${refused} guesses were looked at`);
    const others = responses.filter(({ status }) => status !== 401 && status !== 429);
    assert.deepEqual(others, []);
  };
  const guesses = await Promise.all(Array.from({ length: 200 }, (_, n) => login({ id: `shop.${n}`, secret: 'guess' })));
  assertLimited(guesses, 20);
  const { status, json, headers: sent } = guesses.find((response) => response.status === 429)!;
  assert.deepEqual([status, json.error], [429, 'temporarily_unavailable']);
  assert.match(sent['retry-after'] ?? '', /^[1-5]$/);
  assert.match(sent.ratelimit ?? '', /^"login_address";r=0;t=/);
  // The form instead of Basic makes no difference.
  const form = `${grant}&client_id=shop.form&client_secret=guess`;
  const byForm = await Promise.all(Array.from({ length: 30 }, () => postForm(api, '/oauth/token', form)));
  assertLimited(byForm, 0);
  assert.equal((await login(client)).status, 200);
  // Guesses for that client are limited on their own.
  const own = await Promise.all(Array.from({ length: 30 }, () => login({ ...client, secret: 'guess' })));
  assertLimited(own, 10);
});
