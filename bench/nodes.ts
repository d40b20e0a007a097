/**
 * `npm run bench:nodes`: services on one PostgreSQL, each with its mirror, under a mixed load over HTTP, all of it on this machine: creates,
 * updates, reads, lists and searches. Prints how many responses of each status there were, and how long each kind took. Options:
 *   --nodes <count>    services (3)
 *   --clients <count>  of the mixed load, spread over the services (64)
 *   --pause <ms>       between a response and the next request of such a client (0)
 *   --writers <count>  more clients that only create (0)
 *   --minutes <n>      (2)
 */

import { parseArgs } from 'node:util';
import { startTestPostgres } from '../test/storage/postgres/start-test-postgres.ts';
import { draft } from './documents.ts';
import { type LoadResult, runLoad } from './load.ts';
import { cpuSeconds, fetchToken, type Running, residentMb, startService, temporaryFolder } from './service.ts';

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '3' },
    clients: { type: 'string', default: '64' },
    pause: { type: 'string', default: '0' },
    writers: { type: 'string', default: '0' },
    minutes: { type: 'string', default: '2' },
  },
});
const given = [values.nodes, values.clients, values.pause, values.writers, values.minutes];
const [nodes, clients, pauseMs, writers, minutes] = given.map(Number);
if (![nodes, clients, pauseMs, writers, minutes].every((each) => Number.isFinite(each) && each! >= 0) || nodes === 0) {
  throw new Error('All options are numbers, and --nodes at least 1.');
}
const project = 'shop';
const resource = `/${project}/resource`;
const ms = minutes! * 60_000;

const say = (text: string) => process.stdout.write(`${text}\n`);

/** Builds requests with a token. */
function requests(token: string) {
  const authorization = `Authorization: Bearer ${token}\r\n`;
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${authorization}\r\n`;
  const send = (method: 'POST' | 'PUT', body: unknown) => {
    const text = JSON.stringify(body);
    const head = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n`;
    return `${method} ${resource} HTTP/1.1\r\nHost: localhost\r\n${authorization}${head}\r\n${text}`;
  };
  return { get, send };
}

interface Kind {
  readonly name: string;
  /** Of the clients of the mixed load. */
  readonly share: number;
  readonly make: (by: ReturnType<typeof requests>, n: number) => string;
}

let created = 0;
const keyOf = (n: number) => `r-${n}`;
const overwritten = 1000;
function create({ send }: ReturnType<typeof requests>): string {
  created += 1;
  return send('POST', draft(created, keyOf(created)));
}
/** One of those that were there before the load. */
const someKey = (n: number) => keyOf(1 + ((n * 7919) % overwritten));
const condition = (n: number) => encodeURIComponent(`shelf = "shelf-${n % 20}" and weightGrams > ${200 + (n % 700)}`);
const word = (n: number) => ['linen', 'wool', 'summer'][n % 3];

const kinds: readonly Kind[] = [
  { name: 'create', share: 0.2, make: create },
  { name: 'overwrite', share: 0.1, make: ({ send }, n) => send('PUT', draft(n, someKey(n))) },
  { name: 'get by key', share: 0.3, make: ({ get }, n) => get(`${resource}/key=${someKey(n)}`) },
  {
    ...{ name: 'list by two conditions', share: 0.25 },
    make: ({ get }, n) => get(`${resource}/sorted-query-parameters?where=${condition(n)}&limit=20`),
  },
  {
    ...{ name: 'search: a word, a facet', share: 0.15 },
    make: ({ get }, n) => get(`${resource}/searchApiPattern?text.en=${word(n)}&facet=colour`),
  },
];

interface Node {
  readonly service: Running;
  readonly by: ReturnType<typeof requests>;
}

async function startNode(url: string, folder: string): Promise<Node> {
  const service = await startService(folder, { DATABASE_URL: url });
  const token = await fetchToken(service.port, `manage_project:${project}`);
  return { service, by: requests(token) };
}

/** Clients of one kind, spread over the services, until the time is over. */
function run(all: readonly Node[], { make }: Kind, connections: number, pauseMs = 0): Promise<readonly LoadResult[]> {
  return Promise.all(
    all.map(({ service, by }, at) =>
      runLoad({
        ...{ port: service.port, requests: Number.POSITIVE_INFINITY, ms, make: (n) => make(by, n) },
        ...(pauseMs > 0 && { pauseMs }),
        connections: Math.max(
          1,
          Math.round((connections * (at + 1)) / all.length) - Math.round((connections * at) / all.length),
        ),
      }),
    ),
  );
}

function report(name: string, results: readonly LoadResult[]): void {
  const statuses = new Map<number, number>();
  for (const { statuses: each } of results)
    for (const [status, count] of each) statuses.set(status, (statuses.get(status) ?? 0) + count);
  const rate = results.reduce((sum, { perSecond }) => sum + perSecond, 0);
  const worst = (of: (result: LoadResult) => number) => Math.max(...results.map(of)).toFixed(1);
  const answered = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
  const slowest = worst(({ latency }) => latency.max / 1e6);
  say(
    `| ${name} | ${answered} | ${rate.toFixed(0)} | ${worst(({ p50Ms }) => p50Ms)} | ${worst(({ p99Ms }) => p99Ms)} | ${slowest} |`,
  );
}

const postgres = await startTestPostgres();
const folders = Array.from({ length: nodes! }, temporaryFolder);
const services: Node[] = [];
try {
  for (const { path } of folders) services.push(await startNode(postgres.url, path));
  const fill = { name: '', share: 0, make: create };
  await runLoad({
    port: services[0]!.service.port,
    connections: 8,
    requests: overwritten,
    ms: 60_000,
    make: () => create(services[0]!.by),
  });
  const begun = services.map(({ service }) => cpuSeconds(service));
  say(`${nodes} services, ${clients} clients of a mixed load, ${writers} writers, ${minutes} minutes`);
  const results = await Promise.all([
    ...kinds.map((kind) => run(services, kind, Math.round(clients! * kind.share), pauseMs)),
    ...(writers! > 0 ? [run(services, fill, writers!)] : []),
  ]);
  say('| Class | Responses | per second | p50, ms | p99, ms | slowest, ms |');
  say('| --- | --- | --- | --- | --- | --- |');
  for (const [at, kind] of kinds.entries()) report(kind.name, results[at]!);
  if (writers! > 0) report('create, by the writers', results[kinds.length]!);
  for (const [at, { service }] of services.entries())
    say(`service ${at + 1}: ${(cpuSeconds(service) - begun[at]!).toFixed(0)} s of CPU time, ${residentMb(service)} MB`);
} finally {
  for (const { service } of services) await service.stop();
  await postgres.close();
  for (const folder of folders) folder.remove();
}
