import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createTestServer } from '../../src/index.ts';
import { signedHeaders } from '../../src/webhooks/message/signature.ts';
import { until } from '../until.ts';

const page = readFileSync(fileURLToPath(new URL('../../docs/webhooks.md', import.meta.url)), 'utf8');
const [, code = ''] = /^```js\n(.*?)^```/ms.exec(page) ?? [];
const listening = '.listen(process.env.PORT ?? 3000)';
const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

test('webhooks.md: its receiver takes what a subscription delivers once each, and refuses what is not signed', async () => {
  assert.ok(code.split('\n').length < 40 && code.includes(listening));
  const folder = mkdtempSync(join(tmpdir(), 'grs-receiver-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'receiver.mjs');
  // On a free port, which it tells.
  writeFileSync(
    file,
    code.replace(listening, '.listen(0, "127.0.0.1", function () { console.log(this.address().port) })'),
  );
  const child = spawn(process.execPath, [file], { env: { SECRET: secret } });
  after(() => child.kill('SIGKILL'));
  const lines: string[] = [];
  const output = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  await once(output, 'line');
  const url = `http://127.0.0.1:${lines.shift()}/hook`;

  const server = await createTestServer({ settings: { WEBHOOK_ADDRESSES: '127.0.0.1' } });
  after(() => server.close());
  const scope = 'manage_project:guide';
  const created = await server.inject({ method: 'POST', path: '/guide/subscriptions', scope, body: { url, secret } });
  assert.equal(created.status, 201, created.text);
  for (const n of [1, 2]) {
    await server.inject({ method: 'POST', path: '/guide/resource', scope, body: { id: 'a', n } });
  }
  await until(() => lines.length === 2);
  assert.deepEqual(lines, ['created a version 1', 'updated a version 2']);

  const send = async (body: string, headers: Record<string, string>) =>
    (await fetch(url, { method: 'POST', body, headers })).status;
  const body = JSON.stringify({ type: 'updated', sequence: 1, resource: { id: 'a', version: 1 } });
  const timestampSeconds = Math.floor(Date.now() / 1000);
  const headers = signedHeaders({ id: 'm', timestampSeconds, body }, [secret]);
  assert.equal(await send(body, headers), 204);
  assert.equal(lines.length, 2, 'a repeat has no effect');
  assert.equal(await send(`${body} `, headers), 401);
  assert.equal(await send(body, {}), 401);
  assert.equal(
    await send(body, signedHeaders({ id: 'm', timestampSeconds: timestampSeconds - 400, body }, [secret])),
    401,
  );
  assert.equal(await send(body, { ...headers, 'webhook-timestamp': 'now' }), 401);
});
