import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeArgsOf } from '../controls.ts';
import type { ProofRun } from '../proof.ts';
import { type Environment, runCommand, type ServiceProcess, startService } from '../service-process.ts';

/** The services of a round: one with several processes on a folder, or several on one PostgreSQL. */
export interface Cluster {
  readonly engine: 'sqlite' | 'postgres';
  readonly ports: readonly number[];
  /** The service that a client talks to. */
  of(client: number): ServiceProcess;
  /** Ends one of them, and starts it again on its port, with other paths in the index maybe. */
  restart(signal: NodeJS.Signals): Promise<void>;
  /** Stops all in order. Returns what went wrong. */
  stop(): Promise<readonly string[]>;
  /** Runs a command of the command line on the store. */
  command(...args: readonly string[]): ReturnType<typeof runCommand>;
  remove(): void;
}

const indexedPaths = ['', 'group', 'group,size'];

export async function startCluster(run: ProofRun, workers: number): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'grs-writes-'));
  const { database, random } = run;
  const count = database === undefined ? 1 : workers;
  const launch = { nodeArgs: nodeArgsOf(run.build) };
  const common: Environment = {
    ...(database === undefined ? { WORKERS: String(workers) } : { DATABASE_URL: database }),
    ...{ API_RATE_PER_SECOND: '0' },
  };
  const folderOf = (at: number) => join(folder, database === undefined ? 'data' : `data-${at}`);
  const start = (at: number, port = '0') =>
    startService(folderOf(at), { ...common, PORT: port, INDEXED_PATHS: random.pick(indexedPaths) }, launch);
  const services: ServiceProcess[] = [];
  // Files of images are in one folder, as of services that share a file system.
  const images = join(folder, 'images');
  mkdirSync(images);
  for (let at = 0; at < count; at += 1) {
    mkdirSync(folderOf(at));
    symlinkSync(images, join(folderOf(at), 'images'));
    // One after the other: the first one makes the schema.
    services.push(await start(at));
  }
  const violations: string[] = [];
  const end = async (service: ServiceProcess, signal: NodeJS.Signals) => {
    service.kill(signal);
    const { code, stderr } = await service.ended;
    if (signal === 'SIGTERM' && code !== 0)
      violations.push(`stop: exit code ${code} after SIGTERM: ${stderr.slice(-500)}`);
  };
  return {
    engine: database === undefined ? 'sqlite' : 'postgres',
    ports: services.map(({ port }) => port),
    of: (client) => services[client % services.length]!,
    async restart(signal) {
      const at = random.integer(0, services.length - 1);
      const before = services[at]!;
      await end(before, signal);
      services[at] = await start(at, String(before.port));
    },
    async stop() {
      await Promise.all(services.map((service) => end(service, 'SIGTERM')));
      return violations;
    },
    command: (...args) =>
      runCommand(args, { DATA_DIR: folderOf(0), ...(database !== undefined && { DATABASE_URL: database }) }),
    remove() {
      for (const service of services) service.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
