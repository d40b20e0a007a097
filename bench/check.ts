import { readdirSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { ResourceStore } from '../src/domain/ports/resource-store.ts';
import { checkPostgres } from '../src/record/postgres/maintenance/maintain.ts';
import { checkStore } from '../src/store/sqlite/maintenance/maintain.ts';
import { openTestStore as openPostgres, startTestPostgres } from '../test/storage/postgres/start-test-postgres.ts';
import { creation, document } from '../test/storage/records.ts';
import { openTestStore as openSqlite } from '../test/storage/sqlite/open-test-store.ts';
import { draft } from './documents.ts';
import { temporaryFolder } from './service.ts';

/**
 * Measures a check: CPU time for each resource, of Node and of the database, which does not depend on the load of the
 * machine, and the rate, which does. `--jobs` is for the embedded store; PostgreSQL is checked on one connection.
 *
 *   node bench/check.ts --count 50000 --jobs 1,2
 */
const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '30000' },
    jobs: { type: 'string', default: '1,2' },
    engine: { type: 'string', default: 'postgres,sqlite' },
    rounds: { type: 'string', default: '2' },
  },
});
const count = Number(options.count);
const jobsTried = options.jobs.split(',').map(Number);

async function fill(resources: ResourceStore): Promise<void> {
  for (let begin = 0; begin < count; begin += 1000) {
    const some = Array.from({ length: Math.min(1000, count - begin) }, (_, at) => {
      const n = begin + at;
      const { key, ...fields } = draft(n, `key-${n}`);
      // Ids in no order of the keys, as those of a service are.
      const id = `r-${((n * 7919) % count).toString(36).padStart(6, '0')}`;
      return resources.commit(
        creation('bench', { ...document(id, 1, fields as never, String(key)), ...(fields as object) } as never),
      );
    });
    await Promise.all(some);
  }
}

/** Processor time of a server and of the sessions that it started and that have ended, in µs. */
function serverCpuUs(data: string): number {
  const postmaster = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]!;
  let ticks = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (pid !== postmaster && fields[1] !== postmaster) continue;
      const counted = pid === postmaster ? [11, 12, 13, 14] : [11, 12];
      for (const at of counted) ticks += Number(fields[at]);
    } catch {
      // It has ended.
    }
  }
  return ticks * 10_000;
}

async function measure(name: string, data: string | undefined, work: () => Promise<unknown>): Promise<void> {
  const server = data === undefined ? 0 : serverCpuUs(data);
  const begun = { cpu: process.cpuUsage(), ms: performance.now() };
  await work();
  const seconds = (performance.now() - begun.ms) / 1000;
  const { user, system } = process.cpuUsage(begun.cpu);
  const ofServer = data === undefined ? 0 : serverCpuUs(data) - server;
  const each = (us: number) => (us / count).toFixed(0);
  const rate = Math.round(count / seconds).toLocaleString('en');
  console.log(
    `${name}: Node ${each(user + system)} µs, database ${each(ofServer)} µs, ${rate}/s (load ${loadavg()[0]!.toFixed(1)})`,
  );
}

function expectNone(findings: readonly string[]): void {
  if (findings.length > 0) throw new Error(`Not expected: ${findings[0]}`);
}

async function benchPostgres(): Promise<void> {
  const postgres = await startTestPostgres();
  const { data } = postgres.server!;
  const store = await openPostgres(postgres, { declaredPaths: [], queryTimeoutMs: 120_000 });
  await fill(store.resources);
  await store.close();
  await postgres.run('VACUUM ANALYZE');
  for (let round = 0; round < Number(options.rounds); round += 1) {
    await measure('PostgreSQL, check', data, async () => expectNone(await checkPostgres(postgres.url, () => {})));
  }
  await postgres.close();
}

async function benchSqlite(): Promise<void> {
  const folder = temporaryFolder();
  const file = join(folder.path, 'grs.db');
  const store = await openSqlite(file);
  await fill(store.resources);
  await store.close();
  for (let round = 0; round < Number(options.rounds); round += 1) {
    for (const jobs of jobsTried) {
      await measure(`SQLite, check, ${jobs} job(s)`, undefined, async () =>
        expectNone(await checkStore(file, false, () => {}, { jobs })),
      );
    }
  }
  folder.remove();
}

if (options.engine.includes('postgres')) await benchPostgres();
if (options.engine.includes('sqlite')) await benchSqlite();
