/**
 * `npm run bench:growth`: what a request takes of the processor in a large store, by what it takes in a small one. Each
 * store has a service of its own, on SQLite; they take turns of a second, between two looks at bare node:http, since machines
 * swing by more from minute to minute than stores differ. To fill 1,000,000 takes some minutes. Options:
 *   --sizes <a,b>   resources of both: 10000,1000000 by default
 *   --turns <n>     of each store in each trial (8)
 *   --only <text>   trials whose name has it
 */
import { parseArgs } from 'node:util';
import { fill, type Measured, project, runTrial, say, warmCeiling } from './measure.ts';
import { markdownLine, medianOf } from './search/report.ts';
import { fetchToken, type Running, startCeiling, startService, temporaryFolder } from './service.ts';
import { type Stage, type Trial, trials } from './trials.ts';

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,1000000' },
    turns: { type: 'string', default: '8' },
    only: { type: 'string', default: '' },
  },
});
const sizes = options.sizes.split(',').map(Number);
const turns = Number(options.turns);
if (sizes.length !== 2 || !sizes.every((size) => Number.isInteger(size) && size > 0)) {
  throw new Error('--sizes takes two whole numbers, such as 10000,1000000.');
}
if (!Number.isInteger(turns) || turns < 1) throw new Error('--turns takes a whole number from 1 on.');

const turnMs = 1000;
const warmUpRequests = 20_000;

/** Trials of one kind of request: beside others, what a request takes is not its own. */
const measured = trials.filter(
  ({ name, beside, connections }) => !beside && !connections && !name.includes('beside') && name.includes(options.only),
);

interface Side {
  readonly service: Running;
  readonly stage: Stage;
}

async function startSide(size: number): Promise<Side & { stop(): Promise<void> }> {
  const folder = temporaryFolder();
  const service = await startService(folder.path, { WORKERS: '1' });
  const stop = async () => {
    await service.stop();
    folder.remove();
  };
  try {
    const token = await fetchToken(service.port, `manage_project:${project}`);
    return { service, stage: await fill(service, token, size), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The trial on one side: each turn goes on where the one before it ended. */
function onSide(trial: Trial, { stage }: Side): Trial {
  const make = trial.make(stage);
  let sent = 0;
  return { ...trial, make: () => () => make(sent++) };
}

/** Processor time by that of the ceiling beside it. */
const relative = ({ cpuUs, ceiling }: Measured) => cpuUs / ceiling.cpuUs;

function cell(ofSide: readonly Measured[]): string {
  const of = (value: (one: Measured) => number) => medianOf(ofSide.map(value));
  const share = of(({ result, ceiling }) => result.perSecond / ceiling.perSecond);
  return `${of(({ cpuUs }) => cpuUs).toFixed(0)} (${of(({ ceiling }) => ceiling.cpuUs).toFixed(0)}), ${(100 * share).toFixed(0)} %`;
}

async function compare(trial: Trial, sides: readonly Side[], ceiling: Running): Promise<void> {
  const own = sides.map((side) => ({ side, trial: onSide(trial, side), results: [] as Measured[] }));
  for (let turn = 0; turn < turns; turn += 1) {
    for (const each of turn % 2 === 0 ? own : own.toReversed()) {
      const { service, stage } = each.side;
      const warmUp = turn === 0 ? { requests: warmUpRequests } : undefined;
      const settings = { service, ceiling, trialMs: turnMs, ...(warmUp && { warmUp }) };
      each.results.push(await runTrial(each.trial, stage, settings));
    }
  }
  const [small, large] = own.map(({ results }) => medianOf(results.map(relative)));
  say(markdownLine([trial.name, ...own.map(({ results }) => cell(results)), (large! / small!).toFixed(2)]));
}

const ceiling = await startCeiling();
const sides: (Side & { stop(): Promise<void> })[] = [];
try {
  for (const size of sizes) sides.push(await startSide(size));
  await warmCeiling(ceiling);
  const heads = sizes.map((size) => `${size.toLocaleString('en')}: µs (of the ceiling), share`);
  say(markdownLine(['trial', ...heads, 'times']));
  say(markdownLine(['---', '---', '---', '---']));
  for (const trial of measured) await compare(trial, sides, ceiling);
} finally {
  for (const side of sides) await side.stop();
  await ceiling.stop();
}
