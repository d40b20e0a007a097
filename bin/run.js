import { existsSync, readFileSync } from 'node:fs';

const numbersOf = (version) => version.split('.').map(Number);

/** True for a version that is `least` or newer; with `^`, of the same line. */
function satisfies(version, range) {
  const [mine, least] = [numbersOf(version), numbersOf(range.replace(/^\D+/, ''))];
  const place = mine.findIndex((number, index) => number !== least[index]);
  return (place < 0 || mine[place] > least[place]) && !(range.startsWith('^') && mine[0] !== least[0]);
}

/**
 * Runs the command line: what was built, or in a checkout the sources. Says which Node is needed where this one cannot
 * run them, instead of the error that it would stumble over.
 */
export async function run() {
  const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const { node } = process.versions;
  if (!engines.node.split(' || ').some((range) => satisfies(node, range))) {
    console.error(`This is Node ${node}. Generic Resource Service runs on ${engines.node.replaceAll(' ||', ',')}.`);
    process.exitCode = 78;
    return;
  }
  const sources = new URL('../src/main.js', import.meta.url);
  await import(existsSync(sources) ? sources.href : '../dist/main.js');
}
