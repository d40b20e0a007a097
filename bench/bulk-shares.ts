/**
 * `npm run bench:bulk-shares`: what others wait for beside an import, by the share of the time that it works (IMPORT_SHARE).
 * One service for each share, of which all but one have nothing to do; they take turns, so that all meet the same machine.
 * Options: --shares, in percent, 100 for an import that never gives way; --loads, of reads (closed loop), steady (reads
 * at 1,000 per second, open loop) and puts; --turns; --slice <ms>; --quiet <percent>: slices in which other programs took
 * more of the machine are left out. On a machine with other work, `chrt -r 1 node bench/bulk-shares.ts` takes the cores from it.
 */
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { draft } from './documents.ts';
import type { StreamTask } from './import-stream-worker.ts';
import { type MakeRequest, runLoad } from './load.ts';
import { cpuSeconds, fetchToken, type Running, startService, temporaryFolder } from './service.ts';
import { runSteadyLoad } from './steady-load.ts';

const { values } = parseArgs({
  options: {
    shares: { type: 'string', default: '100,50,20,10,5' },
    loads: { type: 'string', default: 'reads,steady,puts' },
    turns: { type: 'string', default: '4' },
    slice: { type: 'string', default: '1500' },
    quiet: { type: 'string', default: '100' },
  },
});
const shares = values.shares.split(',').map(Number);
const sliceMs = Number(values.slice);
const perSecond = 1000;
const stored = 2000;
const noticeMs = 250;
const say = (text: string) => process.stdout.write(`${text}\n`);
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

interface Side {
  readonly share: number;
  readonly service: Running;
  readonly token: string;
}

function headOf({ token }: Side, method: string, path: string): string {
  return `${method} /bench${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n`;
}

let puts = 0;
function putOf(side: Side): MakeRequest {
  return () => {
    puts += 1;
    const body = JSON.stringify(draft(puts, `put-${puts % stored}`));
    const head = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}`;
    return `${headOf(side, 'PUT', '/resource')}${head}\r\n\r\n${body}`;
  };
}

const readOf =
  (side: Side): MakeRequest =>
  (n) =>
    `${headOf(side, 'GET', `/resource/key=put-${(n * 7919) % stored}`)}\r\n`;

/** The load of others for the time of a slice: the time of each response. */
async function runOthers(side: Side, load: string, ms = sliceMs): Promise<RecordableHistogram> {
  const { port } = side.service;
  if (load === 'steady') return runSteadyLoad({ port, perSecond, ms, make: readOf(side) });
  const make = load === 'puts' ? putOf(side) : readOf(side);
  return (await runLoad({ port, connections: 4, requests: 1e9, ms, pauseMs: 2, make })).latency;
}

/** An import that goes on until it is stopped. */
class Import {
  static #next = 1_000_000;
  readonly #worker: Worker;

  constructor({ service, token }: Side) {
    const workerData: StreamTask = { port: service.port, token, from: Import.#next };
    Import.#next += 100_000;
    this.#worker = new Worker(new URL('./import-stream-worker.ts', import.meta.url), { workerData });
  }

  /** Lines that have their result. */
  async count(): Promise<number> {
    this.#worker.postMessage('count');
    return (await once(this.#worker, 'message'))[0];
  }

  async stop(): Promise<void> {
    this.#worker.postMessage('stop');
    await once(this.#worker, 'exit');
  }
}

/** Seconds that the threads of a process ran, the first one and the others, and that the first one was ready without a core. */
function scheduled({ process: { pid } }: Running): readonly [first: number, others: number, waited: number] {
  let [first, others, waited] = [0, 0, 0];
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const [ran = 0, ready = 0] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ').map(Number);
    if (Number(thread) === pid) [first, waited] = [ran / 1e9, ready / 1e9];
    else others += ran / 1e9;
  }
  return [first, others, waited];
}

/** Seconds of processor time of the whole machine. */
function machineSeconds(): number {
  const [, user, nice, system, , , irq, softirq] = readFileSync('/proc/stat', 'utf8').split(/\s+/).map(Number);
  return (user! + nice! + system! + irq! + softirq!) / 100;
}

/** What was met in the slices of one setting. */
class Slices {
  readonly latency = createHistogram();
  readonly rates: number[] = [];
  left = 0;
  #seconds = 0;
  #first = 0;
  #others = 0;
  #waited = 0;
  #foreign = 0;

  async measure(side: Side, load: string, importing?: Import): Promise<void> {
    const own = () => cpuSeconds(side.service) + process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6;
    const [begunMs, machine, cpu, threads] = [performance.now(), machineSeconds(), own(), scheduled(side.service)];
    const lines = await importing?.count();
    const latency = await runOthers(side, load);
    const seconds = (performance.now() - begunMs) / 1000;
    const foreign = machineSeconds() - machine - (own() - cpu);
    if (foreign / seconds / 2 > Number(values.quiet) / 100) {
      this.left += 1;
      return;
    }
    if (importing) this.rates.push(((await importing.count()) - lines!) / seconds);
    const after = scheduled(side.service);
    this.latency.add(latency);
    this.#seconds += seconds;
    this.#first += after[0] - threads[0];
    this.#others += after[1] - threads[1];
    this.#waited += after[2] - threads[2];
    this.#foreign += foreign;
  }

  ms(percentile: number): number {
    return this.latency.percentile(percentile) / 1e6;
  }

  row(title: string, alone: Slices): string {
    const of = (seconds: number) => `${((100 * seconds) / this.#seconds).toFixed(1)} %`;
    const rate = this.rates.reduce((sum, each) => sum + each, 0) / this.rates.length;
    return [
      title,
      Number.isNaN(rate) ? '–' : `${Math.round(rate)}/s`,
      ...[50, 90, 95, 98, 99].map((percentile) => this.ms(percentile).toFixed(2)),
      (this.ms(99) / alone.ms(99)).toFixed(2),
      `${((1e6 * this.#waited) / this.latency.count).toFixed(0)} µs`,
      ...[of(this.#first), of(this.#others), of(this.#foreign / 2)],
      `${this.latency.count}`,
    ].join(' | ');
  }
}

async function startSide(folder: string, share: number): Promise<Side> {
  const service = await startService(folder, { IMPORT_SHARE: String(share) });
  const side = { share, service, token: await fetchToken(service.port, 'manage_project:bench') };
  const { port } = service;
  await runLoad({ port, connections: 32, requests: stored, ms: 60_000, make: putOf(side) });
  const importing = new Import(side);
  while ((await importing.count()) < 10_000) await pause(50);
  await importing.stop();
  return side;
}

async function compare(sides: readonly Side[], load: string): Promise<void> {
  const alone = new Slices();
  const beside = new Map(sides.map((side) => [side, new Slices()]));
  for (let turn = 0; turn < Number(values.turns); turn += 1) {
    await alone.measure(sides[turn % sides.length]!, load);
    for (const [side, slices] of beside) {
      const importing = new Import(side);
      while ((await importing.count()) === 0) await pause(10);
      // The import has noticed that others call.
      await runOthers(side, load, noticeMs);
      await slices.measure(side, load, importing);
      await importing.stop();
      await pause(200);
    }
  }
  const left = [alone, ...beside.values()].reduce((sum, slices) => sum + slices.left, 0);
  say(`\n${load}${left > 0 ? `, without ${left} slices in which other programs were in the way` : ''}`);
  const columns = ['IMPORT_SHARE', 'import', 'median', '90 %', '95 %', '98 %', '99 %', 'times', 'waits for a core'];
  say([...columns, 'thread of requests', 'other threads', 'other programs', 'responses'].join(' | '));
  say(alone.row('alone', alone));
  for (const [{ share }, slices] of beside) if (slices.latency.count > 0) say(slices.row(`${share} %`, alone));
}

const folder = temporaryFolder();
const sides: Side[] = [];
try {
  for (const share of shares) sides.push(await startSide(`${folder.path}/${share}`, share));
  for (const load of values.loads.split(',')) await compare(sides, load);
} finally {
  await Promise.all(sides.map(({ service }) => service.stop()));
  folder.remove();
}
