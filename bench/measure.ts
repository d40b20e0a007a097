import { draft } from './documents.ts';
import { type LoadResult, runLoad } from './load.ts';
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
  /** Requests per second of bare node:http: the mean of both looks, and each of them. */
  readonly ceiling: { readonly perSecond: number; readonly looks: readonly [before: number, after: number] };
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

function ceilingOf(ceiling: Running, trialMs: number): Promise<LoadResult> {
  const make = () => 'GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n';
  return runLoad({ port: ceiling.port, connections, requests: 1e9, ms: trialMs / 2, make });
}

/** Sends requests to the ceiling until V8 has compiled it: from then on it serves a third more. */
export async function warmCeiling(ceiling: Running): Promise<void> {
  for (let second = 0; second < 5; second += 1) await ceilingOf(ceiling, 2000);
}

export interface TrialSettings {
  readonly service: Running;
  readonly ceiling: Running;
  /** The trial ends after so long, unless a number of requests is given; the ceiling is looked at as long. */
  readonly trialMs: number;
  readonly requests?: number;
  /** So many requests come before, and are not counted. */
  readonly warmUp?: number;
  /** wrk judges as well. */
  readonly wrk?: boolean;
}

/** One trial between two looks at the ceiling. */
export async function runTrial(trial: Trial, stage: Stage, settings: TrialSettings): Promise<Measured> {
  const { service, ceiling, trialMs, requests, warmUp = 0 } = settings;
  const before = await ceilingOf(ceiling, trialMs);
  const half = Math.floor(stage.count / 2);
  const splits = trial.once === true && settings.wrk === true;
  const make = trial.make(splits ? { ...stage, count: half } : stage);
  if (warmUp > 0) await runLoad({ port: service.port, connections, requests: warmUp, ms: 60_000, make });
  const cpu = cpuSeconds(service);
  const counted = (n: number) => make(n + warmUp);
  const end = requests === undefined ? { requests: 1e9, ms: trialMs } : { requests, ms: 60_000 };
  const result = await runLoad({ port: service.port, connections, make: counted, ...end });
  const cpuUs = ((cpuSeconds(service) - cpu) * 1e6) / result.requests;
  const after = await ceilingOf(ceiling, trialMs);
  const others = [...result.statuses].filter(([status]) => status !== trial.expectStatus);
  if (others.length > 0) say(`  !! ${trial.name}: unexpected answers ${JSON.stringify(others)}`);
  const rssMb = residentMb(service);
  const looks = [before.perSecond, after.perSecond] as const;
  const rest = splits ? { ...stage, count: half, idOf: (n: number) => stage.idOf(half + n) } : stage;
  const wrk = settings.wrk ? await judgeByWrk(trial, rest, settings) : undefined;
  const mean = { perSecond: (looks[0] + looks[1]) / 2, looks };
  return { store: stage.count, trial, result, ceiling: mean, rssMb, cpuUs, wrk };
}

/** Requests that wrk is given for a second: more than any trial serves. */
const requestsPerSecond = 16_000;

async function judgeByWrk(trial: Trial, stage: Stage, { service, ceiling, trialMs }: TrialSettings) {
  const count = trial.once ? Math.ceil((requestsPerSecond * trialMs) / 1000) : 20_000;
  const bare = ['GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'];
  const look = () => runWrk({ port: ceiling.port, connections, ms: trialMs / 2, requests: bare });
  const before = await look();
  const make = trial.make(stage);
  const requests = Array.from({ length: count }, (_, n) => String(make(n)));
  const result = await runWrk({ port: service.port, connections, ms: trialMs, requests });
  const after = await look();
  if (result.refused > 0) say(`  !! ${trial.name}: ${result.refused} errors seen by wrk`);
  return {
    perSecond: result.perSecond,
    ceiling: (before.perSecond + after.perSecond) / 2,
    p99Ms: result.p99Ms,
  };
}
