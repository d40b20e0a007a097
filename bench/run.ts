/**
 * `npm run bench`: measures the service against bare node:http in the same minute and prints the ratios.
 * Options: --quick (1 s a trial), --save (adds bench/results/<date>.md), --only <text> (trials whose name has it).
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { draft } from './documents.ts';
import { type LoadResult, runLoad } from './load.ts';
import { fetchToken, type Running, residentMb, startCeiling, startService, temporaryFolder } from './service.ts';
import { type Stage, type Trial, trials } from './trials.ts';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    save: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
});

const connections = 50;
const trialMs = options.quick ? 1000 : 4000;
const project = 'bench';

interface Row {
  readonly store: number;
  readonly trial: Trial;
  readonly result: LoadResult;
  readonly ceiling: LoadResult;
  readonly rssMb: number;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Creates the resources through the API and learns their ids from the answers. */
async function fill(service: Running, token: string, count: number): Promise<Stage> {
  const ids = new Array<string>(count);
  const head = `POST /${project}/resource HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n`;
  const begun = performance.now();
  await runLoad({
    ...{ port: service.port, connections, requests: count, ms: 600_000 },
    make(n) {
      const body = JSON.stringify(draft(n, `r-${n}`));
      return `${head}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    },
    onBody(body, n) {
      ids[n] = /"id":"([^"]+)"/.exec(body)?.[1] ?? '';
    },
  });
  const seconds = (performance.now() - begun) / 1000;
  say(`  filled ${count.toLocaleString('en')} resources in ${seconds.toFixed(1)} s, RSS ${residentMb(service)} MB`);
  return { token, project, count, idOf: (n) => ids[n] ?? '' };
}

async function ceilingOf(ceiling: Running): Promise<LoadResult> {
  const make = () => 'GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n';
  return runLoad({ port: ceiling.port, connections, requests: 1e9, ms: trialMs / 2, make });
}

function combine(a: LoadResult, b: LoadResult): LoadResult {
  return { ...a, perSecond: (a.perSecond + b.perSecond) / 2, p99Ms: Math.max(a.p99Ms, b.p99Ms) };
}

async function runTrial(trial: Trial, stage: Stage, service: Running, ceiling: Running): Promise<Row> {
  const before = await ceilingOf(ceiling);
  const make = trial.make(stage);
  const result = await runLoad({ port: service.port, connections, requests: 1e9, ms: trialMs, make });
  const after = await ceilingOf(ceiling);
  const others = [...result.statuses].filter(([status]) => status !== trial.expectStatus);
  if (others.length > 0) say(`  !! ${trial.name}: unexpected answers ${JSON.stringify(others)}`);
  return { store: stage.count, trial, result, ceiling: combine(before, after), rssMb: residentMb(service) };
}

function line({ store, trial, result, ceiling, rssMb }: Row): string {
  const share = result.perSecond / ceiling.perSecond;
  const verdict = share >= trial.goalShare ? 'reached' : 'MISSED';
  const p99 = trial.goalP99Ms === undefined ? '' : ` (≤ ${trial.goalP99Ms})`;
  const cells = [
    store.toLocaleString('en'),
    trial.name,
    Math.round(result.perSecond).toLocaleString('en'),
    `${(share * 100).toFixed(0)} %`,
    `${(trial.goalShare * 100).toFixed(0)} % ${verdict}`,
    result.p50Ms.toFixed(2),
    `${result.p99Ms.toFixed(2)}${p99}`,
    String(rssMb),
  ];
  return `| ${cells.join(' | ')} |`;
}

async function runStore(count: number, ceiling: Running): Promise<string[]> {
  const folder = temporaryFolder();
  const service = await startService(folder.path);
  try {
    const idleMb = residentMb(service);
    say(`Store of ${count.toLocaleString('en')}: first answer ${service.startMs.toFixed(0)} ms, RSS idle ${idleMb} MB`);
    const token = await fetchToken(service.port, `manage_project:${project}`);
    const stage = await fill(service, token, count);
    const lines: string[] = [];
    for (const trial of trials.filter(({ name }) => name.includes(options.only))) {
      lines.push(line(await runTrial(trial, stage, service, ceiling)));
      say(lines.at(-1) ?? '');
    }
    await service.stop();
    const again = await startService(folder.path);
    const note = `Start on ${count.toLocaleString('en')} resources and more: first answer ${again.startMs.toFixed(0)} ms; RSS idle ${idleMb} MB.`;
    await again.stop();
    say(`  ${note}`);
    return [...lines, `<!-- ${note} -->`];
  } finally {
    await service.stop();
    folder.remove();
  }
}

const header = [
  '| resources | trial | req/s | share of bare node:http | goal | p50 ms | p99 ms | RSS MB |',
  '|---|---|---|---|---|---|---|---|',
];

const ceiling = await startCeiling();
try {
  say(header.join('\n'));
  const lines = [...(await runStore(1000, ceiling)), ...(await runStore(100_000, ceiling))];
  if (options.save) {
    const date = new Date().toISOString().slice(0, 10);
    const cpu = cpus();
    const machine = `${cpu.length} × ${cpu[0]?.model}, Node ${process.version}, ${connections} connections, load generator on the same machine`;
    mkdirSync('bench/results', { recursive: true });
    const rows = lines.filter((text) => text.startsWith('|'));
    const notes = lines.filter((text) => text.startsWith('<!--')).map((text) => `- ${text.slice(5, -4)}`);
    writeFileSync(
      `bench/results/${date}.md`,
      [`# Bench of ${date}`, '', machine, '', ...header, ...rows, '', ...notes, ''].join('\n'),
    );
    say(`saved bench/results/${date}.md`);
  }
} finally {
  await ceiling.stop();
}
