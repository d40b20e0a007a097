/**
 * Loaded before every test file of a run with coverage: takes the files of this project without their types from the
 * folder that `strip.ts` has filled, and resolves imports between them by their address alone. To strip and to resolve
 * some hundred files is most of what it takes to start a test file. In JavaScript, so that this file needs no compiler
 * itself. The compile cache of Node would do more, but coverage is not exact with code that comes from it.
 */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

const folder = process.env.GRS_TEST_STRIPPED;
const root = new URL('../../', import.meta.url).href;

/** Whether it is a file in TypeScript of this project; those of packages are left to Node. */
function isOwn(/** @type {string | undefined} */ url) {
  return url?.startsWith(root) === true && url.endsWith('.ts') && !url.includes('/node_modules/');
}

/** Its text without types; undefined if it is not the text that was stripped when the run began. */
function strippedText(/** @type {string} */ url) {
  try {
    return readFileSync(`${folder}/${hash('sha1', readFileSync(fileURLToPath(url)))}`, 'utf8');
  } catch {
    return undefined;
  }
}

if (folder) {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const isRelative = specifier.startsWith('./') || specifier.startsWith('../');
      if (!isRelative || !specifier.endsWith('.ts') || !isOwn(context.parentURL))
        return nextResolve(specifier, context);
      return { url: new URL(specifier, context.parentURL).href, format: 'module-typescript', shortCircuit: true };
    },
    load(url, context, nextLoad) {
      const source = context.format === 'module-typescript' && isOwn(url) ? strippedText(url) : undefined;
      return source === undefined ? nextLoad(url, context) : { format: 'module', source, shortCircuit: true };
    },
  });
}
