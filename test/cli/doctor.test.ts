import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { unknownVariables } from '../../src/cli/unknown-variables.ts';
import { dataFolder, runCommand, startService } from '../faults/service-process.ts';

const folder = dataFolder();
after(folder.remove);
const isLinux = process.platform === 'linux';

test('grs doctor: finds nothing before a first start, and changes nothing: exit code 0', async () => {
  const dataDir = join(folder.path, 'new', 'data');
  const { code, stdout } = await runCommand(['doctor'], { DATA_DIR: dataDir, PORT: '0' });
  assert.equal(code, 0, stdout);
  assert.match(stdout, /^ok {7}Database {5}.*grs\.db; the first start makes it$/m);
  assert.match(stdout, /\nThe service can start\.\n$/);
  assert.equal(existsSync(join(folder.path, 'new')), false);
});

test('grs doctor: names each wrong setting, and what was meant by an unknown one: exit code 1', async () => {
  const { code, stdout } = await runCommand(['doctor'], { PORT: '99999', DATA_DIRS: '/x', GRS_HOST: 'a' });
  assert.equal(code, 1);
  assert.match(stdout, /^failed {3}Settings {5}PORT must be 0–65535 \(got 99999\)$/m);
  assert.match(stdout, /^warning {2}Settings {5}Unknown setting DATA_DIRS\. Did you mean DATA_DIR\?$/m);
  assert.match(stdout, /^warning {2}Settings {5}Unknown setting GRS_HOST\. Did you mean HOST\?$/m);
});

test('grs doctor: a port in use is a failure, unless this service has it', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const PORT = String((other.address() as { port: number }).port);
  const taken = await runCommand(['doctor'], { DATA_DIR: folder.path, PORT });
  other.close();
  assert.equal(taken.code, 1);
  assert.match(
    taken.stdout,
    new RegExp(`^failed {3}Port {9}${PORT} is in use\\. Stop the other process, or set PORT`, 'm'),
  );

  const service = await startService(join(folder.path, 'served'));
  const environment = { DATA_DIR: join(folder.path, 'served'), PORT: String(service.port) };
  const own = await runCommand(['doctor'], environment);
  service.kill('SIGTERM');
  await service.ended;
  assert.equal(own.code, 0, own.stdout);
  assert.match(own.stdout, /^ok {7}Port {9}this service runs at http/m);
  assert.match(own.stdout, /^ok {7}Database {5}.*grs\.db, served at http/m);
});

const file = join(folder.path, 'file');
writeFileSync(file, '');
const unusable: readonly (readonly [dataDir: string, reason: RegExp])[] = [
  [file, /it is a file; name a folder/],
  [join(file, 'data'), /a part of it is a file; name a folder/],
  ...(isLinux ? ([['/proc/grs', /no folder can be made there; name one on a disk/]] as const) : []),
];

for (const [dataDir, reason] of unusable) {
  test(`a start and grs doctor with DATA_DIR where ${reason.source.split(';')[0]} say so, and end`, async () => {
    const start = await runCommand(['serve'], { DATA_DIR: dataDir, PORT: '0' });
    assert.equal(start.code, 78, start.stderr);
    assert.match(start.stderr, reason);
    const { code, stdout } = await runCommand(['doctor'], { DATA_DIR: dataDir, PORT: '0' });
    assert.equal(code, 1);
    assert.match(stdout, reason);
  });
}

test('grs client list creates neither a store nor an administrator: exit code 2 where there is none', async () => {
  const dataDir = join(folder.path, 'empty');
  mkdirSync(dataDir);
  const { code, stderr } = await runCommand(['client', 'list', '--project', 'p'], { DATA_DIR: dataDir });
  assert.equal(code, 2);
  assert.match(stderr, /there is no store at .*grs\.db; set DATA_DIR/);
  assert.equal(existsSync(join(dataDir, 'admin-client.json')), false);
});

test('grs project move-out of a project without anything is an error, and makes no file: exit code 2', async () => {
  const out = join(folder.path, 'typo.ndjson');
  const args = ['project', 'move-out', '--project', 'typo', '--out', out];
  const { code, stderr } = await runCommand(args, { DATA_DIR: join(folder.path, 'served') });
  assert.equal(code, 2);
  assert.match(stderr, /there is nothing in the project typo; is its key spelled exactly so\?/);
  assert.equal(existsSync(out), false);
});

test('grs config --help: no bound is “undefined”', async () => {
  const { stdout } = await runCommand(['config', '--help'], {});
  assert.equal(stdout.includes('undefined'), false);
});

test('unknownVariables: finds typos and prefixes of settings, and leaves other variables alone', () => {
  const found = (name: string) => unknownVariables({ [name]: 'x' }).map(({ meant }) => meant);
  assert.deepEqual(found('DATA_DRI'), ['DATA_DIR']);
  assert.deepEqual(found('WORKER'), ['WORKERS']);
  assert.deepEqual(found('GRS_PORT'), ['PORT']);
  assert.deepEqual(found('log_level'), ['LOG_LEVEL']);
  for (const name of ['DATA_DIR', 'PORTS', 'HOSTNAME', 'PATH', 'HOME', 'USER', 'LANG', 'SHELL', 'TERM', 'PWD']) {
    assert.deepEqual(found(name), [], name);
  }
});
