import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../src/main.js', import.meta.url));

/** Prints at the end whether Node has loaded its compiler of TypeScript, and how many files of ours it resolved itself. */
const watch = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  let resolved = 0;
  process.once('exit', () => {
    const compiles = process.moduleLoadList.some((name) => name.includes('amaro'));
    process.stderr.write(JSON.stringify({ compiles, resolved }));
  });
  registerHooks({
    resolve(specifier, context, nextResolve) {
      if (specifier.startsWith('.') && /\\/(src|packages)\\//.test(context.parentURL)) resolved += 1;
      return nextResolve(specifier, context);
    },
  });
`)}`;

function start(): { readonly compiles: boolean; readonly resolved: number } {
  const { status, stderr } = spawnSync(process.execPath, ['--import', watch, main, 'config'], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return JSON.parse(stderr);
}

test('main.js: from its second start on nothing is compiled, and imports between our files are not looked up by Node', () => {
  start();
  const { compiles, resolved } = start();
  assert.equal(compiles, false);
  // That of own-modules.ts itself. Of the others there are dozens.
  assert.ok(resolved <= 1, `${resolved} imports`);
});

test('main.js before “npm ci”: names what is missing and says what to do', () => {
  const checkout = realpathSync(mkdtempSync(join(tmpdir(), 'grs-no-packages-')));
  try {
    for (const name of ['src', 'packages', 'package.json'])
      cpSync(fileURLToPath(new URL(`../../${name}`, import.meta.url)), join(checkout, name), { recursive: true });
    const env = { PATH: process.env.PATH, DATA_DIR: join(checkout, 'data'), PORT: '0' };
    const args = [join(checkout, 'src/main.js'), 'serve'];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env });
    assert.match(stderr, /^The package [\w-]+ is not installed\. Run “npm ci” in \S+\n$/);
    assert.ok(stderr.includes(checkout));
    assert.equal(status, 70);
  } finally {
    rmSync(checkout, { recursive: true });
  }
});

test('main.js on a Node without the functions that it needs: says which one to use', () => {
  const old = "data:text/javascript,import module from 'node:module'; delete module.registerHooks;";
  const { status, stderr } = spawnSync(process.execPath, ['--import', old, main, 'config'], { encoding: 'utf8' });
  assert.match(stderr, /^This is Node [\d.]+, which is too old\. “npm ci” installs the Node that is needed\.$/m);
  assert.equal(status, 78);
});
