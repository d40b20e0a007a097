import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { isBuilt } from '../tools/built-from.js';

/** A process of the bench, listening on loopback. */
export interface Running {
  readonly port: number;
  readonly process: ChildProcess;
  /** ms from its start to its first response. */
  readonly startMs: number;
  stop(): Promise<void>;
}

const root = fileURLToPath(new URL('..', import.meta.url));

/** `npm start`: variables of the environment, and node with its options and the service. */
const [startVariables, startArguments] = (() => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } };
  const [, before = '', after = ''] = /^(.*?)(?:exec )?\bnode (.*)$/.exec(scripts.start)!;
  const variables = before.split(' ').filter((each) => each !== '');
  return [Object.fromEntries(variables.map((each) => each.split('='))) as Record<string, string>, after.split(' ')];
})();

/** From now on services run the sources, not what was built. */
export function startSources(): void {
  startArguments[startArguments.indexOf('bin/grs.js')] = 'src/main.js';
}

/** What the services run: `npm start` runs dist while it is what the sources make. */
export function startedFrom(): 'dist' | 'src' {
  return startArguments.includes('bin/grs.js') && isBuilt(root) ? 'dist' : 'src';
}

export const adminId = 'bench-admin';
export const adminSecret = 'a-secret-of-the-bench-only';

function statusMb({ process }: Running, name: string): number {
  const status = readFileSync(`/proc/${process.pid}/status`, 'utf8');
  return Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024);
}

/** Resident memory of a process in MB. */
export function residentMb(running: Running): number {
  return statusMb(running, 'VmRSS');
}

/** Resident memory of a process without pages of files such as Node itself, which processes share; in MB. */
export function ownMb(running: Running): number {
  return statusMb(running, 'RssAnon');
}

/** The most that the resident memory of a process has been, in MB. */
export function peakMb(running: Running): number {
  return statusMb(running, 'VmHWM');
}

/** Bytes that a process has caused to be written to disks since its start. */
export function writtenBytes({ process }: Running): number {
  const io = readFileSync(`/proc/${process.pid}/io`, 'utf8');
  return Number(/^write_bytes: (\d+)/m.exec(io)?.[1] ?? 0);
}

/** Seconds of processor time that a process has used since its start. */
export function cpuSeconds(running: Running): number {
  const stat = readFileSync(`/proc/${running.process.pid}/stat`, 'utf8');
  // The name in parentheses may have spaces; utime and stime are the 12th and 13th field behind it, in 1/100 s.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

async function freePort(): Promise<number> {
  const { createServer } = await import('node:net');
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

/** The ceiling: bare node:http on the same Node, in a program that prints its port. */
export function startCeiling(file = 'bench/ceiling.ts', values: readonly string[] = []): Promise<Running> {
  return startProgram(file, values);
}

/** A program of the bench that prints a line of JSON with its port when it listens; `said` is that line. */
export async function startProgram(
  file: string,
  values: readonly string[] = [],
  more: Readonly<Record<string, string>> = {},
): Promise<Running & { readonly said: Readonly<Record<string, unknown>> }> {
  const begun = performance.now();
  const child = spawn(process.execPath, [join(root, file), ...values], {
    ...{ stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...more } },
  });
  const lines = createInterface({ input: child.stdout! });
  const first = await new Promise<string>((resolve, reject) => {
    lines.once('line', resolve);
    child.once('exit', () => reject(new Error(`${file} ended before it listened.`)));
  });
  const said = JSON.parse(first) as { port: number };
  return { port: said.port, said, process: child, startMs: performance.now() - begun, stop: () => stopProcess(child) };
}

async function answers(port: number, path: string): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    await response.text();
    return response.ok;
  } catch {
    return false;
  }
}

/** The service itself on a data folder, with every promise on: authentication, validation, durable writes. */
export async function startService(dataDir: string, more: Readonly<Record<string, string>> = {}): Promise<Running> {
  const port = await freePort();
  const environment = {
    ...process.env,
    ...startVariables,
    ...{ PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'warn', TOKEN_RATE_PER_SECOND: '0' },
    ...{ ADMIN_CLIENT_ID: adminId, ADMIN_CLIENT_SECRET: adminSecret, ...more },
  };
  const begun = performance.now();
  const child = spawn(process.execPath, startArguments, {
    cwd: root,
    env: environment,
    stdio: 'ignore',
  });
  while (!(await answers(port, '/health/live'))) {
    if (child.exitCode !== null) throw new Error(`The service ended with exit code ${child.exitCode}.`);
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
  return { port, process: child, startMs: performance.now() - begun, stop: () => stopProcess(child) };
}

/** A token of the admin client. */
export async function fetchToken(port: number, scope: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/oauth/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${adminId}:${adminSecret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope }),
  });
  const { access_token } = (await response.json()) as { access_token?: string };
  if (!access_token) throw new Error(`No token: HTTP ${response.status}`);
  return access_token;
}

/** Bytes of all files in a folder without folders of its own. */
export function folderBytes(path: string): number {
  return readdirSync(path).reduce((sum, name) => sum + statSync(join(path, name)).size, 0);
}

/** A folder that is gone when the bench is. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'grs-bench-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
