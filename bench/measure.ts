import { draft } from './documents.ts';
import { type LoadResult, runLoad } from './load.ts';
import { cpuSeconds, type Running, residentMb } from './service.ts';
import type { Stage, Trial } from './trials.ts';

/** How a trial is measured, whatever is behind the port. */

export const connections = 50;
export const project = 'bench';

/** What came of a trial. */
export interface Measured {
  /** Resources in the store. */
  readonly store: number;
  readonly trial: Trial;
  readonly result: LoadResult;
  readonly ceiling: LoadResult;
  readonly rssMb: number;
  /** Processor time of the process for a request; of one process alone. */
  readonly cpuUs: number;
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Creates the resources through the API and learns their ids from the answers. */
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

function combine(a: LoadResult, b: LoadResult): LoadResult {
  return { ...a, perSecond: (a.perSecond + b.perSecond) / 2, p99Ms: Math.max(a.p99Ms, b.p99Ms) };
}

export interface TrialSettings {
  readonly service: Running;
  readonly ceiling: Running;
  /** The trial ends after so long, unless a number of requests is given; the ceiling is looked at as long. */
  readonly trialMs: number;
  readonly requests?: number;
  /** So many requests come before, and are not counted. */
  readonly warmUp?: number;
}

/** One trial between two looks at the ceiling. */
export async function runTrial(trial: Trial, stage: Stage, settings: TrialSettings): Promise<Measured> {
  const { service, ceiling, trialMs, requests, warmUp = 0 } = settings;
  const before = await ceilingOf(ceiling, trialMs);
  const make = trial.make(stage);
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
  return { store: stage.count, trial, result, ceiling: combine(before, after), rssMb, cpuUs };
}
