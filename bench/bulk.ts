/**
 * `npm run bench:bulk`: an import of 50,000 resources of about 1 KB beside single PUTs over 32 connections, in portions
 * that take turns so that both meet the same machine; and what reads and single writes of others take meanwhile.
 * Options: --count <resources> instead of 50,000, --database <URL> for PostgreSQL.
 */
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { draft } from './documents.ts';
import type { ImportTask } from './import-worker.ts';
import { type LoadResult, type MakeRequest, runLoad } from './load.ts';
import { cpuSeconds, fetchToken, peakMb, type Running, startService, temporaryFolder } from './service.ts';

const { values } = parseArgs({
  options: { count: { type: 'string', default: '50000' }, database: { type: 'string' } },
});
const count = Number(values.count);
const rounds = 5;
const connections = 32;
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

const shown = ({ perSecond, p50Ms, p99Ms }: LoadResult) =>
  `${Math.round(perSecond)}/s, median ${p50Ms.toFixed(2)} ms, 99 % ${p99Ms.toFixed(2)} ms`;

/** What others take: reads over four connections that pause, or writes. */
async function others(side: Side, make: MakeRequest, isOver: () => boolean): Promise<LoadResult> {
  const { port } = side.service;
  return runLoad({ port, connections: 4, requests: 1e9, ms: 60_000, pauseMs: 2, make, isOver });
}

async function beside(side: Side, name: string, make: (round: string) => MakeRequest, from: number): Promise<void> {
  const endMs = performance.now() + 4000;
  const alone = await others(side, make('alone'), () => performance.now() > endMs);
  let isOver = false;
  const load = others(side, make('beside'), () => isOver);
  const seconds = await runImport(side, from, 20_000);
  isOver = true;
  const during = await load;
  say(`${name} alone: ${shown(alone)}`);
  say(`${name} beside an import of ${Math.round(20_000 / seconds)}/s: ${shown(during)}`);
  say(`  99 %: ${(during.p99Ms / alone.p99Ms).toFixed(2)} times`);
}

const folder = temporaryFolder();
const service = await startService(folder.path, values.database ? { DATABASE_URL: values.database } : {});
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
