import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import {
  dataFolder,
  main,
  type ProcessAnswer,
  runCommand,
  type ServiceProcess,
  startService,
} from '../faults/service-process.ts';

/** Commands beside a running service, given only the folder, as an operator would run them. */
const folder = dataFolder();
const grs = (...args: readonly string[]) => runCommand(args, { DATA_DIR: folder.path });
let service: ServiceProcess;
before(async () => {
  service = await startService(folder.path, { ISSUER: '', ADMIN_CLIENT_ID: '', ADMIN_CLIENT_SECRET: '' });
});
after(async () => {
  service.kill('SIGTERM');
  await service.ended;
  folder.remove();
});

interface Client {
  readonly id: string;
  readonly secret: string;
  readonly scopes: readonly string[];
}

async function createClient(...scopes: readonly string[]): Promise<Client> {
  const options = scopes.flatMap((scope) => ['--scope', scope]);
  const { code, stdout, stderr } = await grs(
    'client',
    'create',
    '--project',
    'shop',
    '--name',
    'Front',
    ...options,
    '--json',
  );
  assert.equal(code, 0, stderr);
  const { clientId: id, clientSecret: secret, scopes: all } = JSON.parse(stdout);
  return { id, secret, scopes: all };
}

function askToken({ id, secret }: Client): Promise<ProcessAnswer> {
  const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
  return service.request({
    method: 'POST',
    path: '/oauth/token?grant_type=client_credentials',
    headers: { authorization },
  });
}

async function tokenOf(client: Client): Promise<string> {
  const { status, text } = await askToken(client);
  assert.equal(status, 200, text);
  return JSON.parse(text).access_token;
}

test('client create: the running service gives a token to the new client at once, for its scopes', async () => {
  const client = await createClient('view_test');
  assert.deepEqual(client.scopes, ['view_test:shop']);
  const token = await tokenOf(client);
  assert.equal((await service.request({ path: '/shop/resource', token })).status, 200);
  assert.equal((await service.request({ method: 'POST', path: '/shop/resource', token, body: {} })).status, 403);
  assert.equal((await service.request({ path: '/other/resource', token })).status, 403);
});

test('client list shows the clients of the project and never a secret', async () => {
  const client = await createClient('manage_test', 'manage_products');
  const { code, stdout } = await grs('client', 'list', '--project', 'shop');
  assert.equal(code, 0);
  assert.match(stdout, new RegExp(`^${client.id} .* manage_test:shop manage_products:shop  Front$`, 'm'));
  assert.ok(!stdout.includes(client.secret));
  assert.match((await grs('client', 'list', '--project', 'empty')).stdout, /has no API clients/);
});

test('client delete: the running service gives the client no token any more, and soon refuses those it has', async () => {
  const [client, other] = [await createClient('view_test'), await createClient('view_test')];
  const [token, otherToken] = [await tokenOf(client), await tokenOf(other)];
  const read = async (with_: string) => (await service.request({ path: '/shop/resource', token: with_ })).status;
  assert.deepEqual([await read(token), await read(otherToken)], [200, 200]);
  assert.equal((await grs('client', 'delete', client.id)).code, 0);
  assert.equal((await askToken(client)).status, 401);
  // It looks for revocations once a second; the bound here is for slow machines.
  for (let waited = 0; (await read(token)) === 200 && waited < 60_000; waited += 100) await pause(100);
  assert.deepEqual([await read(token), await read(otherToken)], [401, 200]);
});

test('token --project: the running service takes the token of the administrator', async () => {
  const { code, stdout, stderr } = await grs('token', '--project', 'fresh');
  assert.deepEqual([code, stderr], [0, '']);
  const token = stdout.trim();
  assert.equal((await service.request({ method: 'POST', path: '/fresh/resource', token, body: {} })).status, 201);
  assert.equal((await service.request({ path: '/shop/resource', token })).status, 403);
});

test('token --client: the running service takes the token, until the client is deleted', async () => {
  const client = await createClient('view_test');
  const { stdout } = await grs('token', '--client', client.id);
  assert.equal((await service.request({ path: '/shop/resource', token: stdout.trim() })).status, 200);
  await grs('client', 'delete', client.id);
  const again = await grs('token', '--client', client.id);
  assert.deepEqual([again.code, again.stdout], [2, '']);
});

test('import --correct writes the refused lines as they were, of a CSV with its header; corrected they are imported', async () => {
  const token = (await grs('token', '--project', 'shop')).stdout.trim();
  const at = (name: string) => join(folder.path, name);
  const target = ['--url', `http://127.0.0.1:${service.port}`, '--token', token, '--project', 'shop'];
  const send = (file: string, correct: string) => grs('import', ...target, '--in', at(file), '--correct', at(correct));
  writeFileSync(at('a.ndjson'), '{"key":"a"}\n\n oops \r\n{"key":"b"}\n{"key":5}\n');
  const lines = await send('a.ndjson', 'a-again.ndjson');
  assert.equal(lines.code, 1, lines.stderr);
  assert.match(lines.stderr, /\nNext: correct the lines in .*a-again\.ndjson and import that file/);
  assert.equal(readFileSync(at('a-again.ndjson'), 'utf8'), ' oops \r\n{"key":5}\n');
  writeFileSync(at('dry.ndjson'), '{"key":"dry"}\n{"key":5}\n');
  const dry = ['--in', at('dry.ndjson'), '--correct', at('dry-again.ndjson'), '--dry-run'];
  assert.match(
    (await grs('import', ...target, ...dry)).stderr,
    /\nNext: run the same command without --dry-run, which writes the other lines, then correct those in .*dry-again\.ndjson/,
  );

  const csv = 'key,size:number,text\nc1,1,"two\n""lines"""\n\nc2,x,"no\nnumber"\nc3,3,x\nc4,y,z\n';
  writeFileSync(at('c.csv.gz'), gzipSync(csv));
  assert.equal((await send('c.csv.gz', 'c-again.csv')).code, 1);
  const again = readFileSync(at('c-again.csv'), 'utf8');
  assert.equal(again, 'key,size:number,text\nc2,x,"no\nnumber"\nc4,y,z\n');
  writeFileSync(at('c-again.csv'), again.replace(',x,', ',2,').replace(',y,', ',4,'));
  const corrected = await send('c-again.csv', 'c-third.csv');
  assert.deepEqual([corrected.code, existsSync(at('c-third.csv'))], [0, false], corrected.stderr);
  assert.match(corrected.stdout, /^Imported: 2 created, /);

  // What comes by standard input is there only once: the refused lines are kept from it as well.
  const piped = spawn(process.execPath, [main, 'import', ...target, '--correct', at('d-again.ndjson')], {
    env: { PATH: process.env.PATH, DATA_DIR: folder.path },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  piped.stdin.end('{"key":"d"}\n{"key":6}\n');
  const [code] = await once(piped, 'close');
  assert.deepEqual([code, readFileSync(at('d-again.ndjson'), 'utf8')], [1, '{"key":6}\n']);
});

test('check beside the running service: all is well, exit code 0', async () => {
  const { code, stdout } = await grs('check');
  assert.deepEqual([code, stdout], [0, 'All is well.\n']);
});

test('check --rebuild-indexes and migrate beside the running service are refused: exit code 70', async () => {
  for (const args of [['check', '--rebuild-indexes'], ['migrate']]) {
    const { code, stderr } = await grs(...args);
    assert.equal(code, 70, args.join(' '));
    assert.match(stderr, /Another process serves this data folder/);
  }
});

test('--client takes a file with what client create --json prints, or the API answers to it', async () => {
  const { id: clientId, secret: clientSecret } = await createClient('manage_test');
  for (const content of [
    { clientId, clientSecret },
    { id: clientId, secret: clientSecret },
  ]) {
    const file = join(folder.path, 'client.json');
    writeFileSync(file, JSON.stringify(content));
    const { code, stderr } = await grs(
      'export',
      '--url',
      `http://127.0.0.1:${service.port}`,
      '--project',
      'shop',
      '--client',
      file,
    );
    assert.equal(code, 0, stderr);
  }
});
