/**
 * What `npm ci` and `npm install` do at last in a checkout: make dist, so that `npm start` need not run the sources, which
 * takes more memory and a longer start (`bin/run.js`). Where it cannot be made, the sources run.
 *
 *   node tools/prepare.ts
 */
import { fileURLToPath } from 'node:url';
import { isBuilt } from './built-from.js';

try {
  if (!isBuilt(fileURLToPath(new URL('..', import.meta.url))))
    await (await import('./build-package.ts')).buildProgram();
} catch (error) {
  // The bundlers, where they are not installed (`npm ci --omit=dev`).
  if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND')
    console.warn(`The service was not built, npm start will run its sources: ${(error as Error).message}`);
}
