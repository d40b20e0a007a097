/**
 * `npm run bench:images`: measures backend actions and images against goals, beside bare node:http with the same bytes.
 * Ends by itself after about two minutes. Options: --quick (short rounds), --save (adds
 * bench/results/actions-images-<date>.md), --only <text> (measurements whose name has it: cart, put, file, upload).
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Fact, markdownLine } from '../search/report.ts';
import { say } from '../search/stage.ts';
import { residentMb, startService, temporaryFolder } from '../service.ts';
import { measures } from './measure.ts';
import { prepareStage } from './stage.ts';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    save: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
});
const rounds = { connections: 50, count: 5, ms: options.quick ? 400 : 1500 };
const head = [
  ['what', 'measured', 'goal'],
  ['---', '---', '---'],
].map(markdownLine);

function lineOf({ what, measured, goal, met }: Fact): string {
  const verdict = met === undefined ? '' : met ? ' reached' : ' MISSED';
  return markdownLine([what, measured, `${goal}${verdict}`]);
}

async function measureAll(folder: string): Promise<readonly string[]> {
  const service = await startService(join(folder, 'data'));
  try {
    const stage = await prepareStage(service, folder);
    try {
      say(`filled, RSS ${residentMb(service)} MB\n${head.join('\n')}`);
      const lines: string[] = [];
      for (const [name, measure] of measures.filter(([each]) => each.includes(options.only))) {
        const found = (await measure(stage, rounds)).map(lineOf);
        say(found.join('\n') || name);
        lines.push(...found);
      }
      return [...lines, '', `RSS of the service at the end: ${residentMb(service)} MB.`];
    } finally {
      await stage.bare.stop();
    }
  } finally {
    await service.stop();
  }
}

const temporary = temporaryFolder();
try {
  const date = new Date().toISOString().slice(0, 10);
  const cpu = cpus();
  const machine = `${cpu.length} × ${cpu[0]?.model}, Node ${process.version}, ${rounds.connections} connections, load generator on the same machine; shares and rates are medians of ${rounds.count} rounds, in turn with what they are compared to.`;
  say(machine);
  const lines = await measureAll(temporary.path);
  if (options.save) {
    mkdirSync('bench/results', { recursive: true });
    const title = `# Bench of actions and images, ${date}`;
    writeFileSync(
      `bench/results/actions-images-${date}.md`,
      [title, '', machine, '', ...head, ...lines, ''].join('\n'),
    );
    say(`saved bench/results/actions-images-${date}.md`);
  }
} finally {
  temporary.remove();
}
