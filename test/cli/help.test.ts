import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCommand } from '../faults/service-process.ts';

/** No command may need a store, or make one, to explain itself: there is no data folder here that it could use. */
const nowhere = { DATA_DIR: '/dev/null/none' };

async function commandNames(): Promise<readonly string[]> {
  const { stdout } = await runCommand(['--help'], nowhere);
  const [, list = ''] = /Commands:\n((?: {2}\S.*\n)+)/.exec(stdout) ?? [];
  return [...list.matchAll(/^ {2}(\S+) /gm)].map(([, name]) => name!);
}

test('grs without arguments, help and --help show the overview with every command and an example: exit code 0', async () => {
  for (const args of [[], ['help'], ['--help'], ['-h']]) {
    const { code, stdout, stderr } = await runCommand(args, nowhere);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, /^Example: .+\n {2}\S/m);
  }
  assert.deepEqual(await commandNames(), [
    'serve',
    'config',
    'client',
    'token',
    'doctor',
    'migrate',
    'check',
    'backup',
    'mirror',
    'compact',
    'import',
    'export',
    'types',
    'project',
    'conformance',
    'events',
  ]);
});

test('grs <command> --help explains each command with its usage and an example: exit code 0', async () => {
  for (const name of await commandNames()) {
    for (const flag of ['--help', '-h']) {
      const { code, stdout, stderr } = await runCommand([name, flag], nowhere);
      assert.deepEqual([code, stderr], [0, ''], name);
      assert.match(stdout, new RegExp(`^Usage:\\n(?: .*\\n)*? {2}(?:npx grs ${name}|npm )`, 'm'), name);
      assert.match(stdout, /^Example: .+\n {2}\S/m, name);
    }
  }
});

test('grs with an unknown command names the known ones: exit code 2', async () => {
  const { code, stdout, stderr } = await runCommand(['serv'], nowhere);
  assert.deepEqual([code, stdout], [2, '']);
  assert.match(stderr, /Unknown command “serv”\. The commands are: serve, config, /);
});

test('grs <command> with arguments that it does not know explains itself: exit code 2', async () => {
  for (const args of [
    ['serve', '--port=1'],
    ['config', 'x'],
    ['migrate', '--yes'],
  ]) {
    const { code, stdout, stderr } = await runCommand(args, nowhere);
    assert.deepEqual([code, stdout], [2, ''], args.join(' '));
    assert.match(stderr, /^Usage:/m, args.join(' '));
  }
});

test('grs <command> without the arguments that it needs: exit code 2, and nothing on standard output', async () => {
  for (const name of ['client', 'token', 'backup', 'import', 'export', 'project', 'conformance', 'events']) {
    const { code, stdout, stderr } = await runCommand([name], nowhere);
    assert.deepEqual([code, stdout], [2, ''], name);
    assert.match(stderr, new RegExp(`^grs ${name}: arguments are missing\\.\n`), name);
    assert.match(stderr, /^Usage:/m, name);
  }
  const empty = await runCommand(['backup', ''], nowhere);
  assert.deepEqual([empty.code, empty.stdout], [2, '']);
});

test('grs token and client create where there is no store or no administrator: refused, and nothing is made', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'grs-wrong-'));
  try {
    const token = ['token', '--project', 'shop'];
    const create = ['client', 'create', '--project', 'shop', '--name', 'n', '--scope', 'view_test'];
    for (const args of [token, create, ['client', 'delete', 'x']]) {
      const { code, stdout, stderr } = await runCommand(args, { DATA_DIR: folder });
      assert.deepEqual([code, stdout], [2, ''], args.join(' '));
      assert.match(stderr, /there is no store at .*grs-wrong-.*; set DATA_DIR to the folder of the service/);
    }
    assert.deepEqual(readdirSync(folder), []);
    writeFileSync(join(folder, 'grs.db'), '');
    for (const args of [token, create]) {
      const { code, stderr } = await runCommand(args, { DATA_DIR: folder });
      assert.equal(code, 2, stderr);
      assert.match(stderr, /DATA_DIR .*grs-wrong-.* has no admin-client\.json; set DATA_DIR/);
    }
    assert.deepEqual(readdirSync(folder), ['grs.db']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('grs check with an option that it does not know, or with two that exclude each other: exit code 2', async () => {
  const unknown = await runCommand(['check', '--fix'], nowhere);
  assert.equal(unknown.code, 2);
  assert.match(unknown.stderr, /--fix/);
  const both = await runCommand(['check', '--project', 'a', '--from', 'b'], nowhere);
  assert.equal(both.code, 2);
  assert.match(both.stderr, /--project and --from exclude each other/);
});

test('grs --version prints the version: exit code 0', async () => {
  const { code, stdout } = await runCommand(['--version'], nowhere);
  assert.equal(code, 0);
  assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
});
