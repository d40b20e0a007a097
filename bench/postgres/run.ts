import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { processEnvironment } from '../../src/config/environment.ts';
import { startPostgres } from '../../test/storage/postgres/postgres-server.ts';
import { connections, fill, type Measured, project, runTrial, say } from '../measure.ts';
import type { BenchOptions } from '../options.ts';
import { fetchToken, type Running, startProgram, startService, temporaryFolder } from '../service.ts';
import { type Stage, type Trial, trials } from '../trials.ts';
import { driverProject, wipe } from './learn.ts';

/**
 * The trials on PostgreSQL: as shares of bare node:http, as processor time of the service beside that of the driver alone with
 * the same statements, and with three processes. On the PostgreSQL of DATABASE_URL, into projects that are deleted
 * before, or one that is started for it.
 */
const resources = 1500;
const warmUp = 500;
/** Of the service: it has more code to be compiled. */
const serviceWarmUp = 3000;
const goalRatio = 1.5;

interface Bench {
  readonly url: string;
  readonly ceiling: Running;
  readonly trialMs: number;
  readonly chosen: readonly Trial[];
}

/** Creates come first where each request can be played once: the others are about what they made. */
const createsFirst = (a: Trial, b: Trial) => Number(b.name === 'create') - Number(a.name === 'create');

async function benchDriver({ url, ceiling, trialMs, chosen }: Bench): Promise<ReadonlyMap<string, Measured>> {
  say(`The driver alone: learning ${resources} requests of each kind`);
  const driver = await startProgram('bench/postgres/driver.ts', [String(resources)], { DATABASE_URL: url });
  const ids = driver.said.ids as readonly string[];
  const stage: Stage = { token: 'none', project: driverProject, count: resources, idOf: (n) => ids[n] ?? '' };
  const measured = new Map<string, Measured>();
  try {
    const needed = trials.filter((trial) => chosen.includes(trial) || trial.name === 'create').sort(createsFirst);
    for (const trial of needed) {
      const isWrite = trial.name === 'create' || trial.name.startsWith('update');
      // Each of them can be played back once.
      const limit = isWrite ? { requests: resources - warmUp } : {};
      measured.set(
        trial.name,
        await runTrial(trial, stage, { service: driver, ceiling, trialMs, warmUp: { requests: warmUp }, ...limit }),
      );
    }
    return measured;
  } finally {
    await driver.stop();
    await wipe(url);
  }
}

async function benchService(bench: Bench, workers: number): Promise<ReadonlyMap<string, Measured>> {
  const folder = temporaryFolder();
  const service = await startService(folder.path, { DATABASE_URL: bench.url, WORKERS: String(workers) });
  const measured = new Map<string, Measured>();
  try {
    say(
      `The service, ${workers} ${workers === 1 ? 'process' : 'processes'}: first response ${service.startMs.toFixed(0)} ms`,
    );
    const stage = await fill(service, await fetchToken(service.port, `manage_project:${project}`), resources);
    for (const trial of bench.chosen)
      measured.set(
        trial.name,
        await runTrial(trial, stage, { service, warmUp: { requests: serviceWarmUp }, ...bench }),
      );
    return measured;
  } finally {
    await service.stop();
    folder.remove();
    await wipe(bench.url, project);
  }
}

const header = [
  '| trial | req/s | share of bare node:http | p50 ms | p99 ms | CPU µs/request | driver alone: req/s | CPU µs/request | ratio of CPU (goal ≤ 1.5) | 3 processes: req/s |',
  '|---|---|---|---|---|---|---|---|---|---|',
];

const whole = (value: number) => Math.round(value).toLocaleString('en');

function line(own: Measured, driver: Measured, three: Measured): string {
  const ratio = own.cpuUs / driver.cpuUs;
  const cells = [
    ...[own.trial.name, whole(own.result.perSecond)],
    `${((100 * own.result.perSecond) / own.ceiling.perSecond).toFixed(1)} %`,
    ...[own.result.p50Ms.toFixed(2), own.result.p99Ms.toFixed(2), whole(own.cpuUs)],
    ...[whole(driver.result.perSecond), whole(driver.cpuUs)],
    `${ratio.toFixed(2)} ${ratio <= goalRatio ? 'reached' : 'MISSED'}`,
    `${whole(three.result.perSecond)} (× ${(three.result.perSecond / own.result.perSecond).toFixed(2)})`,
  ];
  return `| ${cells.join(' | ')} |`;
}

function save(lines: readonly string[]): void {
  const date = new Date().toISOString().slice(0, 10);
  const [cpu] = cpus();
  const machine = `${cpus().length} × ${cpu?.model}, Node ${process.version}, ${connections} connections, ${whole(resources)} resources; PostgreSQL and the load generator on the same machine`;
  const file = `bench/results/${date}-postgres.md`;
  mkdirSync('bench/results', { recursive: true });
  writeFileSync(file, [`# Bench on PostgreSQL of ${date}`, '', machine, '', ...header, ...lines, ''].join('\n'));
  say(`saved ${file}`);
}

/** Runs all of it and prints the table. */
export async function benchEngine(ceiling: Running, { quick, save: isSaved, only }: BenchOptions): Promise<void> {
  const given = processEnvironment().DATABASE_URL;
  const server = given === undefined ? await startPostgres() : undefined;
  try {
    const chosen = trials.filter(({ name, ofMemory }) => name.includes(only) && !ofMemory);
    const bench: Bench = { url: given ?? server!.url, ceiling, trialMs: quick ? 1000 : 2000, chosen };
    const driver = await benchDriver(bench);
    const one = await benchService(bench, 1);
    const three = await benchService(bench, 3);
    const lines = chosen.map(({ name }) => line(one.get(name)!, driver.get(name)!, three.get(name)!));
    say([...header, ...lines].join('\n'));
    if (isSaved) save(lines);
  } finally {
    await server?.close();
  }
}
