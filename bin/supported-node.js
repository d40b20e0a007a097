import { readFileSync } from 'node:fs';

const numbersOf = (version) => version.split('.').map(Number);

/** True for a version that is `least` or newer; with `^`, of the same line. */
function satisfies(version, range) {
  const [mine, least] = [numbersOf(version), numbersOf(range.replace(/^\D+/, ''))];
  const place = mine.findIndex((number, index) => number !== least[index]);
  return (place < 0 || mine[place] > least[place]) && !(range.startsWith('^') && mine[0] !== least[0]);
}

/** Which Node is needed where this one cannot run the service; undefined where it can. */
export function nodeProblem() {
  const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const { node } = process.versions;
  if (engines.node.split(' || ').some((range) => satisfies(node, range))) return undefined;
  return `This is Node ${node}. Generic Resource Service runs on ${engines.node.replaceAll(' ||', ',')}.`;
}
