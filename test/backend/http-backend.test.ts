import assert from 'node:assert/strict';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { openResources, refusalOf } from '../api/open-resources.ts';
import { answerJson, startBackend, writeConfigFile } from './backend-server.ts';

interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Answer = (response: ServerResponse, seen: Seen) => void;

let answer: Answer = (response) => answerJson(response, {});
let seen: Seen[] = [];
const backend = await startBackend((request, response, body) => {
  const { method, url, headers } = request;
  const one = { method, url, headers, body };
  seen.push(one);
  answer(response, one);
});
const settings = (more: object) => ({
  ...{ kind: 'http', url: `http://127.0.0.1:${backend.port}/base/{projectKey}/`, allow: ['127.0.0.1'] },
  ...{ failuresToOpen: 1000, ...more },
});
const { api, send, get } = await openResources({
  BACKENDS_FILE: writeConfigFile({
    projects: {
      shop: settings({ headers: { 'X-Key': 'from the operator' } }),
      few: settings({ actions: ['GET namespace-action'] }),
    },
  }),
});
const path = '/shop/resource/namespace-action';

/** The requests that a call sends to the backend, and its response. */
async function through<T>(reply: Answer, call: () => Promise<T>): Promise<{ answered: T; seen: readonly Seen[] }> {
  answer = reply;
  seen = [];
  const answered = await call();
  return { answered, seen };
}

test('E14 through http: method, path, query, body and correlation id arrive, and the response is returned as it is', async () => {
  const text = '{"b":9007199254740993,\n "a":1.50}';
  const { answered, seen } = await through(
    (response) => response.writeHead(201, { 'content-type': 'application/json; charset=utf-8' }).end(text),
    () =>
      send('POST', `${path}?ids[0]=a%20b&x=`, '{ "n": 9007199254740993 }', {
        ...{ 'x-correlation-id': 'my-id', 'x-external-user-id': 'jane', 'idempotency-key': 'k1' },
      }),
  );
  assert.deepEqual([answered.status, answered.text], [201, text]);
  const [{ method, url, headers, body }] = seen as [Seen];
  assert.deepEqual([method, url], ['POST', '/base/shop/namespace-action?ids[0]=a%20b&x=']);
  assert.equal(body, '{"n":9007199254740993}');
  assert.equal(headers.host, `127.0.0.1:${backend.port}`);
  assert.equal(headers['content-type'], 'application/json');
  assert.equal(headers['x-correlation-id'], 'my-id');
  assert.equal(headers['idempotency-key'], 'k1');
  assert.deepEqual([headers['x-project-key'], headers['x-client-id']], ['shop', 'test-admin']);
  assert.deepEqual([headers['x-external-user-id'], headers['x-key']], ['jane', 'from the operator']);
});

test('E15, E17 and E18 through http arrive under their names; the headers of E17 go along', async () => {
  const reply: Answer = (response) => answerJson(response, { lineItems: [] });
  const read = await through(reply, () => get(path));
  assert.deepEqual([read.seen[0]!.method, read.seen[0]!.url], ['GET', '/base/shop/namespace-action']);
  const headers = {
    'path-header': '/cart',
    'test-header': '{}',
    'accept-language': 'de',
    'x-session-id': 'a-session-of-a-visitor',
  };
  const page = await through(reply, () => get(`${path}-with-headers`, headers));
  for (const [name, value] of Object.entries(headers)) assert.equal(page.seen[0]!.headers[name], value);
  const put = await through(
    (response) => answerJson(response, 'a bare string'),
    () => send('PUT', '/shop/resource/json-serializable-primitive-type', 'null'),
  );
  assert.deepEqual([put.seen[0]!.method, put.seen[0]!.body, put.answered.text], ['PUT', 'null', '"a bare string"']);
});

test('E14 through http never passes on credentials, nor headers of the connection', async () => {
  const { seen } = await through(
    (response) => answerJson(response, {}),
    () =>
      send('POST', path, '1', {
        ...{
          cookie: 'session=secret',
          'proxy-authorization': 'Basic secret',
          forwarded: 'for=1.2.3.4',
          te: 'trailers',
        },
        ...{ 'x-forwarded-for': '1.2.3.4', 'x-anything': 'else' },
      }),
  );
  const names = Object.keys(seen[0]!.headers).sort();
  assert.deepEqual(names, [
    ...['accept', 'accept-encoding', 'connection', 'content-length', 'content-type', 'host', 'x-client-id'],
    ...['x-correlation-id', 'x-key', 'x-project-key'],
  ]);
  assert.equal(JSON.stringify(seen).includes('secret'), false);
});

test('E14 through http of an action that is not registered is 400, and the backend is not called', async () => {
  const { answered, seen } = await through(answer, () => send('POST', '/few/resource/namespace-action', {}));
  assert.match(refusalOf(answered, 400, 'InvalidInput').message, /"POST namespace-action" is not registered/);
  assert.equal(seen.length, 0);
});

test('a project without a backend of its own has the embedded one', async () => {
  const { answered, seen } = await through(answer, () => send('POST', '/own/resource/namespace-action', { a: 1 }));
  assert.deepEqual([answered.text, seen.length], ['{"a":1}', 0]);
});

test('E16 through http: the response of the backend is completed to a cart', async () => {
  const price = { centAmount: 5, currencyCode: 'EUR' };
  const { answered } = await through(
    (response) => answerJson(response, { cartVersion: 'v9', lineItems: [{ name: 'A', price, count: 2 }] }),
    () => get(`${path}-with-example`),
  );
  assert.deepEqual([answered.json.cartVersion, answered.json.sum.centAmount], ['v9', 10]);
  const wrong = await through(
    (response) => answerJson(response, { lineItems: 'none' }),
    () => get(`${path}-with-example`),
  );
  refusalOf(wrong.answered, 502, 'BackendFailed');
});

for (const status of [400, 404, 409, 410, 412, 422]) {
  test(`E14 that the backend refuses with ${status} is ${status} in our shape of errors`, async () => {
    const { answered } = await through(
      (response) => answerJson(response, { ok: false, reason: 'sold out' }, status),
      () => send('POST', path, {}),
    );
    const error = refusalOf(answered, status, 'BackendRefused');
    assert.deepEqual(error.details, { ok: false, reason: 'sold out' });
  });
}

const head = { 'content-type': 'application/json' };
for (const [what, reply] of [
  ...[401, 403, 407, 408, 418, 429, 431, 500, 503, 599].map(
    (status) => [`status ${status}`, (response: ServerResponse) => answerJson(response, 'INNER', status)] as const,
  ),
  ['broken JSON', (response) => response.writeHead(200, head).end('{"INNER":')],
  ['a key twice', (response) => response.writeHead(200, head).end('{"a":1,"a":"INNER"}')],
  ['no body', (response) => response.writeHead(200, head).end()],
  ['204', (response) => response.writeHead(204).end()],
  ['HTML', (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('"INNER"')],
  ['no type', (response) => response.writeHead(200).end('"INNER"')],
  ['bytes that are not UTF-8', (response) => response.writeHead(200, head).end(Buffer.from([0x22, 0xff, 0x22]))],
  ['an answer that breaks off', (response) => response.writeHead(200, { ...head, 'content-length': 99 }).write('"I')],
  [
    'a header section of 100 KB',
    (response) => response.writeHead(200, { ...head, x: 'INNER'.repeat(20_000) }).end('1'),
  ],
  ['no HTTP', (response) => response.socket!.end('INNER\r\n\r\n')],
  [
    'a switch of protocols',
    (response) => response.socket!.end('HTTP/1.1 101 X\r\nUpgrade: INNER\r\nConnection: upgrade\r\n\r\n'),
  ],
] as readonly (readonly [string, Answer])[]) {
  test(`E14 that the backend responds to with ${what} is 502 and contains nothing of the backend`, async () => {
    const { answered } = await through(
      (response, one) => {
        reply(response, one);
        if (what === 'an answer that breaks off') setImmediate(() => response.destroy());
      },
      () => send('POST', path, {}),
    );
    refusalOf(answered, 502, 'BackendFailed');
    assert.equal(answered.text.includes('INNER'), false);
  });
}

test('E14 that the backend refuses with a text that is no JSON is refused without that text', async () => {
  const { answered } = await through(
    (response) => response.writeHead(404, { 'content-type': 'text/plain' }).end('INNER'),
    () => send('POST', path, {}),
  );
  assert.equal('details' in refusalOf(answered, 404, 'BackendRefused'), false);
});

test('conditions of E14, E15 and E18 are passed on, and the ETag of the response comes back', async () => {
  const conditions = { 'if-match': '"v1", W/"x"', 'if-none-match': '"v2"' };
  for (const [method, to] of [
    ['POST', path],
    ['GET', path],
    ['PUT', '/shop/resource/json-serializable-primitive-type'],
  ] as const) {
    const { answered, seen } = await through(
      (response) => response.writeHead(200, { 'content-type': 'application/json', etag: '"v1"' }).end('1'),
      () => send(method, to, method === 'GET' ? undefined : {}, conditions),
    );
    assert.deepEqual([answered.status, answered.headers.etag], [200, '"v1"']);
    assert.deepEqual([seen[0]!.headers['if-match'], seen[0]!.headers['if-none-match']], Object.values(conditions));
  }
});

test('E15 with a condition: a 304 of the backend is passed on; without one, or to E14, it is 502', async () => {
  const unchanged: Answer = (response) => response.writeHead(304, { etag: 'W/"v1"' }).end();
  const conditional = await through(unchanged, () => get(path, { 'if-none-match': 'W/"v1"' }));
  const { status, text, headers } = conditional.answered;
  assert.deepEqual([status, text, headers.etag], [304, '', 'W/"v1"']);
  refusalOf((await through(unchanged, () => get(path))).answered, 502, 'BackendFailed');
  const write = await through(unchanged, () => send('POST', path, {}, { 'if-none-match': '"v1"' }));
  refusalOf(write.answered, 502, 'BackendFailed');
});

test('E15 of a backend that ignores conditions but sends an ETag is 304 or 412 all the same', async () => {
  const reply: Answer = (response) =>
    response.writeHead(200, { 'content-type': 'application/json', etag: '"v1"' }).end('1');
  assert.equal((await through(reply, () => get(path, { 'if-none-match': '"v1"' }))).answered.status, 304);
  refusalOf((await through(reply, () => get(path, { 'if-match': '"v2"' }))).answered, 412, 'PreconditionFailed');
  const invalid: Answer = (response) =>
    response.writeHead(200, { 'content-type': 'application/json', etag: 'no tag' }).end('1');
  assert.equal((await through(invalid, () => get(path))).answered.headers.etag, undefined);
});

test('E16 through http: the tag is that of the completed cart, and no condition reaches the backend', async () => {
  const reply: Answer = (response) =>
    response.writeHead(200, { 'content-type': 'application/json', etag: '"v1"' }).end('{"lineItems":[]}');
  const first = await through(reply, () => get(`${path}-with-example`));
  const tag = first.answered.headers.etag!;
  assert.match(tag, /^"[\w-]{22}"$/);
  const { answered, seen } = await through(reply, () => get(`${path}-with-example`, { 'if-none-match': tag }));
  assert.deepEqual([answered.status, seen[0]!.headers['if-none-match']], [304, undefined]);
});

test('a repeat of E14 through http has the ETag of the first response', async () => {
  const reply: Answer = (response) =>
    response.writeHead(200, { 'content-type': 'application/json', etag: '"v9"' }).end('1');
  const call = () => send('POST', path, {}, { 'idempotency-key': 'tag' });
  await through(reply, call);
  const { answered, seen } = await through(reply, call);
  assert.deepEqual([answered.headers.etag, seen.length], ['"v9"', 0]);
});

for (const status of [300, 301, 302, 303, 307, 308]) {
  test(`E15 that the backend redirects with ${status} is 502 and not followed`, async () => {
    const canary = await startBackend((_request, response) => answerJson(response, {}));
    const targets = [`http://127.0.0.1:${canary.port}/`, 'file:///etc/hosts', path];
    for (const location of targets) {
      const { answered, seen } = await through(
        (response) => response.writeHead(status, { location }).end(),
        () => get(path),
      );
      assert.match(refusalOf(answered, 502, 'BackendFailed').message, /redirect/);
      assert.equal(seen.length, 1);
    }
    assert.equal(canary.count.connections, 0);
  });
}

test('E15 with a response of one mebibyte is passed on, one byte more is 502', async () => {
  const text = (length: number) => JSON.stringify('x'.repeat(length - 2));
  const of = (length: number) =>
    through(
      (response) => response.writeHead(200, head).end(text(length)),
      () => get(path),
    );
  assert.equal((await of(1_048_576)).answered.text.length, 1_048_576);
  refusalOf((await of(1_048_577)).answered, 502, 'BackendFailed');
});

test('E15 with a response without end is 502, and the connection is closed', async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const { answered } = await through(
    (response) => {
      response.writeHead(200, head);
      const pour = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', pour);
      };
      response.once('close', resolve);
      pour();
    },
    () => get(path),
  );
  refusalOf(answered, 502, 'BackendFailed');
  await closed;
});

test('E14 whose connection breaks is 502 and is not sent again; E15 is, once', async () => {
  const broken: Answer = (response) => response.destroy();
  const write = await through(broken, () => send('POST', path, {}));
  refusalOf(write.answered, 502, 'BackendFailed');
  assert.equal(write.seen.length, 1);
  const read = await through(broken, () => get(path));
  refusalOf(read.answered, 502, 'BackendFailed');
  assert.equal(read.seen.length, 2);
  let calls = 0;
  const better = await through(
    (response) => (++calls === 1 ? response.destroy() : answerJson(response, 'second')),
    () => get(path),
  );
  assert.equal(better.answered.text, '"second"');
});

test('E14 with an Idempotency-Key through http: a repeat gets its response without the backend, another request is 422', async () => {
  let calls = 0;
  const reply: Answer = (response) => answerJson(response, { calls: ++calls });
  const headers = { 'idempotency-key': 'order-1' };
  const first = await through(reply, () => send('POST', path, { a: 1 }, headers));
  const again = await through(reply, () => send('POST', path, { a: 1 }, headers));
  assert.deepEqual([again.answered.text, again.seen.length], [first.answered.text, 0]);
  refusalOf(await send('POST', path, { a: 2 }, headers), 422, 'IdempotencyKeyReused');
  assert.equal(calls, 1);
});

test('E14 with an Idempotency-Key that the backend failed may be tried again under the same key', async () => {
  const headers = { 'idempotency-key': 'order-2' };
  const failed = await through(
    (response) => answerJson(response, {}, 500),
    () => send('POST', path, {}, headers),
  );
  refusalOf(failed.answered, 502, 'BackendFailed');
  const { answered } = await through(
    (response) => answerJson(response, 'done'),
    () => send('POST', path, {}, headers),
  );
  assert.deepEqual([answered.status, answered.text], [200, '"done"']);
});

test('E17 with a line end or a control character in a header is 400, and the backend is not called', async () => {
  const port = Number(new URL(await api.listen()).port);
  const token = await api.token('manage_project:shop');
  const raw = (header: string) =>
    new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(port, '127.0.0.1', () => {
        const lines = [`GET ${path}-with-headers HTTP/1.1`, 'Host: a', `Authorization: Bearer ${token}`, header];
        socket.write(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`);
      });
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('close', () => resolve(text));
    });
  for (const [header, status] of [
    ['Path-Header: /a\rX: b', 400],
    ['Path-Header: /a\nX', 400],
    ['Path-Header: /a\u0000b', 400],
    ['Path-Header: /a\u0001b', 400],
    [`Path-Header: /${'x'.repeat(16_400)}`, 431],
  ] as const) {
    const { answered, seen } = await through(
      (response) => answerJson(response, {}),
      () => raw(header),
    );
    assert.match(answered, new RegExp(`^HTTP/1.1 ${status} `), JSON.stringify(header.slice(0, 30)));
    assert.equal(seen.length, 0);
  }
});

test('E14 with many Idempotency-Keys at once asks the backend once for each', async () => {
  const { answered, seen } = await through(
    (response, { headers }) => answerJson(response, headers['idempotency-key']),
    () => Promise.all(Array.from({ length: 12 }, (_, i) => send('POST', path, {}, { 'idempotency-key': `many-${i}` }))),
  );
  assert.deepEqual(
    answered.map(({ text }) => text),
    Array.from({ length: 12 }, (_, i) => `"many-${i}"`),
  );
  assert.equal(seen.length, 12);
});
