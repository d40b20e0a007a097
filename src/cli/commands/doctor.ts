import { existsSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, resolve } from 'node:path';
import { processEnvironment } from '../../config/environment.ts';
import { ConfigError, parseConfig } from '../../config/parse.ts';
import type { Config } from '../../config/settings.ts';
import { locateStore } from '../../configured-store.ts';
import { UsageError } from '../command.ts';
import { dataFolderProblem } from '../data-folder.ts';
import { readServing } from '../serving-file.ts';
import { unknownVariables } from '../unknown-variables.ts';

export const help = `Look for what would keep the service from starting or from running well, and say what to do. Changes nothing.

Usage:
  npx grs doctor

Example: before a start on port 9000 with the data in /srv/grs
  PORT=9000 DATA_DIR=/srv/grs npx grs doctor

It looks at Node, the settings, the data folder and its disk, the port, the database and the clock.

Exit codes: 0 nothing would keep the service from starting, 1 something would.`;

/** The result of one check. `failed`: the service would not start. */
export interface Finding {
  readonly subject: string;
  readonly state: 'ok' | 'warning' | 'failed';
  readonly text: string;
}

type Look = (config: Config) => Finding | Promise<Finding>;

/** With less room on the disk a warning is due. */
const littleRoomBytes = 1024 ** 3;
const oldestClockMs = Date.UTC(2026, 0, 1);

const lookAtFolder: Look = ({ dataDir }) => {
  const problem = dataFolderProblem(dataDir);
  if (problem !== undefined) return { subject: 'Data folder', state: 'failed', text: `${problem}.` };
  const text = existsSync(dataDir) ? dataDir : `${dataDir}; the first start makes it`;
  return { subject: 'Data folder', state: 'ok', text };
};

const lookAtDisk: Look = async ({ dataDir }) => {
  const subject = 'Disk';
  let existing = resolve(dataDir);
  while (!existsSync(existing)) existing = dirname(existing);
  const { bavail, bsize } = await statfs(existing);
  const free = `${((bavail * bsize) / 1024 ** 3).toFixed(1)} GiB free`;
  if (bavail * bsize >= littleRoomBytes) return { subject, state: 'ok', text: free };
  return { subject, state: 'warning', text: `${free}. When it is full, writes are refused with 507: make room.` };
};

const lookAtPort: Look = async (config) => {
  const { host, port } = config;
  const subject = 'Port';
  const error = await new Promise<NodeJS.ErrnoException | undefined>((done) => {
    const server = createServer().once('error', done);
    server.listen({ host, port }, () => server.close(() => done(undefined)));
  });
  if (error === undefined) return { subject, state: 'ok', text: `${host}:${port} is free` };
  if (error.code !== 'EADDRINUSE') {
    const advice = error.code === 'EACCES' ? 'set PORT to 1024 or more' : 'set HOST to an address of this machine';
    return { subject, state: 'failed', text: `Cannot listen on ${host}:${port} (${error.code}): ${advice}.` };
  }
  const serving = readServing(config)?.address;
  if (serving?.endsWith(`:${port}`)) return { subject, state: 'ok', text: `this service runs at ${serving}` };
  return { subject, state: 'failed', text: `${port} is in use. Stop the other process, or set PORT to another one.` };
};

/** A service on a busy machine is not one that is down. Where nothing listens, the answer comes at once. */
const patienceMs = 15_000;

/** The address of the service that runs on this data folder; undefined if none does. */
async function runningService(config: Config): Promise<string | undefined> {
  const address = readServing(config)?.address;
  if (address === undefined) return undefined;
  const answers = fetch(`${address}/health/live`, { signal: AbortSignal.timeout(patienceMs) });
  return answers.then(
    ({ ok }) => (ok ? address : undefined),
    () => undefined,
  );
}

const lookAtDatabase: Look = async (config) => {
  const subject = 'Database';
  const { address, engine } = locateStore(config);
  const where = engine.describe(address);
  if (engine.isMissing(address)) return { subject, state: 'ok', text: `${where}; the first start makes it` };
  const serving = await runningService(config);
  if (serving !== undefined) return { subject, state: 'ok', text: `${where}, served at ${serving}` };
  try {
    const missing = await engine.migrate(address, true);
    const text = missing.length === 0 ? where : `${where}; the next start applies ${missing.length} migration(s)`;
    return { subject, state: 'ok', text };
  } catch (error) {
    return { subject, state: 'failed', text: `${where}: ${(error as Error).message}` };
  }
};

const lookAtClock: Look = (config) => {
  const subject = 'Clock';
  const nowMs = Date.now();
  const now = new Date(nowMs).toISOString();
  const { address, engine } = locateStore(config);
  const writtenMs = statSync(engine.describe(address), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (nowMs >= oldestClockMs && writtenMs <= nowMs + 1000) return { subject, state: 'ok', text: now };
  const why = nowMs < oldestClockMs ? 'long past' : 'before the last write to the database';
  return { subject, state: 'warning', text: `${now} is ${why}. Set the clock: tokens and times depend on it.` };
};

function lookAtNode(): Finding {
  return { subject: 'Node', state: 'ok', text: `${process.version} on ${process.platform} ${process.arch}` };
}

/** Looks at everything, for an environment. */
export async function examine(environment: Readonly<Record<string, string | undefined>>): Promise<readonly Finding[]> {
  const misspelled = unknownVariables(environment).map(({ variable, meant }): Finding => {
    return { subject: 'Settings', state: 'warning', text: `Unknown setting ${variable}. Did you mean ${meant}?` };
  });
  let config: Config;
  try {
    config = parseConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const invalid = error.problems.map((text): Finding => ({ subject: 'Settings', state: 'failed', text }));
    return [lookAtNode(), ...invalid, ...misspelled];
  }
  const settings: readonly Finding[] =
    misspelled.length > 0 ? misspelled : [{ subject: 'Settings', state: 'ok', text: 'all are valid' }];
  const findings = [lookAtNode(), ...settings];
  for (const look of [lookAtFolder, lookAtDisk, lookAtPort, lookAtDatabase, lookAtClock])
    findings.push(await look(config));
  return findings;
}

/** Runs `grs doctor`. */
export async function run(args: readonly string[]): Promise<number> {
  if (args.length > 0) throw new UsageError();
  const findings = await examine(processEnvironment());
  for (const { subject, state, text } of findings) console.log(`${state.padEnd(8)} ${subject.padEnd(12)} ${text}`);
  const failed = findings.filter(({ state }) => state === 'failed').length;
  console.log(failed === 0 ? 'The service can start.' : `${failed} of these would keep the service from starting.`);
  return failed === 0 ? 0 : 1;
}
