/** `npm run prove -- writes --minutes 6`: tests a promise of the service many times over. See `help`. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { controls } from './prove/controls.ts';
import { engineOf, engines } from './prove/database.ts';
import { fuzz } from './prove/fuzz/fuzz.ts';
import { histories } from './prove/histories/histories.ts';
import { powerLoss } from './prove/power-loss/power-loss.ts';
import type { Proof, ProofControl, Verdict } from './prove/proof.ts';
import { randomOf } from './prove/random.ts';
import { endRunning } from './prove/service-process.ts';
import { writes } from './prove/writes/writes.ts';

const proofs: ReadonlyMap<string, Proof> = new Map([
  ['writes', writes],
  ['histories', histories],
  ['power-loss', powerLoss],
  ['fuzz', fuzz],
]);

const sizes = [...proofs].map(([name, { unit, size }]) => `  ${name.padEnd(12)}--${unit} ${size}`).join('\n');
const wrapped = (text: string) => text.replaceAll(/(.{1,110})(?: |$)/g, '\n    $1');
const claims = [...proofs].map(([name, { claim }]) => `  ${name}:${wrapped(claim)}`).join('\n');
const named = (which: 'takesDatabase' | 'takesWorkers') =>
  [...proofs].flatMap(([name, proof]) => (proof[which] ? [name] : [])).join(', ');

const help = `Test the promises of the service for longer, and with more random input, than “npm test” does.

Usage: npm run prove -- <proof> [options]

Proofs, with the size to run before a release; the default is a tenth of it:
${sizes}

Each proof fails if it finds a violation of its claim:
${claims}

After the real service, a proof tests controls: builds that lack one protection. It fails if it misses one of them.

Options:
  --seed <n>        repeat the random choices of an earlier run (default: a new seed)
  --database <url>  test on this PostgreSQL instead of the embedded store, or of one that the proof starts. The
                    proof fills the database, and nothing else may use it (${named('takesDatabase')})
  --workers <n>     number of serving processes (default: 1 to 3 at random; ${named('takesWorkers')})
  --control <name>  test only this control, or “none”
  --save            write the result to bench/results/proofs/<date>-<proof>.md
  -h, --help        show this text

Exit codes: 0 no violation, 1 a violation or a missed control, 2 wrong arguments, 69 this machine lacks a tool.`;

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function refuse(text: string): never {
  process.stderr.write(`${text}\nSee npm run prove -- --help\n`);
  process.exit(2);
}

const sizeOption = { type: 'string' } as const;
const options = {
  ...{ images: sizeOption, requests: sizeOption, minutes: sizeOption },
  seed: { type: 'string' },
  database: { type: 'string' },
  workers: sizeOption,
  control: { type: 'string' },
  save: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

function readArguments() {
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    return refuse((error as Error).message);
  }
}

function wholeNumber(name: string, text: string): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  return value > 0 ? value : refuse(`--${name}: expected a whole number of at least 1, not “${text}”`);
}

/** Minutes may have decimals: a round takes less than one, and one there is in any case. */
function sizeGiven(unit: Proof['unit'], text: string): number {
  if (unit !== 'minutes') return wholeNumber(unit, text);
  const value = /^\d{1,5}(\.\d{1,3})?$/.test(text) ? Number(text) : 0;
  return value > 0 ? value : refuse(`--minutes: expected a number such as 3 or 0.1, not “${text}”`);
}

/** The kinds of violations, with how many there are of each. */
function kindsOf({ violations }: Verdict): string {
  const kinds = Map.groupBy(violations, (violation) => violation.split(':')[0]);
  return [...kinds].map(([kind, those]) => `${those.length} × ${kind}`).join(', ');
}

const shownFigures = ({ figures }: Verdict) =>
  Object.entries(figures)
    .map(([name, value]) => `${name} ${value.toLocaleString('en')}`)
    .join(', ');

/** Runs a proof on a build and tells how far it is, at most every ten seconds. */
async function run(proof: Proof, size: number, seed: number, control?: ProofControl) {
  const begunMs = performance.now();
  let shownMs = begunMs;
  const progress = (done: number) => {
    if (performance.now() - shownMs < 10_000) return;
    shownMs = performance.now();
    process.stderr.write(`${done.toLocaleString('en')} of ${size.toLocaleString('en')} ${proof.unit}\n`);
  };
  const verdict = await proof.prove({
    ...{ size, random: randomOf(seed), build: control?.build, progress },
    isEnough: (violations) => control !== undefined && violations.some((violation) => control.kind.test(violation)),
    name: `${name}-${randomBytes(4).toString('hex')}`,
    // Controls take something from the embedded store.
    database: control ? undefined : values.database,
    workers: control?.workers ?? workers,
  });
  return { verdict, seconds: Math.round((performance.now() - begunMs) / 1000) };
}

const { values, positionals } = readArguments();
if (values.help || positionals.length === 0) {
  say(help);
  process.exit(0);
}
const [name = '', ...more] = positionals;
const proof = proofs.get(name);
if (proof === undefined || more.length > 0) refuse(`Expected one of these proofs: ${[...proofs.keys()].join(', ')}`);
const { unit } = proof;
for (const other of ['images', 'requests', 'minutes'] as const) {
  if (other !== unit && values[other] !== undefined) refuse(`${name} takes --${unit}, not --${other}`);
}
if (values.database !== undefined && !proof.takesDatabase) refuse(`${name} takes no --database`);
const hasControl = values.control !== 'none';
if (values.control !== undefined && hasControl && !proof.controls.some(({ build }) => build === values.control)) {
  refuse(`--control: expected one of ${proof.controls.map(({ build }) => build).join(', ')}, or none`);
}
if (values.workers !== undefined && !proof.takesWorkers) refuse(`${name} takes no --workers`);
const workers = values.workers === undefined ? undefined : wholeNumber('workers', values.workers);
const size = values[unit] === undefined ? proof.size / 10 : sizeGiven(unit, values[unit]);
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : wholeNumber('seed', values.seed);
const obstacle = proof.obstacle?.();
if (obstacle !== undefined) {
  process.stderr.write(`${obstacle}\n`);
  process.exit(69);
}

say(`${proof.claim}\n${size.toLocaleString('en')} ${unit}, seed ${seed}`);
const real = await run(proof, size, seed);
const isHeld = real.verdict.violations.length === 0;
for (const violation of real.verdict.violations.slice(0, 20)) say(`FOUND  ${violation}`);
for (const path of real.verdict.evidence ?? []) say(`KEPT  ${path}`);
const result = isHeld ? 'nothing found' : `FOUND ${kindsOf(real.verdict)}`;
say(`${result}: ${shownFigures(real.verdict)}, ${real.seconds} s`);

const chosen = proof.controls.filter(({ build }) => values.control === undefined || build === values.control);
const judged: { readonly isCaught: boolean; readonly text: string }[] = [];
for (const control of chosen) {
  const weakened = await run(proof, control.size, seed, control);
  const isCaught = weakened.verdict.violations.some((violation) => control.kind.test(violation));
  const caught = isCaught ? 'caught' : 'NOT CAUGHT, so the proof proves nothing';
  const { without } = controls[control.build];
  if (!isCaught) for (const violation of weakened.verdict.violations.slice(0, 5)) say(`ONLY  ${violation}`);
  judged.push({
    isCaught,
    text: `${without}: ${caught}, ${kindsOf(weakened.verdict)} in at most ${control.size} ${unit}`,
  });
  say(`Control (${without}), at most ${control.size} ${unit}: ${caught}: ${kindsOf(weakened.verdict)}`);
}
const isCaught = judged.every((each) => each.isCaught);
await endRunning();

if (values.save) {
  const date = new Date().toISOString().slice(0, 10);
  const folder = fileURLToPath(new URL('../bench/results/proofs/', import.meta.url));
  const engine = proof.startsPostgres && !values.database ? 'postgres' : await engineOf(values.database);
  const file = `${date}-${name}${engine === 'sqlite' ? '' : `-${engine}`}.md`;
  mkdirSync(folder, { recursive: true });
  const lines = [
    `# npm run prove -- ${name} --${unit} ${size} --seed ${seed}, on ${engines[engine]}`,
    '',
    `${date}, Node ${process.version}, ${real.seconds} s`,
    '',
    `- Claim: ${proof.claim}`,
    `- Result: ${result}: ${shownFigures(real.verdict)}.`,
    ...real.verdict.violations.slice(0, 20).map((violation) => `  - ${violation}`),
    ...judged.map(({ text }) => `- Control, a build where ${text}.`),
  ];
  writeFileSync(folder + file, `${lines.join('\n')}\n`);
  say(`Written to bench/results/proofs/${file}`);
}
process.exitCode = isHeld && isCaught ? 0 : 1;
