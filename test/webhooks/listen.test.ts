import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { createTestServer } from '../../src/index.ts';
import { until } from '../until.ts';
import { startReceiver } from './receiver.ts';

const main = fileURLToPath(new URL('../../src/main.js', import.meta.url));
const server = await createTestServer();
after(() => server.close());

test('grs events listen forwards each change to a receiver, signed, and prints a line for each', async () => {
  const receiver = await startReceiver();
  const token = await server.token('view_test:listened');
  const args = ['events', 'listen', '--url', server.url, '--project', 'listened', '--token', token];
  const child = spawn(process.execPath, [main, ...args, '--forward-to', receiver.url, '--types', 'created']);
  const lines: string[] = [];
  const notes: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  createInterface({ input: child.stderr }).on('line', (line) => notes.push(line));
  after(() => child.kill('SIGKILL'));
  await until(() => notes.some((note) => note.startsWith('Signing with')));
  const secret = notes.find((note) => note.startsWith('Signing with'))!.slice('Signing with '.length);
  let n = 0;
  // It begins with the latest one, whenever that is.
  await until(
    async () => {
      n += 1;
      const body = { id: `r${n}`, long: 1 };
      await server.inject({ method: 'POST', path: '/listened/resource', scope: 'manage_test:listened', body });
      return lines.length >= 3;
    },
    () => notes,
  );
  assert.match(lines[0]!, /^20\S+Z {2}created {8}r\d+ 1 {2}→ 204 in \d+ ms$/);
  const [{ body, headers, event } = receiver.received[0]!] = receiver.received;
  assert.deepEqual(new Webhook(secret).verify(body, headers), event);
  assert.equal(headers['webhook-id'], event.id);
  assert.match(headers['user-agent']!, /^generic-resource-service\//);
});

test('grs events listen says what is wrong: arguments 2, a token that is refused 1', async () => {
  const run = async (...args: string[]) => {
    const child = spawn(process.execPath, [main, 'events', ...args]);
    let stderr = '';
    child.stderr.on('data', (text) => {
      stderr += text;
    });
    const code = await new Promise((resolve) => child.once('close', resolve));
    return { code, stderr };
  };
  const where = ['--url', server.url, '--project', 'listened'];
  assert.equal((await run('follow')).code, 2);
  assert.match((await run('listen', ...where)).stderr, /expected --client or --token/);
  assert.match((await run('listen', ...where, '--token', 'x', '--secret', 'abc')).stderr, /--secret: expected whsec_/);
  const refused = await run('listen', ...where, '--token', 'x');
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /401/);
});

test('grs events listen goes on behind the last event where the service ends the stream, and says when it cannot', async () => {
  const asked: string[] = [];
  const stub = createServer((request, response) => {
    asked.push(request.url!);
    const n = asked.length;
    const event = { id: `e${n}`, type: 'created', at: 't', resource: { id: `r${n}`, version: 1 }, n: 2 ** 53 };
    response.statusCode = n === 2 ? 503 : 200;
    response.end(n > 3 ? undefined : `${JSON.stringify(event).replace('992}', '993}')}\n`);
  }).listen();
  await once(stub, 'listening');
  after(() => stub.close());
  const url = `http://127.0.0.1:${(stub.address() as AddressInfo).port}`;
  const args = ['events', 'listen', '--url', url, '--project', 'p', '--token', 'x', '--json'];
  const child = spawn(process.execPath, [main, ...args]);
  after(() => child.kill('SIGKILL'));
  const [lines, notes]: [string[], string[]] = [[], []];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  createInterface({ input: child.stderr }).on('line', (line) => notes.push(line));
  await until(
    () => lines.length >= 2,
    () => [asked, notes],
  );
  child.kill('SIGKILL');
  assert.deepEqual(
    asked.slice(0, 3).map((address) => new URL(address, url).searchParams.get('after')),
    ['latest', 'e1', 'e1'],
  );
  assert.match(lines[1]!, /"id":"r3","version":1},"n":9007199254740993}$/);
  assert.ok(notes.includes('The service cannot be reached, trying again: HTTP 503'), notes.join('\n'));
});
