import { existsSync, readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import {
  createClient,
  NoAnswer,
  type ProcessAnswer,
  type ProcessRequest,
  type ServiceProcess,
} from './service-process.ts';

const childrenFile = (pid: number) => `/proc/${pid}/task/${pid}/children`;

/** Why tests are skipped that need the process ids of workers; false where the system lists them, as Linux does. */
export const withoutProc = existsSync(childrenFile(process.pid)) ? false : 'this system does not list child processes';
if (withoutProc) console.log(`Tests that need the process ids of workers are skipped: ${withoutProc}.`);

/** Process ids of the workers of a service. */
export function workersOf({ pid }: ServiceProcess): readonly number[] {
  const text = readFileSync(childrenFile(pid), 'utf8');
  return text.split(' ').flatMap((word) => (word.trim() === '' ? [] : Number(word)));
}

/** A client with one connection, which stays with the worker that got it. */
export function openClient(port: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return { request: createClient(port, agent), close: () => agent.destroy() };
}

export type Client = ReturnType<typeof openClient>;

/** Repeats a request until it has a response; for those that may be repeated. Returns how often it was sent. */
export async function persist(
  client: Client,
  request: ProcessRequest,
): Promise<{ readonly answer: ProcessAnswer; readonly sent: number }> {
  for (let sent = 1; ; sent += 1) {
    try {
      return { answer: await client.request(request), sent };
    } catch (error) {
      if (!(error instanceof NoAnswer) || sent === 1000) throw error;
      await pause(20);
    }
  }
}

/** A sample of the metrics; undefined where there is none. */
export function sampleOf(metrics: string, series: string): number | undefined {
  const line = metrics.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}
