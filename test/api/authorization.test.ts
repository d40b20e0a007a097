import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type ScopeName, scopeNames, scopeTable } from '../../src/contract/scopes.ts';
import type { Route } from '../../src/http/route.ts';
import { startTestApi, type TestResponse } from '../start-test-api.ts';
import { untilReady } from '../until-ready.ts';

/**
 * Every route × every kind of token; the expected statuses follow from `route.access` alone. What a request would do is
 * no matter here: with a token that is good enough anything but 401, 403 and 5xx will do.
 */
const api = await startTestApi();
after(() => api.close());
// Readiness is one of the routes; until the threads of queries have started, which listening begins, it is 503.
await api.listen();
await untilReady(() => api.call({ path: '/health/ready', scope: 'none' }));
const project = 'shop';

const tokens: readonly (readonly [name: string, scope: string | undefined])[] = [
  ['no token', undefined],
  ['garbage', 'garbage'],
  ['a token of another project', 'manage_project:shop2 manage_api_clients:shop2'],
  ['view_test', 'view_test:shop'],
  ['manage_test', 'manage_test:shop'],
  ['view_published', 'view_published:shop'],
  ['use_backend', 'use_backend:shop'],
  ['manage_products', 'manage_products:shop'],
  ['manage_api_clients', 'manage_api_clients:shop'],
  ['manage_project', 'manage_project:shop'],
  ['view_service', 'view_service'],
];

/** The scopes that satisfy `name`: itself and those that imply it. */
function satisfying(name: ScopeName): readonly ScopeName[] {
  return scopeNames.filter((held) => held === name || (scopeTable[held].implies as readonly string[]).includes(name));
}

/** A path of the route, with something for each parameter. */
function pathOf({ path }: Route): string {
  return path.replace(':projectKey', project).replace(/:\w+/g, 'x');
}

async function authorizationOf(scope: string | undefined): Promise<string | undefined> {
  if (scope === undefined) return undefined;
  return `Bearer ${scope === 'garbage' ? 'garbage' : await api.token(scope)}`;
}

function expectedOf({ access, published }: Route, scope: string | undefined): 401 | 403 | 'admitted' {
  if (access === 'public' || access === 'client') return 'admitted';
  if (scope === undefined || scope === 'garbage') return 401;
  if (access === 'service') return scope === 'view_service' ? 'admitted' : 403;
  const held = scope.split(' ');
  if (published && held.includes(`view_published:${project}`)) return 'admitted';
  const enough = access.flatMap((name) => satisfying(name).map((other) => `${other}:${project}`));
  return held.some((one) => enough.includes(one)) ? 'admitted' : 403;
}

function check(name: string, route: Route, response: TestResponse, expected: 401 | 403 | 'admitted'): void {
  const shown = `${name}: ${response.status} ${response.text}`;
  assert.ok(response.status < 500, shown);
  if (expected !== 'admitted') {
    assert.equal(response.status, expected, shown);
    assert.match(response.headers['www-authenticate'] ?? '', /^Bearer/);
    if (route.method !== 'HEAD') assert.equal(response.json.statusCode, expected);
  } else if (route.path === '/console/session') {
    // Only the page of the console is admitted, whatever token it has: see test/console.
    assert.equal(response.status, 403, shown);
  } else if (route.access === 'client') assert.ok([400, 401].includes(response.status), shown);
  else assert.ok(response.status !== 401 && response.status !== 403, shown);
}

test('the route table has routes of every kind of access, so that the matrix says something', () => {
  const kinds = new Set(api.app.routes.map(({ access }) => (typeof access === 'string' ? access : access.join())));
  for (const kind of ['public', 'client', 'service', 'manage_test', 'manage_test,view_test', 'manage_api_clients']) {
    assert.ok(kinds.has(kind), `${[...kinds]}`);
  }
});

for (const route of api.app.routes) {
  test(`${route.operationId}: ${route.method} ${route.path} admits exactly those that its access names`, async () => {
    for (const [name, scope] of tokens) {
      const authorization = await authorizationOf(scope);
      const response = await api.call({
        ...{ method: route.method, path: pathOf(route), scope: 'none' },
        headers: {
          ...(authorization !== undefined && { authorization }),
          ...(route.body?.kind === 'form' && { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        ...(route.body?.kind === 'json' ? { body: '[]' } : {}),
      });
      check(name, route, response, expectedOf(route, scope));
    }
  });
}

test('every route inside a project asks for a scope; those of the interface ask for the right ones', () => {
  const read = 'manage_test,view_test';
  const expected = new Map([
    ['GET /:projectKey/resource', read],
    ['HEAD /:projectKey/resource', read],
    ['GET /:projectKey/resource/:id', read],
    ['GET /:projectKey/resource/key=:key', read],
    ['GET /:projectKey/resource/sorted-query-parameters', read],
    ['POST /:projectKey/resource', 'manage_test'],
    ['PATCH /:projectKey/resource', 'manage_test'],
    ['PUT /:projectKey/resource', 'manage_test'],
    ['POST /:projectKey/resource/:id', 'manage_test'],
    ['POST /:projectKey/resource/key=:key', 'manage_test'],
    ['POST /:projectKey/resource/images', 'manage_products'],
    ['DELETE /:projectKey/resource/:id', 'manage_test'],
    ['DELETE /:projectKey/resource/key=:key', 'manage_test'],
  ]);
  const found = new Map(api.app.routes.map(({ method, path, access }) => [`${method} ${path}`, access]));
  for (const [route, access] of expected) assert.equal(String(found.get(route)), access, route);
  // Decision 63: the address of an image is all that it takes to see it.
  const open = new Set(['GET /:projectKey/images/:file']);
  for (const [route, access] of found) {
    assert.ok(open.has(route) || !route.includes(' /:projectKey') || Array.isArray(access), route);
  }
});

test('a token in the query, in a cookie or under another scheme is no token', async () => {
  const token = await api.token('manage_project:shop');
  for (const [path, headers] of [
    [`/shop/resource?access_token=${token}`, {}],
    ['/shop/resource', { cookie: `access_token=${token}` }],
    ['/shop/resource', { authorization: `Basic ${token}` }],
    ['/shop/resource', { authorization: token }],
    ['/shop/resource', { authorization: `Bearer ${token} ${token}` }],
    ['/shop/resource', { authorization: 'Bearer ' }],
  ] as const) {
    assert.equal((await api.call({ path, headers, scope: 'none' })).status, 401, JSON.stringify(headers));
  }
  assert.equal((await api.call({ path: '/shop/resource', headers: { authorization: `bearer ${token}` } })).status, 200);
});
