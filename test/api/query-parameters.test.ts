import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { hasEffect } from '../../src/http/request/query.ts';
import type { Route } from '../../src/http/route.ts';
import { startTestApi, type TestApi } from '../start-test-api.ts';
import { startTestPostgres } from '../storage/postgres/start-test-postgres.ts';
import { refusalOf } from './open-resources.ts';

/** Query parameters of all endpoints (decision 96). */

const postgres = await startTestPostgres();
after(() => postgres.close());
const engines = { SQLite: { DATABASE_URL: '' }, PostgreSQL: { DATABASE_URL: postgres.url } };

/** Endpoints whose parameters are for a backend, for an issuer, or for a page that reads them in the browser. */
const free = [
  ...['runAction', 'readAction', 'readActionWithExample', 'readActionWithHeaders', 'writeJsonValue'],
  ...['getStart', 'getConsole', 'getConsolePath', 'endOutsideLogin', 'getDocs', 'getDocsFolder'],
];

const isFree = ({ query }: Route) => query !== undefined && '*' in query;

/** A request that gets as far as its query. */
function requestOf({ method, path, body, access }: Route, query: string) {
  const filled = path
    .replaceAll(/:(\w+)/g, (_, name) => (name === 'projectKey' ? 'every-route' : 'x'))
    .replace('*', 'x');
  const headers: Record<string, string> = body ? { 'content-type': body.contentTypes[0]! } : {};
  const sent = body?.kind === 'json' ? {} : body?.kind === 'form' ? '' : body && Buffer.from('x');
  const scope = access === 'service' ? 'view_service' : Array.isArray(access) ? `${access[0]}:every-route` : 'none';
  return { method, path: `${filled}?${query}`, headers, ...(method !== 'GET' && { body: sent }), scope };
}

describe('every endpoint', () => {
  let api: TestApi;
  test('refuses a parameter that it does not know, and lists those that it does', async () => {
    api = await startTestApi();
    after(() => api.close());
    assert.deepEqual(
      api.app.routes
        .filter(isFree)
        .map(({ operationId }) => operationId)
        .sort(),
      [...free.filter((name) => name !== 'endOutsideLogin')].sort(),
    );
    for (const route of api.app.routes.filter((each) => !isFree(each))) {
      const response = await api.call(requestOf(route, 'zzz=1'));
      assert.equal(response.status, 400, `${route.operationId}: ${response.text}`);
      if (route.method === 'HEAD') continue;
      const [error] = response.json.errors;
      const known = Object.entries(route.query ?? {}).filter(([, parameter]) => hasEffect(parameter));
      const names = known.map(([name]) => name).join(', ') || 'none';
      assert.equal(error.message, `Malformed parameter: zzz: unknown parameter. Known parameters: ${names}`);
    }
  });

  test('names the parameter that a misspelled one was meant for', async () => {
    for (const route of api.app.routes) {
      for (const [name, parameter] of Object.entries(route.query ?? {})) {
        if (name.includes('*') || name.length < 4 || !hasEffect(parameter) || route.method === 'HEAD') continue;
        const misspelled = `${name}z`;
        const response = await api.call(requestOf(route, `${misspelled}=1`));
        assert.equal(response.status, 400, `${route.operationId} ${misspelled}: ${response.text}`);
        assert.match(response.json.message, new RegExp(`(did you mean|such as .*)[ \`]+${name}`), route.operationId);
      }
    }
  });

  test('declares `version` if it writes something that has one', () => {
    const versioned = api.app.routes.filter(({ headers, method, tag }) => {
      // What a backend keeps has entity tags and no versions.
      const isWrite = !['GET', 'HEAD'].includes(method) && tag !== 'Backend actions';
      return isWrite && headers?.some(({ name, pattern }) => name === 'If-Match' && pattern !== undefined);
    });
    assert.equal(versioned.length, 16);
    for (const { operationId, query } of versioned) assert.equal(query?.version?.type, 'integer', operationId);
  });

  test('is reached by no parameter where there is none: 404 and 405 are as without', async () => {
    assert.equal((await api.call({ path: '/every-route/nothing/here?zzz=1' })).status, 404);
    assert.equal((await api.call({ method: 'DELETE', path: '/every-route/resource?zzz=1' })).status, 405);
  });
});

for (const [engine, environment] of Object.entries(engines)) {
  describe(`parameters of writes on ${engine}`, async () => {
    const api = await startTestApi(environment);
    after(() => api.close());
    const send = (method: string, path: string, body?: unknown) => api.call({ method, path: `/p${path}`, body });
    let count = 0;

    /** A resource in version 3. */
    async function inVersion3() {
      count += 1;
      const key = `k${count}`;
      for (const n of [1, 2, 3]) assert.equal((await send('POST', '/resource', { key, n })).status, 201);
      return { key, id: (await send('GET', `/resource/key=${key}`)).json.id as string };
    }

    const complex = '/resource/artificially-complex/path/uri-parameter-one=a/b';
    const actions = [{ action: 'setField', path: 'n', value: 4 }];
    const writes: Readonly<Record<string, (key: string, id: string) => readonly [string, string, object?]>> = {
      POST: (key) => ['POST', '/resource', { key, n: 4 }],
      PATCH: (key) => ['PATCH', '/resource', { key, n: 4 }],
      PUT: (key) => ['PUT', '/resource', { key, n: 4 }],
      E9: (key) => ['POST', complex, { key, n: 4 }],
      'E10 by id': (_, id) => ['POST', `/resource/${id}`, { actions }],
      'E10 by key': (key) => ['POST', `/resource/key=${key}`, { actions }],
      DELETE: (key) => ['DELETE', `/resource/key=${key}`],
    };

    for (const [name, write] of Object.entries(writes)) {
      test(`${name} with a stale version in the query is 409 and writes nothing; with the current one it writes`, async () => {
        const { key, id } = await inVersion3();
        const [method, path, body] = write(key, id);
        const error = refusalOf(await send(method, `${path}?version=1`, body), 409, 'ConcurrentModification');
        assert.equal(error.currentVersion, 3);
        assert.equal((await send('GET', `/resource/key=${key}`)).json.n, 3);
        if (body !== undefined) {
          const differing = { ...body, version: 3 };
          assert.match(
            refusalOf(await send(method, `${path}?version=1`, differing), 400, 'InvalidJsonInput').message,
            /version/,
          );
          assert.equal((await send('GET', `/resource/key=${key}`)).json.n, 3);
        }
        const agreeing = body && { ...body, version: 3 };
        assert.equal(Math.floor((await send(method, `${path}?version=3`, agreeing)).status / 100), 2);
      });

      test(`${name} with staged or where is 400, says what to do instead, and writes nothing`, async () => {
        const { key, id } = await inVersion3();
        const [method, path, body] = write(key, id);
        const total = (await send('GET', '/resource?limit=0')).json.total;
        const advice = { DELETE: /revertStagedChanges/, 'E10 by id': /`"staged": true`/ }[name] ?? /`"staged": true`/;
        assert.match(refusalOf(await send(method, `${path}?staged=true`, body), 400, 'InvalidInput').message, advice);
        const where = `${path}?where=${encodeURIComponent('n = 3')}`;
        assert.match(refusalOf(await send(method, where, body), 400, 'InvalidInput').message, /by its id/);
        assert.equal((await send('GET', `/resource/key=${key}`)).json.version, 3);
        assert.equal((await send('GET', '/resource?limit=0')).json.total, total);
      });
    }

    test('a version in the query of a draft that creates is 400, unless it is 0', async () => {
      for (const method of ['POST', 'PATCH', 'PUT']) {
        refusalOf(await send(method, '/resource?version=3', { key: `new-${method}` }), 400, 'InvalidOperation');
        assert.equal((await send(method, '/resource?version=0', { key: `new-${method}` })).status, 201);
      }
    });

    test('settings, subscriptions and variants of images compare the version in the query, too', async () => {
      assert.equal((await send('PUT', '/settings/search?version=0', {})).json.version, 1);
      assert.equal((await send('PUT', '/settings/search', { match: 'all' })).json.version, 2);
      refusalOf(await send('PUT', '/settings/search?version=1', {}), 409, 'ConcurrentModification');
      refusalOf(await send('PUT', '/settings/search?version=1', { version: 2 }), 400, 'InvalidJsonInput');
      assert.equal((await send('GET', '/settings/search')).json.match, 'all');

      const subscription = { key: 's', url: 'https://example.com/hook', types: ['created'] };
      assert.equal((await send('POST', '/subscriptions', subscription)).status, 201);
      const changes = { actions: [{ action: 'setKey', key: 't' }] };
      refusalOf(await send('POST', '/subscriptions/key=s?version=2', changes), 409, 'ConcurrentModification');
      assert.equal((await send('POST', '/subscriptions/key=s?version=1', changes)).status, 200);
      refusalOf(await send('DELETE', '/subscriptions/key=t?version=1'), 409, 'ConcurrentModification');
      assert.equal((await send('DELETE', '/subscriptions/key=t?version=2')).status, 200);

      const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
      const upload = (query: string) =>
        api.call({
          method: 'POST',
          path: `/p/resource/images?${query}`,
          body: gif,
          headers: { 'content-type': 'image/gif' },
        });
      assert.equal((await upload('variant=1&version=0')).status, 200);
      refusalOf(await upload('variant=1&version=3'), 409, 'ConcurrentModification');
      assert.equal((await upload('variant=1&version=1')).status, 200);
      refusalOf(await upload('variant=2&version=1'), 400, 'InvalidOperation');
    });

    test('a version to restore in the query is 400: it belongs into the body', async () => {
      const { key, id } = await inVersion3();
      await send('DELETE', `/resource/key=${key}`);
      const response = await send('POST', `/resource/${id}/restore?version=1`);
      assert.match(refusalOf(response, 400, 'InvalidInput').message, /belongs into the body/);
      assert.equal((await send('POST', `/resource/${id}/restore`, { version: 1 })).json.n, 1);
    });
  });
}
