import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { ServiceError } from '../../src/contract/errors.ts';
import type { ImageStore } from '../../src/domain/ports/image-store.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { imageStoreSuite } from './image-store.suite.ts';
import { startProxy } from './s3-proxy.ts';
import { addressOf, credentials, startS3Server, storeOn } from './s3-server.ts';

const server = await startS3Server();
let prefixes = 0;
/** A part of the bucket that no other test uses. */
const freshAddress = (port = server.port) => addressOf(port, `test-${++prefixes}`);

imageStoreSuite({
  name: 'object storage',
  open: async () => ({ store: storeOn(freshAddress()), close: async () => {} }),
});

async function read(store: ImageStore, name: string, first: number, last: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of store.read(name, first, last)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function names(store: ImageStore): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { name } of store.list()) found.push(name);
  return found;
}

function refusal(code: string, status: number, message: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof ServiceError, String(error));
    assert.deepEqual([error.code, error.status], [code, status]);
    assert.match(error.message, message);
    assert.ok(error.headers['retry-after']);
    return true;
  };
}

const isUnreachable = refusal('OverCapacity', 503, /image store cannot be reached/);

/** A log that collects its lines. */
function keptLog() {
  const lines: string[] = [];
  const stream = { writableLength: 0, write: (line: string) => lines.push(line) };
  return { lines, log: createLog({ level: 'trace', stream, nowMs: Date.now }) };
}

test('object storage: no name leads out of the prefix, and what others keep in the bucket is not listed', async () => {
  const store = storeOn(addressOf(server.port, 'shared/inside'));
  const beside = storeOn(addressOf(server.port, 'shared/inside-2'));
  await store.put('p/x.png', Buffer.from('x'));
  await beside.put('p/y.png', Buffer.from('y'));
  await storeOn(addressOf(server.port, 'shared/inside/deeper')).put('p/z.png', Buffer.from('z'));
  assert.deepEqual(await names(store), ['p/x.png']);
  for (const name of ['../inside-2/p/y.png', 'p/../x.png', 'p/x', '/p/x.png', '', 'p/x.png?versionId=1']) {
    await assert.rejects(store.find(name), /not the name of an image/, name);
    await assert.rejects(store.put(name, Buffer.from('x')), /not the name of an image/, name);
    await assert.rejects(store.delete(name), /not the name of an image/, name);
  }
});

test('object storage: a bucket without a prefix is used as a whole', async () => {
  const store = storeOn(addressOf(server.port, ''));
  await store.put('whole/x.png', Buffer.from('x'));
  assert.equal((await store.find('whole/x.png'))?.sizeBytes, 1);
  assert.ok((await names(store)).includes('whole/x.png'));
});

for (const [what, wrong, code] of [
  ['a wrong secret', { ...credentials, secretAccessKey: 'not it at all' }, 'SignatureDoesNotMatch'],
  ['an unknown access key', { ...credentials, accessKeyId: 'NOBODY' }, 'InvalidAccessKeyId'],
] as const) {
  test(`object storage: ${what} is 503, told to the operator in the log, with no secret in it`, async () => {
    const { lines, log } = keptLog();
    const store = storeOn(freshAddress(), { credentials: wrong, log });
    const isRefused = refusal('OverCapacity', 503, /rejected the request; see the service log/);
    await assert.rejects(store.put('p/x.png', Buffer.from('x')), isRefused);
    await assert.rejects(names(store), isRefused);
    await assert.rejects(read(store, 'p/x.png', 0, 0), isRefused);
    assert.match(lines.join(''), new RegExp(code));
    assert.doesNotMatch(lines.join(''), new RegExp(`${wrong.secretAccessKey}|Signature=|StringToSign`));
  });
}

test('object storage: a bucket that is not there is 503, told in the log', async () => {
  const { lines, log } = keptLog();
  const address = freshAddress().replace('pictures', 'no-such-bucket');
  await assert.rejects(storeOn(address, { log }).put('p/x.png', Buffer.from('x')), refusal('OverCapacity', 503, /log/));
  assert.match(lines.join(''), /NoSuchBucket/);
});

test('object storage: an upload whose connection breaks is sent again and is whole', async () => {
  const proxy = await startProxy(server.port);
  const store = storeOn(freshAddress(proxy.port));
  let breaks = 0;
  let passed = 0;
  proxy.onRequest = (bytes, { client }) => {
    passed += bytes.length;
    if (breaks > 0 || passed < 200_000) return bytes;
    breaks += 1;
    client.destroy();
    return Buffer.alloc(0);
  };
  const bytes = randomBytes(1_000_000);
  assert.equal(await store.put('p/x.png', bytes), true);
  assert.equal(breaks, 1);
  assert.deepEqual(await read(store, 'p/x.png', 0, bytes.length - 1), bytes);
});

test('object storage: a read that breaks on the way goes on where it broke', async () => {
  const proxy = await startProxy(server.port);
  const store = storeOn(freshAddress(proxy.port));
  const bytes = randomBytes(2_000_000);
  await store.put('p/x.png', bytes);
  let breaks = 0;
  let passed = 0;
  proxy.onAnswer = (answer, { client }) => {
    passed += answer.length;
    if (breaks < 2 && passed > 300_000) {
      breaks += 1;
      passed = 0;
      setImmediate(() => client.destroy());
    }
    return answer;
  };
  assert.deepEqual(await read(store, 'p/x.png', 1000, bytes.length - 1), bytes.subarray(1000));
  assert.equal(breaks, 2);
});

test('object storage: bytes that are changed on the way are detected, and nothing of them is stored', async () => {
  const proxy = await startProxy(server.port);
  const { lines, log } = keptLog();
  const store = storeOn(freshAddress(proxy.port), { log });
  const bytes = randomBytes(400_000);
  let flipped = 0;
  proxy.onRequest = (sent) => {
    // The second half of the first large part is of the body.
    if (sent.length < 10_000 || flipped > 0) return sent;
    flipped += 1;
    sent[sent.length - 1]! ^= 1;
    return sent;
  };
  await assert.rejects(store.put('p/x.png', bytes), isUnreachable);
  assert.equal(flipped, 1);
  assert.match(lines.join(''), /image-store-damaged/);
  assert.equal(await store.find('p/x.png'), undefined);
  assert.equal(await store.put('p/x.png', bytes), true);
});

test('object storage: while it is down requests are 503, at once after the first; then they work again', async () => {
  const own = await startS3Server();
  const clock = { nowMs: Date.now() };
  const metrics = createMetrics();
  const { lines, log } = keptLog();
  const store = storeOn(addressOf(own.port), { nowMs: () => clock.nowMs, log, metrics });
  await store.put('p/x.png', Buffer.from('x'));
  await own.kill();
  await assert.rejects(store.find('p/x.png'), isUnreachable);
  const sent = /grs_image_store_requests_total\{operation="find"\} (\d+)/.exec(metrics.render())![1];
  await assert.rejects(store.find('p/x.png'), isUnreachable);
  await assert.rejects(store.put('p/y.png', Buffer.from('y')), isUnreachable);
  assert.match(metrics.render(), new RegExp(`requests_total\\{operation="find"\\} ${sent}\n`));
  assert.match(metrics.render(), /grs_image_store_failures_total\{operation="find"\} 3\n/);
  assert.equal(lines.length, 1, 'what is known already is not logged for each request');
  await own.restart();
  clock.nowMs += 1001;
  assert.equal((await store.find('p/x.png'))?.sizeBytes, 1);
});
