import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { nodeProblem } from './supported-node.js';

/** What was built. In a checkout the sources, unless dist is what they make. */
async function entry() {
  const built = new URL('../dist/main.js', import.meta.url);
  const sources = new URL('../src/main.js', import.meta.url);
  if (!existsSync(sources)) return built;
  const { isBuilt } = await import('../tools/built-from.js');
  return isBuilt(fileURLToPath(new URL('..', import.meta.url))) ? built : sources;
}

/**
 * Runs the command line. Says which Node is needed where this one cannot run it, instead of the error that it would
 * stumble over.
 */
export async function run() {
  const problem = nodeProblem();
  if (problem !== undefined) {
    console.error(problem);
    process.exitCode = 78;
    return;
  }
  const main = await entry();
  // Worker processes begin with it, so that they run what this one runs.
  process.argv[1] = fileURLToPath(main);
  await import(main.href);
}
