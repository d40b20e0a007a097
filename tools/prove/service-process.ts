import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { isBuilt } from '../built-from.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** What is not bundled, for tests that change what a program imports. */
export const sources = join(root, 'src/main.js');
/** What `npm ci` has built while it is what the sources make: it starts in two thirds of the CPU time. */
export const main = isBuilt(root) ? join(root, 'dist/main.js') : sources;
const admin = { ADMIN_CLIENT_ID: 'test-admin', ADMIN_CLIENT_SECRET: 'a secret for tests only' };

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export type Environment = Readonly<Record<string, string>>;

/** The environment of a child: nothing of ours but the search path. */
function environmentOf(environment: Environment): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: process.env.HOME, ...environment };
}

/** Processes that have not ended. None outlives this one. */
const running = new Map<ChildProcess, Promise<Ended>>();
function killRunning(): void {
  for (const child of running.keys()) child.kill('SIGKILL');
}
process.once('exit', killRunning);

/** Kills every process that was started here and has not ended. */
export async function endRunning(): Promise<void> {
  killRunning();
  await Promise.all(running.values());
}

function collect(child: ChildProcess): Promise<Ended> {
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  }
  const ended = once(child, 'close').then(([code, signal]): Ended => {
    running.delete(child);
    return { code, signal, ...texts };
  });
  running.set(child, ended);
  return ended;
}

/** Runs a command of the command line to its end. */
export function runCommand(
  args: readonly string[],
  environment: Environment,
  { program = main, input }: { readonly program?: string; readonly input?: Readable } = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [program, ...args], { env: environmentOf(environment), stdio: 'pipe' });
  input?.pipe(child.stdin);
  return collect(child);
}

/** How a process is launched, other than by Node alone. */
export interface Launch {
  /** A program with its arguments that runs Node, such as a tracer. */
  readonly under?: readonly string[];
  /** Arguments of Node before the program, which is then by default what the sources make: they may change one of these. */
  readonly nodeArgs?: readonly string[];
  /** The main file, of another version as well. */
  readonly program?: string;
}

/** A data folder of its own; remove it when the test is over. */
export function dataFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'grs-fault-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export interface ProcessAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface ProcessRequest {
  readonly method?: string;
  readonly path: string;
  readonly token?: string | undefined;
  readonly body?: unknown;
  /** A body that is sent as it is, in place of JSON. */
  readonly text?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `refused`: it never reached the service; `none`: nothing of a response came; `cut`: it had begun. */
type Missing = 'refused' | 'none' | 'cut';

/** A request has no response, or only part of it. */
export class NoAnswer extends Error {
  readonly kind: Missing;
  constructor(kind: Missing, cause: Error) {
    super(`${kind}: ${cause.message}`, { cause });
    this.kind = kind;
  }
}

/** Sends requests over connections that are kept alive. Rejects with `NoAnswer`. */
export function createClient(port: number, agent: Agent) {
  return ({ method = 'GET', path, token, body, text: given, headers = {} }: ProcessRequest): Promise<ProcessAnswer> => {
    const { promise, resolve, reject } = Promise.withResolvers<ProcessAnswer>();
    const payload = given ?? (body === undefined ? undefined : JSON.stringify(body));
    const request = httpRequest({
      ...{ agent, port, host: '127.0.0.1', method, path },
      headers: {
        ...(payload === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      reject(new NoAnswer(error.code === 'ECONNREFUSED' ? 'refused' : 'none', error));
    });
    request.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('error', (error) => reject(new NoAnswer('cut', error)));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }));
    });
    request.end(payload);
    return promise;
  };
}

export type SendRequest = ReturnType<typeof createClient>;

/** A token of the admin client with these scopes, separated by spaces. */
export async function requestToken(request: SendRequest, scope: string): Promise<string> {
  const basic = Buffer.from(`${admin.ADMIN_CLIENT_ID}:${admin.ADMIN_CLIENT_SECRET}`).toString('base64');
  const query = new URLSearchParams({ grant_type: 'client_credentials', scope });
  const headers = { authorization: `Basic ${basic}` };
  const { text } = await request({ method: 'POST', path: `/oauth/token?${query}`, headers });
  const { access_token } = JSON.parse(text) as { access_token?: string };
  if (access_token === undefined) throw new Error(`no token: ${text}`);
  return access_token;
}

export interface ServiceProcess {
  readonly port: number;
  readonly pid: number;
  /** When the process has ended, however it ended. */
  readonly ended: Promise<Ended>;
  readonly request: SendRequest;
  /** Resolves when the service has logged this text, after the call; rejects where it ends without. */
  logged(text: string): Promise<void>;
  /** A token with these scopes, separated by spaces. */
  token(scope: string): Promise<string>;
  kill(signal: NodeJS.Signals): void;
}

/** The settings of a service on a data folder. */
export function serviceSettings(dataDir: string): Environment {
  // An issuer of its own: tokens stay good when a later process has another port.
  const limits = { TOKEN_RATE_PER_SECOND: '0', SHED_DELAY_MS: '0', QUERY_TIMEOUT_MS: '60000' };
  // What a service does not end within is its last resort, exit code 70: by default ten seconds, too few for a machine
  // that does much else.
  const patience = { DRAIN_TIMEOUT_MS: '60000' };
  return { DATA_DIR: dataDir, PORT: '0', ISSUER: 'http://grs.test', ...limits, ...patience, ...admin };
}

/** What the service logs when it listens; undefined where the process ended before. */
async function whenListening(
  child: ChildProcess,
): Promise<{ readonly port: number; readonly pid: number } | undefined> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const [, port] = /"address":"http:\/\/[^"]+:(\d+)"/.exec(line) ?? [];
    if (port !== undefined) return { port: Number(port), pid: Number(/"pid":(\d+)/.exec(line)?.[1]) };
  }
  return undefined;
}

/** Starts the real service in a process of its own. Throws where it ends before it listens. */
export async function startService(
  dataDir: string,
  environment: Environment = {},
  { under = [], nodeArgs = [], program = nodeArgs.length === 0 ? main : sources }: Launch = {},
): Promise<ServiceProcess> {
  const [command = '', ...args] = [...under, process.execPath, ...nodeArgs, program, 'serve'];
  const child = spawn(command, args, {
    env: environmentOf({ ...serviceSettings(dataDir), ...environment }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = collect(child);
  const listening = await whenListening(child);
  if (listening === undefined) throw new Error(`the service did not start: ${JSON.stringify(await ended)}`);
  const { port, pid } = listening;
  // The reader of lines is gone: keep the pipe empty.
  child.stdout?.resume();
  const agent = new Agent({ keepAlive: true });
  const request = createClient(port, agent);
  const token = (scope: string) => requestToken(request, scope);
  ended.then(() => agent.destroy());

  async function logged(text: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let tail = '';
    const listen = (part: string) => {
      const seen = tail + part;
      if (seen.includes(text)) resolve();
      // The text may be divided over two parts.
      tail = seen.slice(-text.length);
    };
    child.stdout?.on('data', listen);
    ended.then(() => reject(new Error(`the service ended and has not logged ${text}`)));
    await promise.finally(() => child.stdout?.off('data', listen));
  }

  // Of the service itself, whatever it runs under.
  const kill = (signal: NodeJS.Signals) => {
    try {
      if (running.has(child)) process.kill(pid, signal);
    } catch {
      // It has ended just now.
    }
  };
  return { port, pid, ended, request, logged, token, kill };
}
