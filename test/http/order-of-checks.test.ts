import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { InjectOptions } from 'light-my-request';
import { createLog } from '../../src/telemetry/log.ts';
import { assertError, build, route, routes } from './fixture.ts';

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const json = { 'content-type': 'application/json' };
const ask = (request: InjectOptions, environment: Readonly<Record<string, string>> = {}) =>
  build(environment).inject(request);

/** Each row is wrong in several ways; the response is that of the first check (decision 3). */
const precedence: readonly (readonly [string, InjectOptions, number, string])[] = [
  ['no token, unknown path', { url: '/p/nothing' }, 401, 'invalid_token'],
  ['no token, unknown method', { method: 'PATCH', url: '/p/things' }, 405, 'MethodNotAllowed'],
  ['no token, a method that no path has', { method: 'TRACE' as 'GET', url: '/p/things' }, 405, 'MethodNotAllowed'],
  ['no token, unknown path, TRACE', { method: 'TRACE' as 'GET', url: '/p/nothing' }, 401, 'invalid_token'],
  [
    'bad token, bad JSON',
    { method: 'POST', url: '/p/things', headers: { ...bearer('x'), ...json }, payload: '{' },
    401,
    'invalid_token',
  ],
  [
    'token of another project, unknown path',
    { url: '/p/nothing', headers: bearer('read-p2') },
    404,
    'ResourceNotFound',
  ],
  [
    'no scope, known path, unknown method',
    { method: 'PUT', url: '/p/things', headers: bearer('read-p') },
    405,
    'MethodNotAllowed',
  ],
  ['no scope, empty id', { method: 'DELETE', url: '/p/things/', headers: bearer('read-p') }, 404, 'ResourceNotFound'],
  [
    'no scope, wrong type',
    { method: 'POST', url: '/p/things', headers: { ...bearer('read-p'), 'content-type': 'a/b' }, payload: '{' },
    403,
    'insufficient_scope',
  ],
  [
    'wrong type, bad JSON',
    { method: 'POST', url: '/p/things', headers: { ...bearer('write-p'), 'content-type': 'a/b' }, payload: '{' },
    415,
    'UnsupportedMediaType',
  ],
  [
    'bad JSON, bad query',
    { method: 'POST', url: '/p/things?a=%zz', headers: { ...bearer('write-p'), ...json }, payload: '{' },
    400,
    'InvalidJsonInput',
  ],
  ['bad query', { url: '/p/things?limt=1', headers: bearer('read-p') }, 400, 'InvalidInput'],
];

describe('order of checks', () => {
  for (const [situation, request, status, code] of precedence) {
    test(`${request.method ?? 'GET'} with ${situation} → ${status} ${code}`, async () => {
      const response = await ask(request);
      assert.equal(response.statusCode, status, response.body);
      assertError({ status, text: response.body, type: response.headers['content-type'] }, code);
    });
  }

  test('a path outside projects that does not exist → 404 without a token', async () => {
    for (const url of ['/', '/health/nothing', '/docs/x', '/a.b', '/bad!key/things', `/${'a'.repeat(65)}/things`]) {
      assert.equal((await ask({ url })).statusCode, 404, url);
    }
  });

  test('a path outside projects with another method → 405 with Allow', async () => {
    const response = await ask({ method: 'POST', url: '/health/live' });
    assert.equal(response.statusCode, 405);
    assert.equal(response.headers.allow, 'GET, HEAD');
  });

  test('405 inside a project lists the methods of the path, HEAD among them, with and without a token', async () => {
    for (const headers of [bearer('write-p'), {}]) {
      const response = await ask({ method: 'PATCH', url: '/p/things/1', headers });
      assert.deepEqual([response.statusCode, response.headers.allow], [405, 'DELETE, GET, HEAD']);
    }
  });
});

describe('authentication', () => {
  test('without credentials → 401 with a challenge that has no error code', async () => {
    for (const headers of [{}, { authorization: 'Basic YTpi' }]) {
      const response = await ask({ url: '/p/things', headers });
      assert.equal(response.statusCode, 401);
      assert.equal(response.headers['www-authenticate'], 'Bearer');
    }
  });

  test('with a bad token → 401 with error="invalid_token"', async () => {
    for (const token of ['x', '', 'a b', '<>']) {
      const response = await ask({ url: '/p/things', headers: bearer(token) });
      assert.equal(response.statusCode, 401);
      assert.match(String(response.headers['www-authenticate']), /^Bearer error="invalid_token", error_description="/);
      assert.equal(response.json().error, 'invalid_token');
    }
  });

  test('the scheme is compared without regard to case', async () => {
    for (const scheme of ['bearer', 'BEARER', 'Bearer ']) {
      const response = await ask({ url: '/p/things', headers: { authorization: `${scheme} read-p` } });
      assert.equal(response.statusCode, 200, scheme);
    }
  });

  test('a token in the query is not looked at', async () => {
    assert.equal((await ask({ url: '/p/things?access_token=read-p' })).statusCode, 401);
  });

  test('a missing scope → 403 that names what would do', async () => {
    const response = await ask({ url: '/p/things', headers: bearer('read-p2') });
    assert.equal(response.statusCode, 403);
    assert.equal(
      response.json().message,
      'Insufficient scope. One of the following scopes is missing: manage_test:p, view_test:p.',
    );
    assert.equal(
      response.headers['www-authenticate'],
      'Bearer error="insufficient_scope", scope="manage_test:p view_test:p"',
    );
  });

  test('a failing verifier is an internal error, not a 401', async () => {
    const failing = build({}, { verify: () => Promise.reject(new Error('no keys')) });
    assert.equal((await failing.inject({ url: '/p/things', headers: bearer('x') })).statusCode, 500);
  });
});

describe('responses', () => {
  test('the correlation id of the request is echoed if it is printable, else one is made', async () => {
    const headers = { ...bearer('read-p'), 'x-correlation-id': 'my id 1' };
    assert.equal((await ask({ url: '/p/things', headers })).headers['x-correlation-id'], 'my id 1');
    for (const bad of ['é', 'a'.repeat(257)]) {
      const response = await ask({ url: '/p/things', headers: { ...headers, 'x-correlation-id': bad } });
      assert.equal(response.headers['x-correlation-id'], 'test-1');
    }
  });

  test('a response for a token is private and varies by it; an error is not stored', async () => {
    const good = await ask({ url: '/p/things', headers: bearer('read-p') });
    assert.equal(good.headers['cache-control'], 'private, no-cache');
    assert.equal(good.headers.vary, 'authorization, accept-encoding');
    assert.equal(good.headers['x-content-type-options'], 'nosniff');
    const bad = await ask({ url: '/p/things' });
    assert.equal(bad.headers['cache-control'], 'no-store');
    assert.equal(bad.headers.vary, 'authorization, accept-encoding');
  });

  test('HEAD of a path that has only GET returns its headers', async () => {
    const response = await ask({ method: 'HEAD', url: '/p/things/1', headers: bearer('read-p') });
    assert.equal(response.statusCode, 200);
    assert.equal(response.body, '');
    assert.ok(Number(response.headers['content-length']) > 0);
  });

  test('whatever a handler throws → 500 with the correlation id and nothing of the error; the log has it', async () => {
    for (const thrown of [new Error('SELECT secret FROM t'), 'text', null, { statusCode: 200 }, 10n]) {
      const lines: string[] = [];
      const stream = { writableLength: 0, write: (line: string) => lines.push(line) };
      const failing = route({
        operationId: 'fail',
        path: '/:projectKey/fail',
        handler: () => {
          throw thrown;
        },
      });
      const log = createLog({ level: 'warn', stream, nowMs: () => 0 });
      const response = await build({}, { routes: [failing], log }).inject({
        url: '/p/fail',
        headers: bearer('read-p'),
      });
      assert.equal(response.statusCode, 500);
      assert.equal(response.body.includes('SELECT'), false);
      assert.match(response.json().message, /test-1/);
      assert.equal(JSON.parse(lines[0]!).correlationId, 'test-1');
      assert.equal(lines.length, 1);
    }
  });

  test('a header value that HTTP cannot carry → 500, and the connection is in order', async () => {
    const strange = route({
      operationId: 'strange',
      path: '/:projectKey/strange',
      handler: () => ({ status: 200, body: '{}', headers: { location: 'a\r\nb: c' } }),
    });
    const response = await build({}, { routes: [strange] }).inject({ url: '/p/strange', headers: bearer('read-p') });
    assert.equal(response.statusCode, 500);
    assert.equal(response.headers.b, undefined);
  });

  test('a request is logged at debug without its query and without its token, and not at all at info', async () => {
    const lines: string[] = [];
    const stream = { writableLength: 0, write: (line: string) => lines.push(line) };
    const request = { url: '/p/things?limit=7', headers: bearer('read-p') };
    await build({}, { log: createLog({ level: 'info', stream, nowMs: () => 0 }) }).inject(request);
    assert.deepEqual(lines, []);
    await build({}, { log: createLog({ level: 'debug', stream, nowMs: () => 0 }) }).inject(request);
    const line = JSON.parse(lines[0]!);
    assert.deepEqual(
      [line.operationId, line.status, line.clientId, line.path],
      ['listThings', 200, 'reader-p', '/p/things'],
    );
    assert.equal(/read-p"|limit/.test(lines[0]!), false);
  });
});

describe('boot', () => {
  const bad: readonly (readonly [string, Parameters<typeof route>[0], RegExp])[] = [
    ['no access', { operationId: 'a', path: '/:projectKey/a', access: undefined as never }, /access is missing/],
    ['an empty list of scopes', { operationId: 'a', path: '/:projectKey/a', access: [] }, /access is missing/],
    ['scopes but no project', { operationId: 'a', path: '/a' }, /need a path that begins with \/:projectKey/],
    ['an operationId that is taken', { operationId: 'getThing', path: '/:projectKey/a' }, /operationId is taken/],
  ];
  for (const [situation, overrides, message] of bad) {
    test(`a route with ${situation} → the server is not made`, () => {
      assert.throws(() => build({}, { routes: [...routes, route(overrides)] }), message);
    });
  }
});
