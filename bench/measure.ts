import { draft } from './documents.ts';
import { type Load, type LoadResult, runLoad } from './load.ts';
import { cpuSeconds, type Running, residentMb } from './service.ts';
import type { Stage, Trial } from './trials.ts';
import { runWrk } from './wrk.ts';

/** How a trial is measured, whatever is behind the port. */

export const connections = 50;
export const project = 'bench';

/** What came of a trial. */
export interface Measured {
  /** Resources in the store. */
  readonly store: number;
  readonly trial: Trial;
  readonly result: LoadResult;
  /** Of bare node:http, means of both looks; and the requests per second of each. */
  readonly ceiling: {
    readonly perSecond: number;
    readonly looks: readonly [before: number, after: number];
    readonly p99Ms: number;
    readonly cpuUs: number;
  };
  readonly rssMb: number;
  /** Processor time of the process for a request; of one process alone. */
  readonly cpuUs: number;
  /** The same trial as wrk saw it, with wrk's own look at the ceiling; undefined without wrk. */
  readonly wrk?: { readonly perSecond: number; readonly ceiling: number; readonly p99Ms: number } | undefined;
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Creates the resources through the API and learns their ids from the responses. */
export async function fill(service: Running, token: string, count: number): Promise<Stage> {
  const ids = new Array<string>(count);
  const head = `POST /${project}/resource HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n`;
  const begun = performance.now();
  const { statuses } = await runLoad({
    ...{ port: service.port, connections, requests: count, ms: 600_000 },
    make(n) {
      const body = JSON.stringify(draft(n, `r-${n}`));
      return `${head}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    },
    onBody(body, n) {
      ids[n] = /"id":"([^"]+)"/.exec(body)?.[1] ?? '';
    },
  });
  const refused = count - (statuses.get(201) ?? 0);
  if (refused > 0)
    throw new Error(`${refused} of ${count} resources were refused: the machine is too busy to fill a store.`);
  const seconds = (performance.now() - begun) / 1000;
  say(`  filled ${count.toLocaleString('en')} resources in ${seconds.toFixed(1)} s, RSS ${residentMb(service)} MB`);
  return { token, project, count, idOf: (n) => ids[n] ?? '' };
}

const bareRequest = 'GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n';

/** A load, and the processor time that a process used for each of its requests. */
async function runCosted(running: Running, load: Omit<Load, 'port'>): Promise<LoadResult & { readonly cpuUs: number }> {
  const before = cpuSeconds(running);
  const result = await runLoad({ ...load, port: running.port });
  return { ...result, cpuUs: ((cpuSeconds(running) - before) * 1e6) / result.requests };
}

/** A look at the ceiling: half as long as the trial, with as many connections. */
function ceilingOf(ceiling: Running, trialMs: number, among = connections) {
  return runCosted(ceiling, { connections: among, requests: 1e9, ms: trialMs / 2, make: () => bareRequest });
}

/** Sends requests to the ceiling until V8 has compiled it: from then on it serves a third more. */
export function warmCeiling(ceiling: Running): Promise<void> {
  return warmUntilSteady(ceiling, { connections, make: () => bareRequest });
}

/** A portion of a warm-up: long enough to count its processor time in hundredths of a second. */
const warmUpPortion = { requests: 20_000, ms: 1000 };
const warmUpPortions = 20;

/**
 * Sends requests until they cost no less than before: V8 compiles what it sees often, and the first reads of a process
 * take twice as much as later ones. Two portions in a row have to be no better than the best one, since one may be unlucky.
 */
async function warmUntilSteady(running: Running, load: Pick<Load, 'connections' | 'make'>): Promise<void> {
  let [best, steady] = [Number.POSITIVE_INFINITY, 0];
  for (let portion = 0; portion < warmUpPortions && steady < 2; portion += 1) {
    const { cpuUs } = await runCosted(running, { ...load, ...warmUpPortion });
    steady = cpuUs > best * 0.97 ? steady + 1 : 0;
    best = Math.min(best, cpuUs);
  }
}

export interface TrialSettings {
  readonly service: Running;
  readonly ceiling: Running;
  /** The trial ends after so long, unless a number of requests is given; the ceiling is looked at as long. */
  readonly trialMs: number;
  readonly requests?: number;
  /** The warm-up, which is not counted: a number of requests, or until the cost no longer falls. */
  readonly warmUp?: { readonly requests: number } | 'until steady';
  /** wrk judges as well. */
  readonly wrk?: boolean;
}

/** One trial between two looks at the ceiling. */
export async function runTrial(trial: Trial, stage: Stage, settings: TrialSettings): Promise<Measured> {
  const { service, ceiling, trialMs, requests, warmUp } = settings;
  const among = trial.connections ?? connections;
  const half = Math.floor(stage.count / 2);
  const splits = trial.writes === true && settings.wrk === true;
  const own = splits ? { ...stage, count: half } : stage;
  const make = trial.make(own);
  let sent = 0;
  const load = { connections: among, make: () => make(sent++) };
  if (warmUp === 'until steady') await warmUntilSteady(service, load);
  else if (warmUp) await runCosted(service, { ...load, ms: 60_000, ...warmUp });
  const before = await ceilingOf(ceiling, trialMs, among);
  let isOver = false;
  const beside = runBeside(trial, own, service, () => isOver);
  const end = requests === undefined ? { requests: 1e9, ms: trialMs } : { requests, ms: 60_000 };
  const result = await runCosted(service, { ...load, ...end });
  isOver = true;
  await beside;
  const after = await ceilingOf(ceiling, trialMs, among);
  const others = [...result.statuses].filter(([status]) => !trial.expectStatuses.includes(status));
  if (others.length > 0) say(`  !! ${trial.name}: unexpected answers ${JSON.stringify(others)}`);
  const rssMb = residentMb(service);
  const looks = [before.perSecond, after.perSecond] as const;
  const rest = splits ? { ...stage, count: half, idOf: (n: number) => stage.idOf(half + n) } : stage;
  const wrk = settings.wrk ? await judgeByWrk(trial, rest, settings, result.perSecond) : undefined;
  const mean = (of: 'perSecond' | 'p99Ms' | 'cpuUs') => (before[of] + after[of]) / 2;
  const both = { perSecond: mean('perSecond'), looks, p99Ms: mean('p99Ms'), cpuUs: mean('cpuUs') };
  return { store: stage.count, trial, result, ceiling: both, rssMb, cpuUs: result.cpuUs, wrk };
}

/** What is sent beside the trial; resolves when it has ended. */
async function runBeside({ beside }: Trial, stage: Stage, { port }: Running, isOver: () => boolean): Promise<void> {
  if (!beside) return;
  const { connections: among, pauseMs, make } = beside;
  const load = { port, connections: among, pauseMs, isOver, requests: 1e9, ms: 60_000, make: make(stage) };
  const { statuses } = await runLoad(load);
  const refused = [...statuses].filter(([status]) => status >= 400);
  if (refused.length > 0) say(`  !! unexpected answers beside it: ${JSON.stringify(refused)}`);
}

/**
 * Requests that wrk is given for a second, more than it will send: as many times what our own client sent, which takes more
 * of the machine, and at least so many, should it have met a slow moment.
 */
const wrkRequests = { timesOwn: 2.5, least: 16_000 };

/** The same trial by wrk. */
async function judgeByWrk(trial: Trial, stage: Stage, settings: TrialSettings, ownPerSecond: number) {
  const { service, ceiling, trialMs } = settings;
  const among = trial.connections ?? connections;
  const bare = { port: ceiling.port, connections: among, ms: trialMs / 2, requests: [bareRequest], repeats: true };
  const make = trial.make(stage);
  const perSecondAtMost = Math.max(wrkRequests.least, ownPerSecond * wrkRequests.timesOwn);
  const count = Math.ceil((perSecondAtMost * trialMs) / 1000);
  const requests = Array.from({ length: count }, (_, n) => String(make(n)));
  const before = await runWrk(bare);
  let isOver = false;
  const beside = runBeside(trial, stage, service, () => isOver);
  const result = await runWrk({ port: service.port, connections: among, ms: trialMs, requests });
  isOver = true;
  await beside;
  const after = await runWrk(bare);
  if (result.refused > 0) say(`  !! ${trial.name}: ${result.refused} errors seen by wrk`);
  if (result.ranOut) say(`  !! ${trial.name}: wrk had sent all of ${count} requests before the end`);
  if (result.ranOut) return undefined;
  return {
    perSecond: result.perSecond,
    ceiling: (before.perSecond + after.perSecond) / 2,
    p99Ms: result.p99Ms,
  };
}
