import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
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

const count = 3000;
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
      assert.deepEqual([code, stdout], [0, 'Imported: 3,000 created, 0 updated, 0 unchanged, 0 refused.\n'], stderr);
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
