import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type PostgresServer, startPostgres } from '../../../test/storage/postgres/postgres-server.ts';
import { type StallingProxy, startStallingProxy } from '../../../test/storage/postgres/stalling-proxy.ts';
import { withClient } from '../../smoke-cluster/shards.ts';
import { nodeArgsOf } from '../controls.ts';
import type { ProofRun } from '../proof.ts';
import { main, type ServiceProcess, startService } from '../service-process.ts';

/** The database of the services, and how it fails. */
export interface Database {
  readonly url: string;
  run(text: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>;
  /** Ends one of its sessions: by SIGKILL, after which PostgreSQL ends all and recovers, where it is a server of ours. */
  killSession(): Promise<void>;
  /** Ends the server as a crash would, and starts it again; absent where it is not ours. */
  crash?(): Promise<void>;
  close(): Promise<void>;
}

const sessions = "FROM pg_stat_activity WHERE application_name = 'generic-resource-service' ORDER BY random() LIMIT 1";

/** The database at an address, or one of its own. */
export async function openDatabase(given: string | undefined): Promise<Database> {
  const server: PostgresServer | undefined = given === undefined ? await startPostgres() : undefined;
  const url = given ?? server!.url;
  const run = (text: string, values: readonly unknown[] = []) =>
    withClient(url, async (client) => {
      // It may be ended by what is tried beside it.
      client.on('error', () => {});
      return (await client.query(text, [...values])).rows;
    });
  return {
    ...{ url, run },
    async killSession() {
      if (!server) await run(`SELECT pg_terminate_backend(pid) ${sessions}`);
      else for (const { pid } of await run(`SELECT pid ${sessions}`)) process.kill(pid as number, 'SIGKILL');
    },
    ...(server && {
      async crash() {
        await server.stopAtOnce();
        await pause(200);
        await server.start();
      },
    }),
    close: async () => server?.close(),
  };
}

/** One of the services, with a data folder, a clock and a way to the database of its own. */
export class ServiceNode {
  service: ServiceProcess | undefined;
  /** For how long it was stopped, or had no way to the database, by our doing. */
  heldMs = 0;
  token = '';
  /** The last refusal of a query. */
  refusal = '';
  readonly #folder: string;
  readonly #proxy: StallingProxy;
  readonly #start: (port: number) => Promise<ServiceProcess>;
  readonly #clock: string;

  private constructor(folder: string, proxy: StallingProxy, url: string, run: ProofRun, isShared: boolean) {
    this.#folder = folder;
    this.#proxy = proxy;
    this.#clock = join(folder, 'clock');
    this.setClock(0);
    const address = new URL(url);
    address.host = `127.0.0.1:${proxy.port}`;
    const clock = `${new URL('./shifted-clock.ts', import.meta.url).href}?${encodeURIComponent(this.#clock)}`;
    const launch = {
      nodeArgs: ['--import', clock, ...nodeArgsOf(run.build)],
      ...(run.build === undefined && { program: main }),
    };
    const settings = {
      ...{ DATABASE_URL: address.href, DATABASE_CONNECTIONS: '8', API_RATE_PER_SECOND: '0' },
      ...{ TOKEN_LIFETIME_SECONDS: '172800', WORKERS: isShared ? '2' : '1' },
      // Without history, a clock that is ahead prunes what mirrors have not read.
      HISTORY_RETENTION_DAYS: run.random.seed % 2 === 0 ? '0' : '90',
    };
    this.#start = (port) => {
      // Other paths than those before are indexed again beside the queries.
      const started = { PORT: String(port), INDEXED_PATHS: run.random.pick(['', '', 'n']) };
      return startService(join(folder, 'data'), { ...settings, ...started }, launch);
    };
  }

  static async start(run: ProofRun, { url }: Database, isShared: boolean): Promise<ServiceNode> {
    const folder = mkdtempSync(join(tmpdir(), 'grs-histories-'));
    mkdirSync(join(folder, 'data'));
    const proxy = await startStallingProxy(Number(new URL(url).port || 5432));
    const node = new ServiceNode(folder, proxy, url, run, isShared);
    node.service = await node.#start(0);
    return node;
  }

  setClock(shiftMs: number): void {
    writeFileSync(this.#clock, String(shiftMs));
  }

  /** Ends it at once, and starts it again on its port, until the database lets it. */
  async restart(keepsMirror: boolean): Promise<void> {
    const { port, ended, kill } = this.service!;
    this.service = undefined;
    kill('SIGCONT');
    kill('SIGKILL');
    await ended;
    if (!keepsMirror) rmSync(join(this.#folder, 'data', 'mirror'), { recursive: true, force: true });
    for (let tries = 1; this.service === undefined; tries += 1) {
      try {
        this.service = await this.#start(port);
      } catch (error) {
        if (tries === 30) throw error;
        await pause(300);
      }
    }
  }

  async #hold(ms: number, begin: () => void, end: () => void): Promise<void> {
    const begunMs = performance.now();
    begin();
    await pause(ms);
    end();
    this.heldMs += performance.now() - begunMs;
  }

  /** Stops the process for a while. */
  freeze(ms: number): Promise<void> {
    const { kill } = this.service!;
    return this.#hold(
      ms,
      () => kill('SIGSTOP'),
      () => kill('SIGCONT'),
    );
  }

  /** Lets its connections to the database hang for a while, which then go on or end. */
  stall(ms: number, isCut: boolean): Promise<void> {
    const end = () => {
      this.#proxy.resume();
      if (isCut) this.#proxy.cut();
    };
    return this.#hold(ms, this.#proxy.stall, end);
  }

  cut(): void {
    this.#proxy.cut();
  }

  /** Its connections to the database hang for good; new ones work. */
  lose(): void {
    this.#proxy.lose();
  }

  async close(): Promise<void> {
    this.service?.kill('SIGCONT');
    this.service?.kill('SIGKILL');
    await this.service?.ended;
    await this.#proxy.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
