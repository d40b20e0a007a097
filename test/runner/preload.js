/**
 * Imported before every test file and in its threads, by `test/run.ts`. In JavaScript, so that it needs no compiler itself.
 *
 * 1. Measures coverage in the unit tests alone: counting every block costs a quarter of the CPU time, and code that is
 *    measured cannot come from Node's compile cache.
 * 2. Resolves imports between files of this project by their URL alone: Node would look for links and for the package of
 *    each of 400 files.
 * 3. Notes the CPU time of the file, sets the seed of random tests, and ends a file that hangs.
 */
import { enableCompileCache, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { stopCoverage } from 'node:v8';
import { isMainThread } from 'node:worker_threads';

const root = new URL('../../', import.meta.url).href;
const unitTests = /\/test\/domain\//;

function useCompileCache() {
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/grs-tests', root));
  enableCompileCache(process.env.NODE_COMPILE_CACHE);
}

const [, program = ''] = process.argv;
const isTestProgram = /\.(?:test\.ts|group\.js)$/.test(program);
if (isMainThread && process.env.NODE_V8_COVERAGE && isTestProgram && !unitTests.test(program)) {
  delete process.env.NODE_V8_COVERAGE;
  stopCoverage();
  useCompileCache();
}

/** Whether it is a file in TypeScript of this project; those of packages are left to Node. */
function isOwn(/** @type {string | undefined} */ url) {
  return url?.startsWith(root) === true && url.endsWith('.ts') && !url.includes('/node_modules/');
}

registerHooks({
  resolve(specifier, context, nextResolve) {
    const isRelative = specifier.startsWith('./') || specifier.startsWith('../');
    if (!isRelative || !specifier.endsWith('.ts') || !isOwn(context.parentURL)) return nextResolve(specifier, context);
    return { url: new URL(specifier, context.parentURL).href, format: 'module-typescript', shortCircuit: true };
  },
});

// The threads of a service have no tests.
if (isMainThread) {
  await import('./note-cost.ts');
  await import('../fix-seed.ts');
  await import('../file-limit.ts');
}
