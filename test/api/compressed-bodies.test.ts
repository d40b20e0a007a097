import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { startTestApi } from '../start-test-api.ts';
import { refusalOf } from './open-resources.ts';

const api = await startTestApi({ MAX_BODY_BYTES: '65536' });
after(() => api.close());

const gzip = { 'content-encoding': 'gzip', 'content-type': 'application/json' };
const write = (body: Buffer, headers: Readonly<Record<string, string>> = gzip) =>
  api.call({ method: 'POST', path: '/shop/resource', body, headers });

test('a gzip body is taken, as JSON and as a form', async () => {
  const created = await write(gzipSync('{"key":"a","big":9007199254740993}'));
  assert.equal(created.status, 201, created.text);
  assert.match(created.text, /"big":9007199254740993/);
  const form = { ...gzip, 'content-encoding': ' GZIP', 'content-type': 'application/x-www-form-urlencoded' };
  const found = await write(gzipSync('where=key%3D"a"'), form);
  assert.deepEqual([found.status, found.json.total], [200, 1]);
});

test('the limit of a body is that of what it inflates to', async () => {
  const text = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`;
  assert.equal((await write(gzipSync(text(65_536)))).status, 201);
  const tooLong = await write(gzipSync(text(65_537)));
  assert.match(refusalOf(tooLong, 413, 'ContentTooLarge').message, /65536 bytes/);
  refusalOf(await write(gzipSync(Buffer.alloc(200_000_000, 'x'))), 413, 'ContentTooLarge');
});

test('what is no gzip, or is cut off, is 400, and other encodings are 415', async () => {
  const whole = gzipSync('{"key":"b"}');
  for (const body of [Buffer.from('{"key":"b"}'), whole.subarray(0, -4), Buffer.from([0x1f, 0x8b])]) {
    assert.match(refusalOf(await write(body), 400, 'InvalidInput').message, /not valid gzip/);
  }
  const br = await write(brotliCompressSync('{}'), { ...gzip, 'content-encoding': 'br' });
  refusalOf(br, 415, 'UnsupportedMediaType');
  assert.equal(br.headers['accept-encoding'], 'gzip, identity');
});

test('the same text under the same Idempotency-Key is the same request, compressed or not', async () => {
  const key = { 'idempotency-key': 'one' };
  const first = await write(gzipSync('{"n":1}'), { ...gzip, ...key });
  const again = await write(Buffer.from('{"n":1}'), { 'content-type': 'application/json', ...key });
  assert.deepEqual([again.status, again.json.id], [201, first.json.id]);
});
