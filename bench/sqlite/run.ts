import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { connections, type Measured, project, runTrial, say } from '../measure.ts';
import type { BenchOptions } from '../options.ts';
import { fetchToken, peakMb, type Running, startedFrom, startService, temporaryFolder } from '../service.ts';
import { goalShareOf, trials } from '../trials.ts';
import { hasWrk } from '../wrk.ts';
import { fillStore } from './footprint.ts';

const percent = (share: number) => `${(share * 100).toFixed(0)} %`;

function line({ store, trial, result, ceiling, rssMb, cpuUs, wrk }: Measured): string {
  const { goalP99Ms } = trial;
  const goalShare = goalShareOf(trial, store);
  const share = result.perSecond / ceiling.perSecond;
  const verdict = goalShare === undefined ? '–' : `${percent(goalShare)} ${share >= goalShare ? 'reached' : 'MISSED'}`;
  const p99 = goalP99Ms === undefined ? '' : ` (≤ ${goalP99Ms})`;
  const cells = [
    store.toLocaleString('en'),
    trial.name,
    Math.round(result.perSecond).toLocaleString('en'),
    percent(share),
    ceiling.looks.map((perSecond) => `${(perSecond / 1000).toFixed(1)}`).join('–'),
    `${cpuUs.toFixed(0)} (${ceiling.cpuUs.toFixed(0)})`,
    wrk ? `${percent(wrk.perSecond / wrk.ceiling)}, ${wrk.p99Ms.toFixed(1)}` : '–',
    verdict,
    result.p50Ms.toFixed(2),
    `${result.p99Ms.toFixed(2)}${p99}`,
    ceiling.p99Ms.toFixed(2),
    String(rssMb),
  ];
  return `| ${cells.join(' | ')} |`;
}

async function runStore(
  count: number,
  ceiling: Running,
  { quick, only, workers, wrk }: BenchOptions,
): Promise<string[]> {
  const trialMs = quick ? 1000 : 4000;
  const folder = temporaryFolder();
  const environment = { WORKERS: workers };
  try {
    say(`Store of ${count.toLocaleString('en')}:`);
    const { stage, notes, peakMb: fillPeakMb } = await fillStore(folder.path, count, environment);
    for (const note of notes) say(`  ${note}`);
    const service = await startService(folder.path, environment);
    const lines: string[] = [];
    let peak = fillPeakMb;
    try {
      const token = await fetchToken(service.port, `manage_project:${project}`);
      for (const trial of trials.filter(({ name }) => name.includes(only))) {
        const settings = { service, ceiling, trialMs, wrk, warmUp: 'until steady' } as const;
        lines.push(line(await runTrial(trial, { ...stage, token }, settings)));
        say(lines.at(-1) ?? '');
      }
      peak = Math.max(peak, peakMb(service));
    } finally {
      await service.stop();
    }
    const peakNote = `RSS: peak ${peak} MB (goal 350)`;
    say(`  ${peakNote}`);
    return [
      ...lines,
      ...[...notes, peakNote].map((note) => `<!-- ${count.toLocaleString('en')} resources: ${note}. -->`),
    ];
  } finally {
    folder.remove();
  }
}

const header = [
  '| resources | trial | req/s | share of bare node:http | ceiling before–after, k/s | CPU µs (of the ceiling) | wrk: share, p99 ms | goal | p50 ms | p99 ms | p99 ms of the ceiling | RSS MB |',
  '|---|---|---|---|---|---|---|---|---|---|---|---|',
];

/** Runs the trials on the embedded store, in each of its sizes, and prints the table. */
export async function benchEngine(ceiling: Running, options: BenchOptions): Promise<void> {
  const wrk = options.wrk && hasWrk();
  if (options.wrk && !wrk) say('wrk is not installed: our own client judges alone.');
  say(header.join('\n'));
  const lines: string[] = [];
  for (const size of options.sizes) lines.push(...(await runStore(size, ceiling, { ...options, wrk })));
  if (options.save) {
    const date = new Date().toISOString().slice(0, 10);
    const cpu = cpus();
    const machine = `${cpu.length} × ${cpu[0]?.model}, Node ${process.version}, ${connections} connections, WORKERS=${options.workers}, from ${startedFrom()}, load generator on the same machine`;
    mkdirSync('bench/results', { recursive: true });
    const rows = lines.filter((text) => text.startsWith('|'));
    const notes = lines.filter((text) => text.startsWith('<!--')).map((text) => `- ${text.slice(5, -4)}`);
    writeFileSync(
      `bench/results/${date}.md`,
      [`# Bench of ${date}`, '', machine, '', ...header, ...rows, '', ...notes, ''].join('\n'),
    );
    say(`saved bench/results/${date}.md`);
  }
}
