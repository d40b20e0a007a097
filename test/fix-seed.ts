/** Loaded by `runner/preload.js` before every test file: properties that name no seed of their own are tried with the seed of the run. */
import { isMainThread } from 'node:worker_threads';

// The threads of a service import it too, and have no properties: each would load a package of some size for nothing.
if (isMainThread) {
  const [{ default: fc }, { testSeed }] = await Promise.all([import('fast-check'), import('./seed.ts')]);
  fc.configureGlobal({ seed: testSeed });
}
