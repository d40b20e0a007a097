/**
 * `npm run bench:bulk`: an import of 50,000 resources of about 1 KB beside single PUTs over 32 connections, in portions
 * that take turns so that both meet the same machine; and what reads and single writes of others take meanwhile.
 * Options: --count <resources> instead of 50,000, --database <URL> for PostgreSQL, --precedence to let the thread that
 * measures run before all others, as one on another machine would (needs chrt, and the right to use it).
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHistogram } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { draft } from './documents.ts';
import type { ImportTask } from './import-worker.ts';
import { type LoadResult, type MakeRequest, runLoad } from './load.ts';
import type { LoopRounds } from './loop-rounds.ts';
import { cpuSeconds, fetchToken, peakMb, type Running, startService, temporaryFolder } from './service.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '50000' },
    database: { type: 'string' },
    precedence: { type: 'boolean', default: false },
  },
});
const count = Number(values.count);
const rounds = 5;
const connections = 32;
/** Alternations of a load alone and beside an import. */
const slices = 4;
const importedOfSlice = 4000;
const say = (text: string) => process.stdout.write(`${text}\n`);

interface Side {
  readonly service: Running;
  readonly token: string;
}

function headOf({ token }: Side, method: string, path: string): string {
  return `${method} /bench${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n`;
}

const putOf =
  (side: Side, prefix: string, from: number): MakeRequest =>
  (n) => {
    const body = JSON.stringify(draft(from + n, `${prefix}-${from + n}`));
    const head = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}`;
    return `${headOf(side, 'PUT', '/resource')}${head}\r\n\r\n${body}`;
  };

const readOf =
  (side: Side, most: number): MakeRequest =>
  (n) =>
    `${headOf(side, 'GET', `/resource/key=put-${(n * 7919) % most}`)}\r\n`;

/**
 * Imports resources; resolves to the seconds until the summary. From a thread of its own: the time that it takes to make
 * lines is no part of what others wait.
 */
async function runImport({ service, token }: Side, from: number, count: number): Promise<number> {
  const workerData: ImportTask = { port: service.port, token, from, count };
  const worker = new Worker(new URL('./import-worker.ts', import.meta.url), { workerData });
  const [seconds] = await once(worker, 'message');
  return seconds as number;
}

/** What others take: reads over four connections that pause, or writes. */
async function others(side: Side, make: MakeRequest, isOver: () => boolean): Promise<LoadResult> {
  const { port } = side.service;
  return runLoad({ port, connections: 4, requests: 1e9, ms: 60_000, pauseMs: 2, make, isOver });
}

/** Seconds that the first thread of a process has run, and that it was ready to run and no core was free. */
function scheduled(pid: number): readonly [ran: number, waited: number] {
  const [ran = 0, waited = 0] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ').map(Number);
  return [ran / 1e9, waited / 1e9];
}

/** Rounds of the event loop of the service since the last call. */
async function loopRounds({ service }: Side): Promise<LoopRounds> {
  service.process.kill('SIGUSR2');
  await new Promise((resolve) => setTimeout(resolve, 100));
  return JSON.parse(readFileSync(roundsFile, 'utf8'));
}

/** What was met in some slices of time. */
class Slices {
  readonly #latency = createHistogram();
  readonly #shares = { service: [0, 0], client: [0, 0] };
  readonly #rounds: LoopRounds[] = [];
  #requests = 0;
  #seconds = 0;

  async measure(side: Side, work: () => Promise<LoadResult>): Promise<void> {
    await loopRounds(side);
    const pids = { service: side.service.process.pid!, client: process.pid };
    const before = { service: scheduled(pids.service), client: scheduled(pids.client) };
    const begunMs = performance.now();
    const { latency, requests } = await work();
    this.#seconds += (performance.now() - begunMs) / 1000;
    for (const name of ['service', 'client'] as const) {
      for (const [at, seconds] of scheduled(pids[name]).entries())
        this.#shares[name][at]! += seconds - before[name][at]!;
    }
    this.#latency.add(latency);
    this.#requests += requests;
    this.#rounds.push(await loopRounds(side));
  }

  ms(percentile: number): number {
    return this.#latency.percentile(percentile) / 1e6;
  }

  show(title: string): void {
    const perSecond = Math.round(this.#requests / this.#seconds);
    say(`${title}: ${perSecond}/s, median ${this.ms(50).toFixed(2)} ms, 99 % ${this.ms(99).toFixed(2)} ms`);
    const most = (name: keyof LoopRounds) => `${Math.max(...this.#rounds.map((rounds) => rounds[name])).toFixed(2)} ms`;
    const collected = this.#rounds.reduce((sum, { collectionMs }) => sum + collectionMs, 0) / 1000;
    const share = (seconds: number) => `${((100 * seconds) / this.#seconds).toFixed(1)} %`;
    const [[ran = 0, waited = 0], [, clientWaited = 0]] = [this.#shares.service, this.#shares.client];
    say(
      `  thread of requests: runs ${share(ran)}, ready without a core ${share(waited)} (client ${share(clientWaited)})`,
    );
    say(`  rounds of its loop: 99 % ${most('p99Ms')}, longest ${most('maxMs')}`);
    say(`  its garbage collector: ${share(collected)}, longest ${most('longestCollectionMs')}`);
  }
}

/** Keeps one core busy while others work: nothing that this service does, and so what a machine with few cores asks of them. */
async function besideBusyCore(work: () => Promise<LoadResult>): Promise<LoadResult> {
  const busy = spawn(process.execPath, ['--eval', 'for (const endMs = Date.now() + 60_000; Date.now() < endMs; );']);
  try {
    await once(busy, 'spawn');
    return await work();
  } finally {
    busy.kill('SIGKILL');
  }
}

/** Others alone, beside an import, and beside another program that keeps one core busy, in turn. */
async function beside(side: Side, name: string, make: (round: string) => MakeRequest, from: number): Promise<void> {
  const [alone, during, control] = [new Slices(), new Slices(), new Slices()];
  const rates: number[] = [];
  for (let slice = 0; slice < slices; slice += 1) {
    const forTwoSeconds = (round: string) => {
      const endMs = performance.now() + 2000;
      return others(side, make(round), () => performance.now() > endMs);
    };
    await alone.measure(side, () => forTwoSeconds(`alone-${slice}`));
    await control.measure(side, () => besideBusyCore(() => forTwoSeconds(`busy-${slice}`)));
    await during.measure(side, async () => {
      let isOver = false;
      const load = others(side, make(`beside-${slice}`), () => isOver);
      rates.push(importedOfSlice / (await runImport(side, from + slice * importedOfSlice, importedOfSlice)));
      isOver = true;
      return load;
    });
  }
  alone.show(`${name} alone`);
  during.show(`${name} beside an import of ${rates.map((rate) => Math.round(rate)).join(', ')}/s`);
  say(`  99 %: ${(during.ms(99) / alone.ms(99)).toFixed(2)} times`);
  control.show(`${name} beside another program that keeps one core busy`);
  say(`  99 %: ${(control.ms(99) / alone.ms(99)).toFixed(2)} times`);
}

const folder = temporaryFolder();
const roundsFile = join(folder.path, 'loop-rounds.json');
const service = await startService(folder.path, {
  ...(values.database && { DATABASE_URL: values.database }),
  LOOP_ROUNDS_FILE: roundsFile,
  NODE_OPTIONS: `--import=${new URL('./loop-rounds.ts', import.meta.url).href}`,
});
// -R: what it starts has none.
if (values.precedence) execFileSync('chrt', ['-R', '-f', '-p', '1', String(process.pid)]);
try {
  const side = { service, token: await fetchToken(service.port, 'manage_project:bench') };
  const { port } = service;
  const some = Math.ceil(count / rounds);
  const rates = { put: [] as number[], import: [] as number[] };
  const cpu = { put: 0, import: 0 };
  await runLoad({ port, connections, requests: 2000, ms: 60_000, make: putOf(side, 'warm', 0) });
  await runImport(side, 10_000_000, 2000);
  for (let round = 0; round < rounds; round += 1) {
    const before = cpuSeconds(service);
    const put = await runLoad({
      port,
      connections,
      requests: some,
      ms: 600_000,
      make: putOf(side, 'put', round * some),
    });
    if (put.statuses.get(201) !== some) throw new Error(`not all were created: ${[...put.statuses]}`);
    const between = cpuSeconds(service);
    const seconds = await runImport(side, round * some, some);
    cpu.put += between - before;
    cpu.import += cpuSeconds(service) - between;
    rates.put.push(put.perSecond);
    rates.import.push(some / seconds);
    say(`round ${round + 1}: PUT ${Math.round(put.perSecond)}/s, import ${Math.round(some / seconds)}/s`);
  }
  const total = (name: 'put' | 'import') => rounds / rates[name].reduce((sum, rate) => sum + 1 / rate, 0);
  const perResource = (name: 'put' | 'import') =>
    `${Math.round((cpu[name] * 1e6) / (rounds * some))} µs of processor time`;
  say(`single PUTs over ${connections} connections: ${Math.round(total('put'))}/s, ${perResource('put')} each`);
  say(`import: ${Math.round(total('import'))}/s, ${perResource('import')} each`);
  say(`ratio: ${(total('import') / total('put')).toFixed(2)}; peak memory ${peakMb(service)} MB`);
  await beside(side, 'reads', () => readOf(side, rounds * some), 20_000_000);
  await beside(side, 'single PUTs', (round) => putOf(side, round, 0), 30_000_000);
} finally {
  await service.stop();
  folder.remove();
}
