import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { after, test } from 'node:test';
import zlib from 'node:zlib';
import { codingOf } from '../../src/http/response/compress.ts';
import { startTestApi } from '../start-test-api.ts';

const api = await startTestApi();
after(() => api.close());
const address = await api.listen();
const words = 'A shoe of leather, red as a brick. ';
const drafts = { small: 5, middle: 100, large: 5000 } as const;
for (const [key, times] of Object.entries(drafts)) {
  await api.call({
    method: 'POST',
    path: '/p/resource',
    body: { key, text: words.repeat(times), big: '9007199254740993' },
  });
}

interface Sent {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly bytes: Buffer;
}

/** Over a socket, as nothing decodes it on the way. */
async function send(path: string, headers: Record<string, string> = {}, method = 'GET', body = ''): Promise<Sent> {
  const scope = path.includes('api-clients') ? 'manage_api_clients:p' : 'manage_project:p';
  const authorization = `Bearer ${await api.token(scope)}`;
  return new Promise((resolve, reject) => {
    const request = httpRequest(address + path, { method, headers: { authorization, ...headers } }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => {
        resolve({
          status: response.statusCode!,
          headers: response.headers as Sent['headers'],
          bytes: Buffer.concat(parts),
        });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

const decoders = { zstd: zlib.zstdDecompressSync, gzip: zlib.gunzipSync } as const;
const codings = Object.keys(decoders) as readonly (keyof typeof decoders)[];

test('the coding is the one that the client prefers, of equals the fastest, or none', () => {
  const cases: readonly (readonly [accepted: string, coding: string | undefined])[] = [
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'zstd'],
    ['gzip, deflate, br', 'gzip'],
    ['br', undefined],
    ['GZIP;Q=0.9, br;q=0.5', 'gzip'],
    ['gzip;q=1.0, zstd;q=0', 'gzip'],
    ['*', 'zstd'],
    ['*;q=0.5, zstd;q=0', 'gzip'],
    ['identity', undefined],
    ['', undefined],
    ['deflate', undefined],
    ['gzip;q=0', undefined],
    ['gzip;q=0.5, identity', undefined],
    ['gzip;q=0.5, identity;q=0.2', 'gzip'],
    ['identity;q=0, gzip', 'gzip'],
    ['gzip;q=two', undefined],
    [',, ;q=1', undefined],
  ];
  for (const [accepted, coding] of cases) assert.equal(codingOf(accepted), coding, accepted);
});

test('a response has the same content in each coding, compressed in place and in the pool', async () => {
  for (const key of ['middle', 'large']) {
    const path = `/p/resource/key=${key}`;
    const plain = await send(path);
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.match(plain.headers.vary!, /accept-encoding/);
    for (const coding of codings) {
      const { status, headers, bytes } = await send(path, { 'accept-encoding': coding });
      assert.equal(status, 200);
      assert.equal(headers['content-encoding'], coding);
      assert.equal(headers['content-length'], String(bytes.length));
      assert.ok(bytes.length < plain.bytes.length / 2);
      assert.deepEqual(decoders[coding](bytes), plain.bytes);
      assert.match(headers.vary!, /accept-encoding/);
      assert.equal(headers.etag, plain.headers.etag!.replace(/"$/, `;${coding}"`));
    }
  }
});

test('the tag of a coding is taken by If-Match and If-None-Match like that of the resource', async () => {
  const path = '/p/resource/key=middle';
  const gzip = { 'accept-encoding': 'gzip' };
  const { etag } = (await send(path, gzip)).headers;
  const cached = await send(path, { ...gzip, 'if-none-match': etag! });
  assert.deepEqual([cached.status, cached.headers.etag, cached.bytes.length], [304, etag, 0]);
  assert.equal((await send(path, { 'if-none-match': etag! })).status, 304);
  assert.equal((await send(path, { 'if-match': etag! })).status, 200);
  assert.equal((await send(path, { 'if-match': etag!.replace('gzip', 'gzipped') })).status, 412);
  const body = JSON.stringify({ version: 1, actions: [{ action: 'changeSomeProperty', someProperty: 'x' }] });
  const json = { 'content-type': 'application/json', 'if-match': etag! };
  assert.equal((await send(path, json, 'POST', body)).status, 200);
  assert.equal((await send(path, json, 'POST', body)).status, 412);
  assert.equal((await send(path, { ...gzip, 'if-none-match': etag! })).status, 200);
});

test('short responses, tokens, secrets, and what asks for no coding are sent as they are', async () => {
  const all = { 'accept-encoding': 'zstd, br, gzip' };
  assert.equal((await send('/p/resource/key=small', all)).headers['content-encoding'], undefined);
  assert.equal((await send('/p/resource/key=middle', all, 'HEAD')).headers['content-encoding'], undefined);
  const form = { ...all, 'content-type': 'application/x-www-form-urlencoded' };
  const authorization = `Basic ${Buffer.from('test-admin:a secret for tests only').toString('base64')}`;
  const scope = Array.from({ length: 40 }, (_, at) => `view_test:project-number-${at}`).join('+');
  const token = await send(
    '/oauth/token',
    { ...form, authorization },
    'POST',
    `grant_type=client_credentials&scope=${scope}`,
  );
  assert.equal(token.status, 200);
  assert.ok(token.bytes.length > 1024);
  assert.equal(token.headers['content-encoding'], undefined);
  const named = JSON.stringify({ name: 'n'.repeat(250), scopes: ['view_test', 'manage_test', 'manage_products'] });
  for (let at = 0; at < 5; at += 1) {
    const made = await send('/p/api-clients', { ...all, 'content-type': 'application/json' }, 'POST', named);
    assert.equal(made.status, 201);
  }
  const clients = await send('/p/api-clients', all);
  assert.ok(clients.bytes.length > 1024);
  assert.equal(clients.headers['content-encoding'], undefined);
});

test('files, errors, lists and searches are compressed as well', async () => {
  const plain = await send('/openapi.json');
  const best = await send('/openapi.json', { 'accept-encoding': 'zstd' });
  assert.equal(best.headers['content-encoding'], 'zstd');
  assert.ok(best.bytes.length * 5 < plain.bytes.length, `${best.bytes.length} of ${plain.bytes.length}`);
  assert.deepEqual(zlib.zstdDecompressSync(best.bytes), plain.bytes);
  const again = await send('/openapi.json', { 'accept-encoding': 'zstd', 'if-none-match': best.headers.etag! });
  assert.deepEqual([again.status, again.headers.etag], [304, best.headers.etag]);
  for (const path of ['/p/resource/sorted-query-parameters', '/p/resource/searchApiPattern?text.en=shoe']) {
    const { status, headers, bytes } = await send(path, { 'accept-encoding': 'gzip' });
    assert.deepEqual([status, headers['content-encoding']], [200, 'gzip']);
    assert.ok(JSON.parse(zlib.gunzipSync(bytes).toString()).results.length > 0);
  }
  const refused = await send(`/p/resource/sorted-query-parameters?nobody=1`, { 'accept-encoding': 'gzip' });
  assert.equal(refused.status, 400);
  const text = refused.headers['content-encoding'] === 'gzip' ? zlib.gunzipSync(refused.bytes) : refused.bytes;
  assert.match(String(text), /nobody/);
});

test('many large responses at once are all complete, compressed or not', async () => {
  const plain = await send('/p/resource/key=large');
  const sent = await Promise.all(
    Array.from({ length: 60 }, () => send('/p/resource/key=large', { 'accept-encoding': 'gzip' })),
  );
  for (const { headers, bytes } of sent) {
    const body = headers['content-encoding'] === 'gzip' ? zlib.gunzipSync(bytes) : bytes;
    assert.deepEqual(body, plain.bytes);
  }
});
