import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { npm } from './pack.ts';

/** What a checkout runs: what `npm ci` has built, as long as that is what its sources make. */
const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'grs-checkout-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const checkout = join(folder, 'checkout');
for (const name of ['package.json', 'tsconfig.json', 'bin', 'packages', 'src', 'tools'])
  cpSync(join(root, name), join(checkout, name), { recursive: true });
symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
const versions = join(checkout, 'src/version.ts');

/** Which file ran, and the version that it told. */
function run(): { readonly main: string; readonly said: string } {
  const atEnd = `process.on('exit', () => console.log(process.argv[1]))`;
  const args = ['--import', `data:text/javascript,${encodeURIComponent(atEnd)}`, 'bin/grs.js', '--version'];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: checkout, encoding: 'utf8' });
  const [said = '', main = ''] = stdout.split('\n');
  assert.ok(main, stderr);
  return { main: relative(checkout, main), said };
}

function prepare(cwd: string): void {
  const { status, stderr } = npm(['run', 'prepare', '--silent'], cwd);
  assert.deepEqual([status, stderr.match(/was not built.*/)?.[0]], [0, undefined], stderr);
}

test('a checkout runs its sources until it is built, then what was built, and its sources again after any change', () => {
  const { main, said } = run();
  assert.equal(main, 'src/main.js');
  prepare(checkout);
  assert.deepEqual(run(), { main: 'dist/main.js', said });

  writeFileSync(versions, `export const version = '0.0.0-edited';\n`);
  assert.deepEqual(run(), { main: 'src/main.js', said: '0.0.0-edited' });
  prepare(checkout);
  assert.deepEqual(run(), { main: 'dist/main.js', said: '0.0.0-edited' });

  const added = join(checkout, 'src/console/pages/added.css');
  mkdirSync(join(added, '..'), { recursive: true });
  writeFileSync(added, '');
  assert.equal(run().main, 'src/main.js', 'a file was added');
  rmSync(added);
  assert.equal(run().main, 'dist/main.js');
  appendFileSync(join(checkout, 'tools/bundle-package.ts'), '\n');
  assert.equal(run().main, 'src/main.js', 'it would be bundled in another way');
});

test('npm ci fails neither without the bundlers nor where there is nothing to build yet', () => {
  const without = join(folder, 'without');
  for (const name of ['package.json', 'packages', 'src', 'tools'])
    cpSync(join(root, name), join(without, name), { recursive: true });
  prepare(without);
  assert.equal(existsSync(join(without, 'dist/.built-from')), false);

  const first = join(folder, 'first');
  mkdirSync(first);
  cpSync(join(root, 'package.json'), join(first, 'package.json'));
  prepare(first);
});
