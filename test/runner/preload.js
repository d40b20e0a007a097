/**
 * Imported before every test file and in its threads, by `test/run.ts`. In JavaScript, so that it needs no compiler itself.
 *
 * 1. Limits the measuring of coverage to the folders that have to reach what must be covered: counting every block costs a
 *    quarter of the CPU time, and code that is measured cannot come from Node's compile cache.
 * 2. Resolves imports between files of this project by their URL alone, and takes their text without types from the folder
 *    that `strip.ts` has filled. Resolving and stripping 400 files is most of the start of a test file.
 * 3. Notes the CPU time of the file, sets the seed of random tests, and ends a file that hangs.
 */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { enableCompileCache, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { stopCoverage } from 'node:v8';
import { isMainThread } from 'node:worker_threads';

const root = new URL('../../', import.meta.url).href;
/** Folders of tests whose coverage is measured: those of PostgreSQL alone would take as long again. */
const covering = /\/test\/(api|domain|http|storage(?!\/postgres))\//;

function stopMeasuring() {
  delete process.env.NODE_V8_COVERAGE;
  delete process.env.GRS_TEST_STRIPPED;
  stopCoverage();
  process.env.NODE_COMPILE_CACHE = fileURLToPath(new URL('node_modules/.cache/grs-tests', root));
  enableCompileCache(process.env.NODE_COMPILE_CACHE);
}

const [, program = ''] = process.argv;
const isTestProgram = /\.(?:test\.ts|group\.js)$/.test(program);
if (isMainThread && process.env.NODE_V8_COVERAGE && isTestProgram && !covering.test(program)) stopMeasuring();

const stripped = process.env.GRS_TEST_STRIPPED;

/** Whether it is a file in TypeScript of this project; those of packages are left to Node. */
function isOwn(/** @type {string | undefined} */ url) {
  return url?.startsWith(root) === true && url.endsWith('.ts') && !url.includes('/node_modules/');
}

/** Its text without types; undefined if it is not the text that was stripped when the run began. */
function strippedText(/** @type {string} */ url) {
  try {
    return readFileSync(`${stripped}/${hash('sha1', readFileSync(fileURLToPath(url)))}`, 'utf8');
  } catch {
    return undefined;
  }
}

/** @type {import('node:module').ResolveHookSync} */
function resolve(specifier, context, nextResolve) {
  const isRelative = specifier.startsWith('./') || specifier.startsWith('../');
  if (!isRelative || !specifier.endsWith('.ts') || !isOwn(context.parentURL)) return nextResolve(specifier, context);
  return { url: new URL(specifier, context.parentURL).href, format: 'module-typescript', shortCircuit: true };
}

/** @type {import('node:module').LoadHookSync} */
function load(url, context, nextLoad) {
  const source = context.format === 'module-typescript' && isOwn(url) ? strippedText(url) : undefined;
  return source === undefined ? nextLoad(url, context) : { format: 'module', source, shortCircuit: true };
}

registerHooks(stripped === undefined ? { resolve } : { resolve, load });

// The threads of a service have no tests.
if (isMainThread) {
  await import('./note-cost.ts');
  await import('../fix-seed.ts');
  await import('../file-limit.ts');
}
