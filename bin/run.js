import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const numbersOf = (version) => version.split('.').map(Number);

/** True for a version that is `least` or newer; with `^`, of the same line. */
function satisfies(version, range) {
  const [mine, least] = [numbersOf(version), numbersOf(range.replace(/^\D+/, ''))];
  const place = mine.findIndex((number, index) => number !== least[index]);
  return (place < 0 || mine[place] > least[place]) && !(range.startsWith('^') && mine[0] !== least[0]);
}

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
  const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const { node } = process.versions;
  if (!engines.node.split(' || ').some((range) => satisfies(node, range))) {
    console.error(`This is Node ${node}. Generic Resource Service runs on ${engines.node.replaceAll(' ||', ',')}.`);
    process.exitCode = 78;
    return;
  }
  const main = await entry();
  // Worker processes begin with it, so that they run what this one runs.
  process.argv[1] = fileURLToPath(main);
  await import(main.href);
}
