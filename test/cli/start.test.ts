import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
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
      if (specifier.startsWith('.') && context.parentURL?.includes('/src/')) resolved += 1;
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
