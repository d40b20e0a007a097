import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { waitUntil } from '../../../tools/prove/wait-until.ts';
import { dataFolder, runCommand, startService } from '../service-process.ts';
import { totalOf } from './import-client.ts';
import { proxies, startProxy } from './proxies.ts';

const folder = dataFolder();
const service = await startService(folder.path);
after(async () => {
  service.kill('SIGTERM');
  await service.ended;
  folder.remove();
});

const count = 1500;
const text = Array.from(
  { length: count },
  (_, n) => `${JSON.stringify({ key: `k${n}`, text: 'x'.repeat(900) })}\n`,
).join('');
const file = join(folder.path, 'drafts.ndjson');
writeFileSync(file, text);

function* pieces(): Generator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

for (const [at, [name, program]] of Object.entries(proxies).entries()) {
  const skip = program.file === undefined && `${name.split(' ', 1)[0]} is not installed`;

  test(`${name}: an import loses no line`, { skip }, async () => {
    const proxy = await startProxy(program, service.port);
    try {
      const access = ['--url', `http://127.0.0.1:${proxy.port}`, '--client', 'test-admin:a secret for tests only'];
      const project = `shop-${at}`;
      const { code, stdout, stderr } = await runCommand(['import', ...access, '--project', project, '--in', file], {});
      assert.deepEqual([code, stdout], [0, 'Imported: 1,500 created, 0 updated, 0 unchanged, 0 refused.\n'], stderr);
      // All in one request, of a length that nobody knows before: of such a body Caddy dropped a part.
      const response = await fetch(`http://127.0.0.1:${proxy.port}/shop/resource/import?mode=overwrite`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${await service.token('manage_test:shop')}`,
          'content-type': 'application/x-ndjson',
        },
        body: ReadableStream.from(pieces()),
        duplex: 'half',
      } as RequestInit);
      const body = await response.text();
      if (name === 'nginx with its defaults') return assert.equal(response.status, 413);
      assert.equal(response.status, 200, body);
      const summary = JSON.parse(body.trimEnd().split('\n').at(-1)!);
      assert.deepEqual([summary.complete, summary.lines], [true, count]);
      assert.equal(await totalOf(service, await service.token('manage_test:shop')), count);
    } finally {
      await proxy.stop();
    }
  });
}

/** Many resources, so that an export takes long enough to be cut. */
const wideCount = 1000;
const wide = 'y'.repeat(20_000);

/** A data folder with them, of which each test takes a copy. */
let prepared: Promise<string> | undefined;

async function prepare(): Promise<string> {
  const data = join(folder.path, 'wide');
  const importing = await startService(data);
  const lines = Array.from({ length: wideCount }, (_, n) => `${JSON.stringify({ key: `k${n}`, wide })}\n`);
  const input = join(folder.path, 'wide.ndjson');
  writeFileSync(input, lines.join(''));
  const access = ['--url', `http://127.0.0.1:${importing.port}`, '--client', 'test-admin:a secret for tests only'];
  assert.equal((await runCommand(['import', ...access, '--project', 'shop', '--in', input], {})).code, 0);
  importing.kill('SIGTERM');
  await importing.ended;
  return data;
}

for (const [name, program] of Object.entries(proxies)) {
  const skip = program.file === undefined && `${name.split(' ', 1)[0]} is not installed`;

  test(`${name}: an export arrives whole, or is noticed to be cut`, { skip, timeout: 120_000 }, async () => {
    const own = dataFolder();
    prepared ??= prepare();
    cpSync(await prepared, own.path, { recursive: true });
    const upstream = await startService(own.path);
    const proxy = await startProxy(program, upstream.port);
    try {
      const url = `http://127.0.0.1:${proxy.port}`;
      const access = ['--url', url, '--client', 'test-admin:a secret for tests only', '--project', 'shop'];
      const out = join(own.path, 'out.ndjson');
      const whole = await runCommand(['export', ...access, '--out', out], {});
      assert.deepEqual([whole.code, readFileSync(out, 'utf8').split('\n').length], [0, wideCount + 1], whole.stderr);
      const csv = join(own.path, 'out.csv');
      assert.equal((await runCommand(['export', ...access, '--fields', 'id,key', '--out', csv], {})).code, 0);
      assert.equal(readFileSync(csv, 'utf8').split('\r\n').length, wideCount + 2);

      const cut = join(own.path, 'cut.ndjson');
      const cutting = runCommand(['export', ...access, '--out', cut], {});
      await waitUntil(() => existsSync(`${cut}.part`) && statSync(`${cut}.part`).size > 0, cutting);
      upstream.kill('SIGKILL');
      assert.deepEqual([(await cutting).code, existsSync(cut)], [70, false]);
    } finally {
      upstream.kill('SIGKILL');
      await upstream.ended;
      await proxy.stop();
      own.remove();
    }
  });
}
