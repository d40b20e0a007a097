import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createImportShare } from '../../src/cli/import-share.ts';
import { upload } from '../../src/cli/upload.ts';

const form = { isCsv: false, isCompressed: false, from: 1 };

async function* parts(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** A share after all of a text was sent, in chunks of this size. */
async function sent(text: string | Buffer, options: Partial<typeof form> = {}, chunk = 7) {
  const bytes = Buffer.from(text);
  const share = createImportShare({ ...form, ...options, size: bytes.length });
  const passed = await Array.fromAsync(share.watch(parts(bytes, chunk)));
  assert.deepEqual(Buffer.concat(passed), bytes);
  return share;
}

const shares = (share: { through(line: number): number }, lines: readonly number[]) =>
  lines.map((line) => Math.round(share.through(line) * 100) / 100);

test('the share of an import is that of the lines that have a result, however many bytes were sent', async () => {
  for (const chunk of [1, 16, 1000]) {
    assert.deepEqual(shares(await sent('{"a":1}\n'.repeat(10), {}, chunk), [1, 5, 10]), [0.1, 0.5, 1]);
  }
  const long = await sent(`1\n2\n3\n${'4'.repeat(94)}\n`, {}, 1);
  assert.deepEqual(shares(long, [3, 4]), [0.06, 1]);
  // The last line need not end.
  assert.deepEqual(shares(await sent('{"a":1}\n{"a":2}', {}, 1), [1, 2]), [0.53, 1]);
});

test('with a first line the share is of what comes from there', async () => {
  const share = await sent('{"a":1}\n'.repeat(10), { from: 6 }, 1);
  assert.deepEqual(shares(share, [6, 8, 10]), [0.2, 0.6, 1]);
  assert.equal((await sent('1\n', { from: 9 })).through(9), 1);
});

test('records of a CSV count as an import counts them', async () => {
  const text = 'key,text\r\n\r\na,"one\r\ntwo ""three""\r\n"\r\n\nb,four\n';
  for (const chunk of [1, 3]) {
    const share = await sent(text, { isCsv: true }, chunk);
    const through = [1, 2, 3].map((line) => share.through(line) * text.length);
    const ends = [10, text.indexOf('\r\n\nb') + 2, text.length];
    for (const [at, bytes] of through.entries()) assert.ok(Math.abs(bytes - ends[at]!) < chunk, `${through} ${ends}`);
  }
});

test('lines of a compressed file count as well, and one that is damaged is sent as it is', async () => {
  const lines = Array.from({ length: 20_000 }, (_, at) => `{"key":"k-${at}","n":${(at * 7919) % 10_007}}\n`).join('');
  for (const chunk of [1000, 1_000_000]) {
    const share = await sent(gzipSync(lines), { isCompressed: true }, chunk);
    const [quarter = 0, half = 0, all = 0] = shares(share, [5000, 10_000, 20_000]);
    assert.ok(quarter > 0.15 && quarter < 0.35, String(quarter));
    assert.ok(half > 0.4 && half < 0.6, String(half));
    assert.equal(all, 1);
  }
  const damaged = await sent('{"a":1}\n'.repeat(10), { isCompressed: true });
  assert.ok(damaged.through(1) <= 1);
});

test('an upload whose bytes are all sent is as far as its results', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'grs-share-'));
  const file = join(folder, 'drafts.ndjson');
  const count = 3001;
  const text = Array.from({ length: count }, (_, at) => `{"key":"key-${10_000 + at}"}\n`).join('');
  writeFileSync(file, text);
  const server = createServer(async (request, response) => {
    let bytes = 0;
    for await (const chunk of request) bytes += chunk.length;
    assert.equal(bytes, text.length);
    for (let line = 1; line <= count; line += 1) response.write(`${JSON.stringify({ line, status: 'created' })}\n`);
    response.end('{"complete":true}\n');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const share = createImportShare({ ...form, size: text.length });
  const seen = new Map<number, number>();
  try {
    await upload({
      remote: {
        baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        token: async () => 'a token',
      },
      ...{ project: 'shop', file, headers: {}, parameters: {}, from: 1, watch: share.watch },
      onLine: ({ line }) => seen.set(line, share.through(line)),
      onResume: (why) => assert.fail(why),
    });
  } finally {
    server.close();
    rmSync(folder, { recursive: true });
  }
  assert.equal(seen.size, count);
  assert.ok(Math.abs(seen.get(688)! - 688 / count) < 0.001, String(seen.get(688)));
  assert.equal(seen.get(count), 1);
});
