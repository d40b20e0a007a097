import { type ChildProcess, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, nobody, type PostgresServer } from './postgres-server.ts';

/** A PgBouncer before a server, on loopback. Close it when the tests are over. */
export interface PgBouncer {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts one with few sessions, so that transactions of one client run in several. */
export async function startPgBouncer(
  program: string,
  server: PostgresServer,
  mode: 'session' | 'transaction' | 'statement',
): Promise<PgBouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'grs-pgbouncer-'));
  const port = await freePort();
  const settings = [
    '[databases]',
    `postgres = host=127.0.0.1 port=${server.port} dbname=postgres user=grs`,
    '[pgbouncer]',
    `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = any\npool_mode = ${mode}`,
    // A session is one connection of the service: as many as two stores have that the tests open side by side.
    `default_pool_size = ${mode === 'session' ? 10 : 5}\nmax_client_conn = 100\nlog_connections = 0\nlog_disconnections = 0`,
  ];
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(file, `${settings.join('\n')}\n`);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) for (const each of [folder, file]) chownSync(each, nobody, nobody);
  const child = spawn(program, [file], {
    ...(isRoot && { uid: nobody, gid: nobody }),
    ...{ cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  await isUp(child);
  return {
    url: `postgres://grs@127.0.0.1:${port}/postgres`,
    async close() {
      process.off('exit', kill);
      const ended = new Promise((resolve) => child.once('exit', resolve));
      kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function isUp(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stderr?.on('data', (chunk) => {
      said = (said + chunk).slice(-10_000);
      if (/process up/.test(said)) resolve();
    });
    child.once('exit', () => reject(new Error(`PgBouncer ended: ${said}`)));
  });
}
