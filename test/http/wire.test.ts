import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import type { Caller } from '../../src/contract/scopes.ts';
import type { HttpServer } from '../../src/http/server.ts';
import { assertError, build, exchange, parseResponses, route, withServer } from './fixture.ts';

const auth = 'Authorization: Bearer write-p\r\n';
const get = (target: string, fields = '') => `GET ${target} HTTP/1.1\r\nHost: h\r\n${auth}${fields}\r\n`;
const post = (fields: string, body = '') => `POST /p/things HTTP/1.1\r\nHost: h\r\n${auth}${fields}\r\n${body}`;
const json = 'Content-Type: application/json\r\n';

/** What is sent, and the status and code of the one response. Code undefined: a successful response. */
type Row = readonly [claim: string, bytes: string | Buffer, status: number, code?: string];

const framing: readonly Row[] = [
  [
    'H01 Content-Length and Transfer-Encoding',
    post(`${json}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n`, '0\r\n\r\n'),
    400,
    'InvalidInput',
  ],
  [
    'H02 two Content-Length, equal',
    post(`${json}Content-Length: 2\r\nContent-Length: 2\r\n`, '{}'),
    400,
    'InvalidInput',
  ],
  [
    'H02 two Content-Length, different',
    post(`${json}Content-Length: 2\r\nContent-Length: 3\r\n`, '{}'),
    400,
    'InvalidInput',
  ],
  ['H02 a list of Content-Length', post(`${json}Content-Length: 2, 2\r\n`, '{}'), 400, 'InvalidInput'],
  ['H03 Content-Length -1', post(`${json}Content-Length: -1\r\n`), 400, 'InvalidInput'],
  ['H03 Content-Length +2', post(`${json}Content-Length: +2\r\n`, '{}'), 400, 'InvalidInput'],
  ['H03 Content-Length 0x2', post(`${json}Content-Length: 0x2\r\n`, '{}'), 400, 'InvalidInput'],
  ['H03 Content-Length of 20 digits', post(`${json}Content-Length: 99999999999999999999\r\n`), 400, 'InvalidInput'],
  ['H04 Transfer-Encoding identity', post(`${json}Transfer-Encoding: identity\r\n`), 501, 'NotImplemented'],
  ['H04 Transfer-Encoding xchunked', post(`${json}Transfer-Encoding: xchunked\r\n`), 501, 'NotImplemented'],
  [
    'H04 Transfer-Encoding chunked, identity',
    post(`${json}Transfer-Encoding: chunked, identity\r\n`),
    400,
    'InvalidInput',
  ],
  [
    'H05 Transfer-Encoding gzip, chunked',
    post(`${json}Transfer-Encoding: gzip, chunked\r\n`, '2\r\n{}\r\n0\r\n\r\n'),
    501,
    'NotImplemented',
  ],
  [
    'H06 Transfer-Encoding in HTTP/1.0',
    `POST /p/things HTTP/1.0\r\nHost: h\r\n${auth}${json}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
    'InvalidInput',
  ],
  [
    'H07 chunk size overflow',
    post(`${json}Transfer-Encoding: chunked\r\n`, 'fffffffffffffffff\r\n'),
    400,
    'InvalidInput',
  ],
  ['H07 chunk lines with LF only', post(`${json}Transfer-Encoding: chunked\r\n`, '2\n{}\n0\n\n'), 400, 'InvalidInput'],
  [
    'H07 64 KiB of chunk extensions',
    post(`${json}Transfer-Encoding: chunked\r\n`, `2;${'x'.repeat(65_536)}\r\n{}\r\n0\r\n\r\n`),
    413,
    'ContentTooLarge',
  ],
  [
    'H08 Content-Length in the trailers',
    post(`${json}Transfer-Encoding: chunked\r\n`, '2\r\n{}\r\n0\r\nContent-Length: 5\r\n\r\n'),
    400,
    'InvalidInput',
  ],
  ['H09 space before the colon', get('/p/things/1', 'X-A : 1\r\n'), 400, 'InvalidInput'],
  ['H09 folded header', get('/p/things/1', 'X-A: 1\r\n 2\r\n'), 400, 'InvalidInput'],
  ['H09 bare LF', `GET /p/things/1 HTTP/1.1\nHost: h\n${auth}\n`, 400, 'InvalidInput'],
  ['H09 NUL in a header', get('/p/things/1', 'X-A: a\0b\r\n'), 400, 'InvalidInput'],
  ['H10 no Host', `GET /p/things/1 HTTP/1.1\r\n${auth}\r\n`, 400, 'InvalidInput'],
  ['H11 two Host', get('/p/things/1', 'Host: h\r\n'), 400, 'InvalidInput'],
  ['H12 Host with @', `GET /p/things/1 HTTP/1.1\r\nHost: a@b\r\n${auth}\r\n`, 400, 'InvalidInput'],
  ['H12 Host with /', `GET /p/things/1 HTTP/1.1\r\nHost: a/b\r\n${auth}\r\n`, 400, 'InvalidInput'],
  ['H12 Host with a space', `GET /p/things/1 HTTP/1.1\r\nHost: a b\r\n${auth}\r\n`, 400, 'InvalidInput'],
  ['H12 Host of 300 bytes', `GET /p/things/1 HTTP/1.1\r\nHost: ${'a'.repeat(300)}\r\n${auth}\r\n`, 400, 'InvalidInput'],
  ['H13 HTTP/0.9 line', 'GET /p/things/1\r\n\r\n', 400, 'InvalidInput'],
  ['H13 HTTP/2.0', `GET /p/things/1 HTTP/2.0\r\nHost: h\r\n${auth}\r\n`, 400, 'InvalidInput'],
  ['H13 HTTP/1.2', `GET /p/things/1 HTTP/1.2\r\nHost: h\r\n${auth}\r\n`, 400, 'InvalidInput'],
  ['H14 HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'InvalidInput'],
  ['H14 TLS hello', Buffer.from('16030100a5010000a10303', 'hex'), 400, 'InvalidInput'],
  ['H20 Expect of something else', get('/p/things/1', 'Expect: foo\r\n'), 417, 'ExpectationFailed'],
  ['H21 17 KiB of headers', get('/p/things/1', `X-A: ${'a'.repeat(17_000)}\r\n`), 431, 'HeadersTooLarge'],
  ['H21 a target of 9 KiB', get(`/p/things?a=${'b'.repeat(9000)}`), 414, 'UriTooLong'],
  ['H21 a target of 20 KiB', get(`/p/things?a=${'b'.repeat(20_000)}`), 414, 'UriTooLong'],
  ['H23 two Authorization', get('/p/things/1', 'Authorization: Bearer read-p\r\n'), 400, 'InvalidInput'],
  ['H23 two Content-Type', post(`${json}${json}Content-Length: 2\r\n`, '{}'), 400, 'InvalidInput'],
  [
    'H23 two Idempotency-Key',
    post(`${json}Idempotency-Key: a\r\nIdempotency-Key: b\r\nContent-Length: 2\r\n`, '{}'),
    400,
    'InvalidInput',
  ],
  ['H23 two If-Match', get('/p/things/1', 'If-Match: "1"\r\nIf-Match: "2"\r\n'), 400, 'InvalidInput'],
  ['H24 CONNECT', 'CONNECT h:80 HTTP/1.1\r\nHost: h\r\n\r\n', 405, 'MethodNotAllowed'],
  ['H24 TRACE', `TRACE /p/things HTTP/1.1\r\nHost: h\r\n${auth}\r\n`, 405, 'MethodNotAllowed'],
  ['H24 QUERY', `QUERY /p/things HTTP/1.1\r\nHost: h\r\n${auth}\r\n`, 405, 'MethodNotAllowed'],
  ['H24 PROPFIND', `PROPFIND /p/things HTTP/1.1\r\nHost: h\r\n${auth}\r\n`, 501, 'NotImplemented'],
  ['H24 FOO', `FOO /p/things HTTP/1.1\r\nHost: h\r\n${auth}\r\n`, 501, 'NotImplemented'],
  ['H24 get in small letters', `get /p/things HTTP/1.1\r\nHost: h\r\n${auth}\r\n`, 501, 'NotImplemented'],
  ['H32 # in the target', get('/p/things/1#a'), 400, 'InvalidInput'],
  ['H32 \\ in the path', get('/p/things\\1'), 400, 'InvalidInput'],
  ['H32 raw UTF-8 in the path', get('/p/things/\u00c3\u00a9'), 400, 'InvalidInput'],
  ['P01 % at the end of the path', get('/p/things/%'), 400, 'InvalidInput'],
  ['P01 %zz', get('/p/things/%zz'), 400, 'InvalidInput'],
  ['P01 %ff', get('/p/things/%ff'), 400, 'InvalidInput'],
  ['P01 overlong %c0%af', get('/p/things/%c0%af'), 400, 'InvalidInput'],
  ['P01 encoded surrogate', get('/p/things/%ED%A0%80'), 400, 'InvalidInput'],
  ['P02 %00 in an id', get('/p/things/a%00b'), 400, 'InvalidInput'],
  ['P08 empty id', get('/p/things/'), 404, 'ResourceNotFound'],
  ['P08 empty key', get('/p/things/key='), 404, 'ResourceNotFound'],
  ['P10 a segment beyond any id', get(`/p/things/${'a'.repeat(3100)}`), 414, 'UriTooLong'],
  ['P13 __proto__ as project', get('/__proto__/things'), 403, 'insufficient_scope'],
  ['P13 .. as project', get('/../things'), 404, 'ResourceNotFound'],
  ['P14 double slash', get('/p//things'), 404, 'ResourceNotFound'],
  ['Q06 %zz in a query', get('/p/things?limit=%zz'), 400, 'InvalidInput'],
  ['J16 Content-Length over the limit', post(`${json}Content-Length: 1048577\r\n`), 413, 'ContentTooLarge'],
  ['J17 no Content-Type', post('Content-Length: 2\r\n', '{}'), 415, 'UnsupportedMediaType'],
  ['J17 text/plain', post('Content-Type: text/plain\r\nContent-Length: 2\r\n', '{}'), 415, 'UnsupportedMediaType'],
  [
    'J17 application/jsonx',
    post('Content-Type: application/jsonx\r\nContent-Length: 2\r\n', '{}'),
    415,
    'UnsupportedMediaType',
  ],
  [
    'J17 two types in one',
    post('Content-Type: application/json, text/plain\r\nContent-Length: 2\r\n', '{}'),
    415,
    'UnsupportedMediaType',
  ],
  [
    'J17 charset utf-16',
    post('Content-Type: application/json; charset=utf-16\r\nContent-Length: 2\r\n', '{}'),
    415,
    'UnsupportedMediaType',
  ],
  [
    'J18 Content-Encoding br',
    post(`${json}Content-Encoding: br\r\nContent-Length: 2\r\n`, '{}'),
    415,
    'UnsupportedMediaType',
  ],
  ['L02 no JSON', post(`${json}Content-Length: 2\r\n`, '{x'), 400, 'InvalidJsonInput'],
];

const accepted: readonly Row[] = [
  ['H07 chunks', post(`${json}Transfer-Encoding: chunked\r\n`, '2\r\n{}\r\n0\r\n\r\n'), 200],
  [
    'H08 Authorization in the trailers',
    post(`${json}Transfer-Encoding: Chunked\r\n`, '2\r\n{}\r\n0\r\nAuthorization: x\r\n\r\n'),
    200,
  ],
  ['H10 no Host in HTTP/1.0', `GET /p/things/1 HTTP/1.0\r\n${auth}\r\n`, 200],
  [
    'H22 1,000 headers before Authorization',
    `GET /p/things/1 HTTP/1.1\r\nHost: h\r\n${'a: b\r\n'.repeat(2100)}${auth}\r\n`,
    200,
  ],
  [
    'H25 X-HTTP-Method-Override',
    `GET /p/things/1 HTTP/1.1\r\nHost: h\r\n${auth}X-HTTP-Method-Override: DELETE\r\n\r\n`,
    200,
  ],
  ['H26 Upgrade', get('/p/things/1', 'Connection: upgrade, close\r\nUpgrade: websocket\r\n'), 200],
  ['H27 absolute form', get('http://elsewhere/p/things/1'), 200],
  [
    'H29 GET with a body of another type',
    get('/p/things/1', 'Content-Type: text/plain\r\nContent-Length: 3\r\n').concat('abc'),
    200,
  ],
  [
    'H29 DELETE with a body',
    `DELETE /p/things/1 HTTP/1.1\r\nHost: h\r\n${auth}${json}Content-Length: 3\r\n\r\n{x}`,
    200,
  ],
  ['P05 double encoding', get('/p/things/a%252Fb'), 200],
  ['P07 key= with its k encoded', get('/p/things/%6Bey=abc'), 200],
  ['P10 an id of 256 characters of four bytes', get(`/p/things/${'%F0%9F%98%80'.repeat(256)}`), 200],
  ['J17 a tab behind the type', post('Content-Type: application/json\t\r\nContent-Length: 2\r\n', '{}'), 200],
  ['J18 Content-Encoding identity', post(`${json}Content-Encoding: identity\r\nContent-Length: 2\r\n`, '{}'), 200],
  ['an empty body of type JSON on GET', get('/p/things/1', json), 200],
];

describe('wire', () => {
  let server: HttpServer;
  let port: number;
  before(async () => {
    server = build({ DRAIN_TIMEOUT_MS: '200' });
    port = Number(new URL(await server.listen()).port);
  });
  after(() => server.drain());

  const isWhole = (text: string) => text.includes('\r\n\r\n') && text.includes('}', text.indexOf('\r\n\r\n'));
  const ask = async (bytes: string | Buffer) => parseResponses(await exchange(port, bytes, isWhole))[0]!;

  for (const [claim, bytes, status, code = ''] of framing) {
    test(`${claim} → ${status} ${code} in the shape of errors`, async () => {
      const response = await ask(bytes);
      assert.equal(response.status, status, response.text);
      assertError({ ...response, type: response.headers.get('content-type') }, code);
      assert.equal(response.headers.get('cache-control'), 'no-store');
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
      assert.match(response.headers.get('x-correlation-id') ?? '', /^test/);
    });
  }

  for (const [claim, bytes, status] of accepted) {
    test(`${claim} → ${status}`, async () => {
      const response = await ask(bytes);
      assert.equal(response.status, status, response.text);
    });
  }

  test('the server goes on after all of these', async () => {
    assert.equal((await ask(get('/p/things/1'))).status, 200);
  });

  test('a path is decoded once, and an encoded slash stays inside its segment', async () => {
    const { text } = await ask(get('/p/things/a%252F%2Fb'));
    assert.deepEqual(JSON.parse(text).params, { projectKey: 'p', id: 'a%2F/b' });
  });

  test('1,000 pipelined requests get one response each', async () => {
    const requests = get('/health/live').repeat(999) + get('/health/live', 'Connection: close\r\n');
    const responses = parseResponses(await exchange(port, requests));
    assert.equal(responses.filter(({ status }) => status === 200).length, 1000);
  });

  test('bytes behind a body are the next request and need their own token', async () => {
    const next = 'GET /p/things/1 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n';
    const responses = parseResponses(await exchange(port, post(`${json}Content-Length: 2\r\n`, `{}${next}`)));
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 401],
    );
  });

  test('a malformed request after a good one gets the second response', async () => {
    const responses = parseResponses(await exchange(port, `${get('/p/things/1')}BAD\r\n\r\n`));
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 400],
    );
  });

  test('a misframed request ends its connection', async () => {
    const text = await exchange(port, `${get('/p/things/1', 'Host: h\r\n')}${get('/p/things/1')}`);
    const responses = parseResponses(text);
    assert.deepEqual(
      responses.map(({ status }) => status),
      [400],
    );
    assert.equal(responses[0]!.headers.get('connection'), 'close');
  });

  test('HEAD and 304 have no body', async () => {
    const head = `HEAD /p/things/1 HTTP/1.1\r\nHost: h\r\n${auth}Connection: close\r\n\r\n`;
    const text = await exchange(port, head);
    assert.match(text, /^HTTP\/1\.1 200 OK\r\n/);
    assert.match(text, /content-length: [1-9]/i);
    assert.ok(text.endsWith('\r\n\r\n'));
  });
});

describe('Expect: 100-continue', () => {
  const ask = (port: number, target: string, fields: string, until: (text: string) => boolean) =>
    exchange(port, `POST ${target} HTTP/1.1\r\nHost: h\r\n${fields}Expect: 100-continue\r\n\r\n`, until);

  const refused: readonly (readonly [string, string, string, number])[] = [
    ['without a token', '/p/things', `${json}Content-Length: 2\r\n`, 401],
    ['on an unknown path', '/p/nothing', `${auth}${json}Content-Length: 2\r\n`, 404],
    ['without the scope', '/p2/things', `${auth}${json}Content-Length: 2\r\n`, 403],
    ['with too large a body', '/p/things', `${auth}${json}Content-Length: 2000000\r\n`, 413],
    ['with a wrong type', '/p/things', `${auth}Content-Type: a/b\r\nContent-Length: 2\r\n`, 415],
  ];
  for (const [situation, target, fields, status] of refused) {
    test(`${situation} → ${status}, and no 100`, () =>
      withServer(async ({ port }) => {
        const text = await ask(port, target, fields, (seen) => /\}$/.test(seen));
        assert.match(text, new RegExp(`^HTTP/1.1 ${status} `));
      }));
  }

  test('a request that is good so far → 100, then the response', () =>
    withServer(async ({ port }) => {
      const head = `POST /p/things HTTP/1.1\r\nHost: h\r\n${auth}${json}Content-Length: 2\r\nExpect: 100-continue\r\n\r\n`;
      const text = await exchange(port, `${head}{}`, (seen) => seen.includes('"length":2'));
      assert.match(text, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
    }));

  test('a body that is read while the response is sent → 100 before its head, once', () => {
    const bulk = route({
      ...{ operationId: 'echoBulk', method: 'POST', path: '/:projectKey/things', access: ['manage_test'] },
      body: { kind: 'stream', isBulk: true, contentTypes: ['text/plain'], required: true, schema: {} },
      handler: async ({ stream }) => ({
        ...{ status: 200, headers: { 'content-type': 'text/plain' }, body: '' },
        stream: { sizeBytes: undefined, open: () => Readable.from(stream!) },
      }),
    });
    const fields = `${auth}Content-Type: text/plain\r\nContent-Length: 5\r\nExpect: 100-continue\r\n`;
    return withServer(
      async ({ port }) => {
        const bytes = `POST /p/things HTTP/1.1\r\nHost: h\r\n${fields}\r\nlines`;
        const text = await exchange(port, bytes, (seen) => seen.includes('lines'));
        assert.match(text, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
        assert.equal(text.split('100 Continue').length, 2);
      },
      {},
      { routes: [bulk] },
    );
  });
});

describe('a body that is sent as it is made', () => {
  const withStream = (open: () => AsyncIterable<string>, use: (port: number) => Promise<void>) => {
    const handler = async () => ({ status: 200, body: '', stream: { sizeBytes: undefined, open, slowReaderMs: 200 } });
    const slow = route({ operationId: 'getSlowly', path: '/:projectKey/things', handler });
    return withServer(({ port }) => use(port), {}, { routes: [slow] });
  };

  test('a client is waited for only while there is something to read', () =>
    withStream(
      async function* () {
        yield 'first';
        await new Promise((resolve) => setTimeout(resolve, 700));
        yield 'last';
      },
      async (port) => {
        const text = await exchange(port, get('/p/things'), (seen) => seen.endsWith('0\r\n\r\n'));
        assert.match(text, /first[\s\S]*last/);
      },
    ));

  test('a client that reads nothing is disconnected', async () => {
    const ended = Promise.withResolvers<void>();
    await withStream(
      async function* () {
        try {
          for (;;) yield 'x'.repeat(1_000_000);
        } finally {
          ended.resolve();
        }
      },
      async (port) => {
        const socket = connect(port, '127.0.0.1', () => socket.write(get('/p/things')));
        socket.pause();
        await ended.promise;
        socket.destroy();
      },
    );
  });
});

describe('bodies', () => {
  const of = (bytes: number) => `"${'a'.repeat(bytes - 2)}"`;
  const chunked = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  const send = (port: number, bytes: string) => exchange(port, bytes, (text) => /\}$/.test(text));

  test('at the limit by length and by chunks → 200', () =>
    withServer(
      async ({ port }) => {
        const plain = await send(port, post(`${json}Content-Length: 1024\r\n`, of(1024)));
        const inChunks = await send(port, post(`${json}Transfer-Encoding: chunked\r\n`, chunked(of(1024))));
        assert.match(plain, /^HTTP\/1\.1 200 /);
        assert.match(inChunks, /^HTTP\/1\.1 200 /);
      },
      { MAX_BODY_BYTES: '1024' },
    ));

  const writer: Caller = { clientId: 'writer', jti: 'writer', scopes: new Set(['manage_test:p']) };
  const arrivals: readonly (readonly [situation: string, bytes: string, lengths: readonly number[]])[] = [
    ['in one packet with its head', post(`${json}Content-Length: 100\r\n`, of(100)), [100]],
    ['in several packets', post(`${json}Content-Length: 400000\r\n`, of(400_000)), [400_000]],
    ['in one chunk', post(`${json}Transfer-Encoding: chunked\r\n`, chunked(of(100))), [100]],
    [
      'in several chunks',
      post(`${json}Transfer-Encoding: chunked\r\n`, '2\r\n"a\r\n1\r\nb\r\n1\r\n"\r\n0\r\n\r\n'),
      [4],
    ],
    ['before another request', post(`${json}Content-Length: 2\r\n`, '{}').repeat(3), [2, 2, 2]],
  ];
  for (const isCached of [true, false]) {
    for (const [situation, bytes, lengths] of arrivals) {
      test(`that comes ${situation} is read whole, its token ${isCached ? 'known' : 'yet to be verified'}`, () =>
        withServer(
          async ({ port }) => {
            const last = (text: string) => text.split('"length":').length > lengths.length && text.endsWith('}');
            const responses = parseResponses(await exchange(port, bytes, last));
            assert.deepEqual(
              responses.map(({ status, text }) => [status, JSON.parse(text).length]),
              lengths.map((length) => [200, length]),
            );
          },
          {},
          isCached ? { cachedCaller: () => writer } : {},
        ));
    }
  }

  for (const [situation, bytes, length] of [
    ['with its length', post(`${json}Content-Length: 100000\r\n`, of(100_000)), 100_000],
    ['in chunks', post(`${json}Transfer-Encoding: chunked\r\n`, '2\r\n"a\r\n1\r\nb\r\n1\r\n"\r\n0\r\n\r\n'), 4],
  ] as const) {
    test(`that has arrived in parts, ${situation}, before its token is verified is read whole`, () => {
      const arrived = Promise.withResolvers<void>();
      return withServer(
        async ({ port, server }) => {
          // In front of the server's own listener: what has arrived of the body is seen without reading it.
          server.listener.prependListener('request', (request: IncomingMessage) => {
            // A full buffer takes no more before it is read.
            const hasCome = () => request.complete || request.readableLength >= request.readableHighWaterMark;
            const look = () => (hasCome() ? arrived.resolve() : void setImmediate(look));
            look();
          });
          const [response] = parseResponses(await exchange(port, bytes, (text) => text.endsWith('}')));
          assert.deepEqual([response?.status, JSON.parse(response!.text).length], [200, length]);
        },
        {},
        { verify: () => arrived.promise.then(() => writer) },
      );
    });
  }

  test('without content in chunks → 400, like none', () =>
    withServer(
      async ({ port }) => {
        const text = await send(port, post(`${json}Transfer-Encoding: chunked\r\n`, '0\r\n\r\n'));
        assert.match(text, /^HTTP\/1\.1 400 /);
        assert.match(text, /the body is empty; expected a JSON value/);
      },
      {},
      { cachedCaller: () => writer },
    ));

  test('one byte over the limit by chunks → 413, and the connection ends', () =>
    withServer(
      async ({ port }) => {
        const text = await exchange(port, post(`${json}Transfer-Encoding: chunked\r\n`, chunked(of(1025))));
        const [response] = parseResponses(text);
        assert.equal(response?.status, 413);
        assert.equal(response?.headers.get('connection'), 'close');
      },
      { MAX_BODY_BYTES: '1024' },
    ));

  test('an upload far over the limit still gets to see its 413', () =>
    withServer(async ({ port }) => {
      const body = 'a'.repeat(4_000_000);
      const [response] = parseResponses(await exchange(port, post(`${json}Content-Length: ${body.length}\r\n`, body)));
      assert.equal(response?.status, 413);
    }));

  test('a body that stops → 408 when the time of the setting has passed, and the handler never runs', () =>
    withServer(
      async ({ port }) => {
        const startedMs = performance.now();
        const text = await exchange(port, post(`${json}Content-Length: 5\r\n`, '{}'));
        // Timers may be early by a millisecond or so.
        assert.ok(performance.now() - startedMs > 990, 'it must have had its time');
        const [response] = parseResponses(text);
        assert.equal(response?.status, 408);
        assertError({ ...response!, type: response!.headers.get('content-type') }, 'RequestTimeout');
      },
      { REQUEST_TIMEOUT_MS: '1000' },
    ));

  test('headers that stop → 408', () =>
    withServer(
      async ({ port }) => {
        const [response] = parseResponses(await exchange(port, 'GET /p/things HTTP/1.1\r\nHost: h\r\n'));
        assert.equal(response?.status, 408);
      },
      { REQUEST_TIMEOUT_MS: '1000' },
    ));
});
