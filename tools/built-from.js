// In JavaScript, since `bin/run.js` asks at every start of a checkout: for TypeScript Node would load its compiler first.
import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What dist is made from beside these folders. */
const folders = ['src', 'packages/client/src', 'packages/conformance', 'packages/console', 'packages/words'];
const others = ['package-lock.json', 'tools/build-package.ts', 'tools/bundle-package.ts'];

const recordOf = (root) => join(root, 'dist/.built-from');

/** The size of each file that dist is made from, and when it was written. */
export function sourcesOf(root) {
  const sources = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name)),
  );
  const lines = [...sources, ...others].map((name) => {
    const state = lstatSync(join(root, name), { throwIfNoEntry: false });
    return !state || state.isDirectory() ? '' : `${name} ${state.size} ${state.mtimeMs}\n`;
  });
  return lines.sort().join('');
}

/** Keeps what dist was made from; `sources` are those before the build began. */
export function recordBuild(root, sources) {
  writeFileSync(recordOf(root), sources);
}

/** Whether dist is what the sources make: none was changed, added or removed since. */
export function isBuilt(root) {
  return existsSync(recordOf(root)) && readFileSync(recordOf(root), 'utf8') === sourcesOf(root);
}
