import { setTimeout as pause } from 'node:timers/promises';
import {
  dataFolder,
  NoAnswer,
  type ProcessAnswer,
  type ProcessRequest,
  type ServiceProcess,
  startService,
} from '../prove/service-process.ts';
import { withClient } from '../smoke-cluster/shards.ts';
import type { TrialResult } from './projects.ts';

const processes = 3;
const writers = 12;
const readers = 3;
const killEveryMs = 3000;
const resources = Array.from({ length: 8 }, (_, n) => `r${n}`);
/** How long a write or a reader may go without an answer other than 503. */
const settleMs = 120_000;

/** An event as a reader had it. */
interface Seen {
  readonly sequence: number;
  readonly name: string;
}

/**
 * Several processes of the service, each connected to another node, with writers and readers of events that send each
 * request to some process, while one after the other is killed and started again. Each write is repeated with its
 * Idempotency-Key until it is answered: so every change has to be in the log once, and nothing else.
 */
export async function tryProcesses(url: string, project: string, seconds: number): Promise<TrialResult> {
  const urls = await urlsOfNodes(url);
  const folders = Array.from({ length: processes }, () => dataFolder());
  const start = (at: number) => startService(folders[at]!.path, { DATABASE_URL: urls[at % urls.length]! });
  const services: (ServiceProcess | undefined)[] = [];
  try {
    for (let at = 0; at < processes; at += 1) services[at] = await start(at);
    const token = await services[0]!.token(`manage_project:${project}`);
    const send = (request: ProcessRequest) => settle(services, { ...request, token });
    const acknowledged = new Set<string>();
    const problems: string[] = [];
    const work = { isOver: false, isWritten: false };
    const writing = Promise.all(
      Array.from({ length: writers }, (_, writer) => keepWriting(project, writer, send, acknowledged, problems, work)),
    );
    const logs = Array.from({ length: readers }, (): Seen[] => []);
    const isComplete = (log: readonly Seen[]) => work.isWritten && log.length >= acknowledged.size;
    const reading = Promise.all(logs.map((log) => follow(project, log, send, problems, () => isComplete(log))));
    reading.catch(() => {});
    const kills = await keepKilling(services, start, seconds * 1000);
    work.isOver = true;
    await writing;
    work.isWritten = true;
    await Promise.race([reading, pause(settleMs, undefined, { ref: false })]);
    problems.push(...logs.flatMap((log, reader) => compare(log, acknowledged, reader)));
    return {
      lines: [
        `${processes} processes on ${Math.min(processes, urls.length)} nodes, ${kills} of them killed in ${seconds} s`,
        `${acknowledged.size} writes acknowledged; each of ${readers} readers had ${logs[0]!.length} events`,
      ],
      problems,
    };
  } finally {
    for (const service of services) service?.kill('SIGKILL');
    await Promise.all(services.map((service) => service?.ended));
    for (const folder of folders) folder.remove();
  }
}

/** The address for each node, the coordinator first. */
function urlsOfNodes(url: string): Promise<readonly string[]> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ host: string }>(
      `SELECT nodename || ':' || nodeport AS host FROM pg_dist_node WHERE isactive AND noderole = 'primary' ORDER BY groupid`,
    );
    return rows.map(({ host }) => Object.assign(new URL(url), { host }).href);
  });
}

type Send = (request: ProcessRequest) => Promise<ProcessAnswer>;

/** Sends a request to some process, again and again while there is no answer or 503. */
async function settle(services: readonly (ServiceProcess | undefined)[], request: ProcessRequest) {
  const untilMs = performance.now() + settleMs;
  for (;;) {
    const service = services[Math.floor(Math.random() * services.length)];
    try {
      const answer = await service?.request(request);
      if (answer && answer.status !== 503 && !answer.text.includes('RequestInProgress')) return answer;
      if (answer?.status === 503 && answer.headers['retry-after'] === undefined) {
        throw new Error(`503 without Retry-After: ${answer.text}`);
      }
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
    }
    if (performance.now() > untilMs) throw new Error(`no answer to ${request.method ?? 'GET'} ${request.path}`);
    await pause(20);
  }
}

async function keepWriting(
  project: string,
  writer: number,
  send: Send,
  acknowledged: Set<string>,
  problems: string[],
  work: { readonly isOver: boolean },
): Promise<void> {
  for (let n = 0; !work.isOver; n += 1) {
    const id = resources[Math.floor(Math.random() * resources.length)]!;
    const body = { id, someProperty: `${writer} ${n}`, name: { en: `word${writer} number${n}` } };
    const headers = { 'idempotency-key': `${project}-${writer}-${n}` };
    const { status, text } = await send({ method: 'POST', path: `/${project}/resource`, body, headers });
    if (status !== 201 && status !== 200) {
      problems.push(`a write: ${status} ${text}`);
      continue;
    }
    const name = `${id} ${(JSON.parse(text) as { version: number }).version}`;
    if (acknowledged.has(name)) problems.push(`two writes made version ${name}`);
    acknowledged.add(name);
  }
}

async function follow(
  project: string,
  log: Seen[],
  send: Send,
  problems: string[],
  isComplete: () => boolean,
): Promise<void> {
  for (let after: string | undefined; !isComplete(); ) {
    const query = new URLSearchParams({ limit: '50', wait: '1', ...(after === undefined ? {} : { after }) });
    const { status, text } = await send({ path: `/${project}/events?${query}` });
    if (status !== 200) {
      problems.push(`a page of events: ${status} ${text}`);
      return;
    }
    const page = JSON.parse(text) as {
      readonly next: string;
      readonly results: readonly { readonly sequence: number; readonly resource: { id: string; version: number } }[];
    };
    for (const { sequence, resource } of page.results)
      log.push({ sequence, name: `${resource.id} ${resource.version}` });
    after = page.next;
  }
}

/** Kills one process after the other, at random, and starts it again. */
async function keepKilling(
  services: (ServiceProcess | undefined)[],
  start: (at: number) => Promise<ServiceProcess>,
  forMs: number,
): Promise<number> {
  const untilMs = performance.now() + forMs;
  let kills = 0;
  while (performance.now() < untilMs) {
    await pause(killEveryMs * (0.5 + Math.random()));
    const at = Math.floor(Math.random() * services.length);
    const killed = services[at]!;
    services[at] = undefined;
    killed.kill('SIGKILL');
    await killed.ended;
    kills += 1;
    services[at] = await startAgain(start, at);
  }
  return kills;
}

/** A start is refused while a node that it needs is away. */
async function startAgain(start: (at: number) => Promise<ServiceProcess>, at: number): Promise<ServiceProcess> {
  for (const untilMs = performance.now() + settleMs; ; ) {
    try {
      return await start(at);
    } catch (error) {
      if (performance.now() > untilMs) throw error;
      await pause(500);
    }
  }
}

/** What is wrong with the events that a reader had. */
function compare(log: readonly Seen[], acknowledged: ReadonlySet<string>, reader: number): readonly string[] {
  const gaps = log.filter(({ sequence }, at) => at > 0 && sequence !== log[at - 1]!.sequence + 1);
  const seen = new Set(log.map(({ name }) => name));
  const missing = [...acknowledged].filter((name) => !seen.has(name));
  const unknown = [...seen].filter((name) => !acknowledged.has(name));
  const count = (what: string, found: readonly unknown[]) =>
    found.length === 0 ? [] : [`reader ${reader}: ${found.length} ${what}, first ${JSON.stringify(found[0])}`];
  return [
    ...count('events out of order', gaps),
    ...(seen.size === log.length ? [] : [`reader ${reader}: ${log.length - seen.size} events twice`]),
    ...count('acknowledged writes without an event', missing),
    ...count('events that no write made', unknown),
  ];
}
