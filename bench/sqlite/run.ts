import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { connections, fill, type Measured, project, runTrial, say, warmCeiling } from '../measure.ts';
import type { BenchOptions } from '../run.ts';
import { fetchToken, type Running, residentMb, startService, temporaryFolder } from '../service.ts';
import { trials } from '../trials.ts';
import { hasWrk } from '../wrk.ts';

function line({ store, trial, result, ceiling, rssMb, cpuUs, wrk }: Measured): string {
  const share = result.perSecond / ceiling.perSecond;
  const verdict = share >= trial.goalShare ? 'reached' : 'MISSED';
  const p99 = trial.goalP99Ms === undefined ? '' : ` (≤ ${trial.goalP99Ms})`;
  const cells = [
    store.toLocaleString('en'),
    trial.name,
    Math.round(result.perSecond).toLocaleString('en'),
    `${(share * 100).toFixed(0)} %`,
    ceiling.looks.map((perSecond) => `${(perSecond / 1000).toFixed(1)}`).join('–'),
    cpuUs.toFixed(0),
    wrk ? `${((wrk.perSecond / wrk.ceiling) * 100).toFixed(0)} %, ${wrk.p99Ms.toFixed(1)}` : '–',
    `${(trial.goalShare * 100).toFixed(0)} % ${verdict}`,
    result.p50Ms.toFixed(2),
    `${result.p99Ms.toFixed(2)}${p99}`,
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
  const service = await startService(folder.path, { WORKERS: workers });
  try {
    const idleMb = residentMb(service);
    say(
      `Store of ${count.toLocaleString('en')}: first response ${service.startMs.toFixed(0)} ms, RSS idle ${idleMb} MB`,
    );
    const token = await fetchToken(service.port, `manage_project:${project}`);
    const stage = await fill(service, token, count);
    const lines: string[] = [];
    for (const trial of trials.filter(({ name }) => name.includes(only))) {
      lines.push(line(await runTrial(trial, stage, { service, ceiling, trialMs, wrk })));
      say(lines.at(-1) ?? '');
    }
    await service.stop();
    const again = await startService(folder.path, { WORKERS: workers });
    const note = `Start on ${count.toLocaleString('en')} resources and more: first response ${again.startMs.toFixed(0)} ms; RSS idle ${idleMb} MB.`;
    await again.stop();
    say(`  ${note}`);
    return [...lines, `<!-- ${note} -->`];
  } finally {
    await service.stop();
    folder.remove();
  }
}

const header = [
  '| resources | trial | req/s | share of bare node:http | ceiling before–after, k/s | CPU µs | wrk: share, p99 ms | goal | p50 ms | p99 ms | RSS MB |',
  '|---|---|---|---|---|---|---|---|---|---|---|',
];

/** Runs the trials on the embedded store, in each of its sizes, and prints the table. */
export async function benchEngine(ceiling: Running, options: BenchOptions): Promise<void> {
  const wrk = options.wrk && hasWrk();
  if (options.wrk && !wrk) say('wrk is not installed: our own client judges alone.');
  await warmCeiling(ceiling);
  say(header.join('\n'));
  const lines: string[] = [];
  for (const size of options.sizes.split(','))
    lines.push(...(await runStore(Number(size), ceiling, { ...options, wrk })));
  if (options.save) {
    const date = new Date().toISOString().slice(0, 10);
    const cpu = cpus();
    const machine = `${cpu.length} × ${cpu[0]?.model}, Node ${process.version}, ${connections} connections, WORKERS=${options.workers}, load generator on the same machine`;
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
