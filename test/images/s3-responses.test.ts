import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { ServiceError } from '../../src/contract/errors.ts';
import type { ImageStore } from '../../src/domain/ports/image-store.ts';
import { parseS3Location } from '../../src/images/s3/location.ts';
import { createS3Metrics } from '../../src/images/s3/metrics.ts';
import { createS3Store, type S3StoreDeps } from '../../src/images/s3/store.ts';
import { noLog } from '../../src/telemetry/log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { addressOf, credentials, startS3Server } from './s3-server.ts';

/** Answers that other storage gives, and the one of the other tests does not. */

type Answering = (request: IncomingMessage, response: ServerResponse, body: Buffer, nth: number) => void;

function storeAt(port: number, more: Partial<S3StoreDeps> = {}, prefix = 'images'): ImageStore {
  const location = parseS3Location(addressOf(port, prefix));
  if ('problem' in location) throw new Error(location.problem);
  const metrics = createS3Metrics(createMetrics());
  return createS3Store({ location, credentials, metrics, log: noLog, nowMs: Date.now, wait: async () => {}, ...more });
}

/** A store over a server with the given responses. By default HEAD finds no object. */
async function scripted(answering: Answering, more: Partial<S3StoreDeps> = {}) {
  const seen: IncomingMessage[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    seen.push(request);
    const alike = seen.filter(({ method }) => method === request.method).length;
    answering(request, response, Buffer.concat(chunks), alike);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  const sent = () => seen.map(({ method }) => method);
  return { store: storeAt((server.address() as AddressInfo).port, more), seen, sent };
}

const missing = (response: ServerResponse) => response.writeHead(404).end();
const refuse = (response: ServerResponse, status: number, code: string) =>
  response.writeHead(status).end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>so it is</Message></Error>`);
const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest('hex');
const bytes = Buffer.from('0123456789');

const isRefusal = (code: string) => (error: unknown) => error instanceof ServiceError && error.code === code;

async function readAll(store: ImageStore, last: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of store.read('p/x.png', 0, last)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

test('put: carries SHA-256 and MD5 of the bytes, and their length', async () => {
  const { store, seen } = await scripted((request, response, body) => {
    if (request.method === 'HEAD') missing(response);
    else response.writeHead(200, { etag: `"${md5(body)}"` }).end();
  });
  assert.equal(await store.put('p/x.png', bytes), true);
  const { url, headers } = seen[1]!;
  assert.equal(url, '/pictures/images/p/x.png');
  assert.equal(headers['x-amz-content-sha256'], createHash('sha256').update(bytes).digest('hex'));
  assert.equal(headers['content-md5'], Buffer.from(md5(bytes), 'hex').toString('base64'));
  assert.deepEqual([headers['content-length'], headers['transfer-encoding']], ['10', undefined]);
  assert.match(headers.authorization!, /^AWS4-HMAC-SHA256 Credential=S3RVER\/\d{8}\/us-east-1\/s3\/aws4_request/);
});

test('a session token is sent and signed with every request', async () => {
  const withSession = { credentials: { ...credentials, sessionToken: 'for-an-hour' } };
  const { store, seen } = await scripted((_request, response) => missing(response), withSession);
  await store.find('p/x.png');
  assert.equal(seen[0]!.headers['x-amz-security-token'], 'for-an-hour');
  assert.match(seen[0]!.headers.authorization!, /SignedHeaders=[^,]*x-amz-security-token/);
});

test('put: an object that the storage has with other bytes is deleted again, and the upload refused', async () => {
  const { store, sent } = await scripted((request, response) => {
    if (request.method === 'HEAD') missing(response);
    else if (request.method === 'DELETE') response.writeHead(204).end();
    else response.writeHead(200, { etag: `"${md5(Buffer.from('other'))}"` }).end();
  });
  await assert.rejects(store.put('p/x.png', bytes), isRefusal('OverCapacity'));
  assert.deepEqual(sent(), ['HEAD', 'PUT', 'DELETE']);
});

test('put: an attempt whose response was lost is repeated', async () => {
  const { store, sent } = await scripted((request, response, _body, nth) => {
    if (request.method === 'HEAD') missing(response);
    else if (nth === 1) request.socket.destroy();
    else response.writeHead(200).end();
  });
  assert.equal(await store.put('p/x.png', bytes), true);
  assert.deepEqual(sent(), ['HEAD', 'PUT', 'PUT']);
});

test('put: the tag of an object that is encrypted with a key of a key store is not taken for its MD5', async () => {
  const { store } = await scripted((request, response) => {
    if (request.method === 'HEAD') missing(response);
    else response.writeHead(200, { etag: `"${'0'.repeat(32)}"`, 'x-amz-server-side-encryption': 'aws:kms' }).end();
  });
  assert.equal(await store.put('p/x.png', bytes), true);
});

test('requests that the storage is too busy for are sent three times, others that it refuses once', async () => {
  const busy = await scripted((_request, response) => refuse(response, 503, 'SlowDown'));
  await assert.rejects(busy.store.find('p/x.png'), isRefusal('OverCapacity'));
  assert.deepEqual(busy.sent(), ['HEAD', 'HEAD', 'HEAD']);
  const refusing = await scripted((_request, response) => refuse(response, 403, 'AccessDenied'));
  await assert.rejects(refusing.store.find('p/x.png'), isRefusal('OverCapacity'));
  assert.deepEqual(refusing.sent(), ['HEAD']);
  const recovering = await scripted((_request, response, _body, nth) =>
    nth < 3 ? refuse(response, 500, 'InternalError') : missing(response),
  );
  assert.equal(await recovering.store.find('p/x.png'), undefined);
});

test('waits before repeats grow', async () => {
  const waits: number[] = [];
  const wait = async (ms: number) => waits.push(ms);
  const { store } = await scripted((_request, response) => refuse(response, 503, 'SlowDown'), { wait });
  await assert.rejects(store.find('p/x.png'));
  assert.equal(waits.length, 2);
  assert.ok(waits[0]! >= 50 && waits[0]! <= 150 && waits[1]! >= 200 && waits[1]! <= 600, waits.join());
});

test('storage that is full is 507', async () => {
  const { store } = await scripted((request, response) =>
    request.method === 'HEAD' ? missing(response) : refuse(response, 403, 'QuotaExceeded'),
  );
  await assert.rejects(store.put('p/x.png', bytes), isRefusal('InsufficientStorage'));
});

test('a redirect, as to another region, is not followed: it would take the request and its signature elsewhere', async () => {
  const { store, sent } = await scripted((_request, response) =>
    response.writeHead(301, { location: 'http://127.0.0.1:9/' }).end(),
  );
  await assert.rejects(store.find('p/x.png'), isRefusal('OverCapacity'));
  assert.deepEqual(sent(), ['HEAD']);
});

test('requests to storage that never responds, or stops in the middle, are given up', async () => {
  const silent = await scripted(() => {}, { timeoutMs: 50 });
  await assert.rejects(silent.store.find('p/x.png'), isRefusal('OverCapacity'));
  assert.ok(silent.sent().length <= 3);
  const stopping = await scripted(
    (request, response) => {
      const first = Number(/\d+/.exec(request.headers.range!)![0]);
      response.writeHead(206, { 'content-length': String(10 - first) }).write('0');
    },
    { timeoutMs: 50 },
  );
  await assert.rejects(readAll(stopping.store, 9), isRefusal('OverCapacity'));
});

test('read: a response with the whole object is used only where the range is the whole', async () => {
  const { store } = await scripted((_request, response) =>
    response.writeHead(200, { 'content-length': '10' }).end(bytes),
  );
  assert.equal(await readAll(store, 9), '0123456789');
  await assert.rejects(readAll(store, 3), isRefusal('OverCapacity'));
});

test('list: what is no list is refused, never taken for an empty one', async () => {
  for (const text of [
    '',
    '<html>Welcome</html>',
    '<ListBucketResult/>',
    '<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>',
  ]) {
    const { store } = await scripted((_request, response) => response.writeHead(200).end(text));
    const list = async () => {
      for await (const _ of store.list());
    };
    await assert.rejects(list(), isRefusal('OverCapacity'), text);
  }
});

test('list: the next page is asked for by the text that stood in the XML', async () => {
  const page = (inside: string) =>
    `<?xml version="1.0"?><ListBucketResult xmlns="http://s3/">${inside}</ListBucketResult>`;
  const object = (key: string) =>
    `<Contents><Key>${key}</Key><LastModified>2026-01-02T03:04:05.678Z</LastModified><ETag>&quot;1&quot;</ETag><Size>7</Size></Contents>`;
  const { store, seen } = await scripted((_request, response, _body, nth) => {
    const next =
      '<IsTruncated>true</IsTruncated><NextContinuationToken>a/b+c&amp;&#x3D;&#61;&lt;</NextContinuationToken>';
    const [first, last] = [object('images/p/a.png'), object('images/p/b.png') + object('images/p/c%20.png')];
    response.writeHead(200).end(page(nth === 1 ? next + first : `<IsTruncated>false</IsTruncated>${last}`));
  });
  const found: unknown[] = [];
  for await (const file of store.list()) found.push(file);
  const facts = { sizeBytes: 7, storedAtMs: Date.UTC(2026, 0, 2, 3, 4, 5, 678) };
  assert.deepEqual(
    found,
    ['p/a.png', 'p/b.png'].map((name) => ({ name, ...facts })),
  );
  const asked = seen.map(({ url }) => new URL(url!, 'http://s3').searchParams.get('continuation-token'));
  assert.deepEqual(asked, [null, 'a/b+c&==<']);
});

test('list: returns all pages, also while objects that it returned are deleted', async () => {
  const { port } = await startS3Server();
  const store = storeAt(port, { pageSize: 2 });
  const names = ['n/a.png', 'n/b.png', 'p/a.png', 'p/b.png', 'p/c.png', 'q/a.png', 'q/b.png'];
  for (const name of names) await store.put(name, bytes);
  const listed = async (files: ReturnType<ImageStore['list']>, isDeleting = false) => {
    const found: string[] = [];
    for await (const { name } of files) {
      found.push(name);
      if (isDeleting) await store.delete(name);
    }
    return found;
  };
  assert.deepEqual(await listed(store.list()), names);
  assert.deepEqual(await listed(store.listProject('p')), ['p/a.png', 'p/b.png', 'p/c.png']);
  assert.deepEqual(await listed(store.list(), true), names);
  assert.deepEqual(await listed(store.list()), []);
});
