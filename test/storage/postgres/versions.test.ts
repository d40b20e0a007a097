import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { allTables, listMigrations } from '../../../src/record/postgres/open/migrate.ts';
import { dataFolder, runCommand, type ServiceProcess, startService } from '../../faults/service-process.ts';
import { startTestPostgres } from './start-test-postgres.ts';

/** Versions of the service on one database: the one of today, and one that may follow. */

const root = fileURLToPath(new URL('../../../', import.meta.url));
const migrations = 'src/record/postgres/migrations';
const fileOf = (version: number, name: string) => `${migrations}/${String(version).padStart(3, '0')}_${name}.sql`;
const known = listMigrations();
const newest = known.at(-1)!;

/** The program of the sources in a folder. */
function programIn(folder: string): string {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return ['main.js', 'main.ts'].map((name) => join(folder, 'src', name)).find(existsSync)!;
}

/** Writes the sources of today into a folder, with a migration that they do not have. */
function programOfNext(folder: string, sql: string): string {
  for (const name of ['src', 'packages', 'package.json', 'docs'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  writeFileSync(join(folder, fileOf(newest.version + 1, 'of_the_future')), sql);
  return programIn(folder);
}

/** Runs a test with a database, a folder for a version and a data folder for each of two services. */
async function withVersions(
  work: (given: {
    readonly url: string;
    readonly folder: string;
    readonly data: readonly [string, string];
  }) => Promise<void>,
): Promise<void> {
  const postgres = await startTestPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'grs-version-'));
  const data = [dataFolder(), dataFolder()] as const;
  try {
    await work({ url: postgres.url, folder, data: [data[0].path, data[1].path] });
  } finally {
    for (const each of data) each.remove();
    rmSync(folder, { recursive: true, force: true });
    await postgres.close();
  }
}

async function stop(service: ServiceProcess): Promise<string> {
  service.kill('SIGTERM');
  const { code, stdout, stderr } = await service.ended;
  assert.equal(code, 0, stderr);
  return stdout;
}

const path = '/p/resource';

async function send(service: ServiceProcess, token: string, method: string, at: string, body?: unknown) {
  let answer = await service.request({ method, path: at, token, body });
  // A cluster takes seconds for a migration, and locks its tables meanwhile.
  while (answer.status === 503 && answer.text.includes('OverCapacity')) {
    answer = await service.request({ method, path: at, token, body });
  }
  const { status, text } = answer;
  assert.ok(status < 300, `${method} ${at}: ${status} ${text}`);
  return JSON.parse(text);
}

/** Creates, updates and finds on one process what the other has written. */
async function exchange(writer: ServiceProcess, reader: ServiceProcess, token: string, id: string): Promise<void> {
  const created = await send(writer, token, 'PUT', path, { id, someProperty: 'first', price: 7 });
  assert.equal((await send(reader, token, 'GET', `${path}/${id}`)).someProperty, 'first');
  const actions = [{ action: 'changeSomeProperty', someProperty: 'second' }];
  const updated = await send(reader, token, 'POST', `${path}/${id}`, { version: created.version, actions });
  const again = [{ action: 'changeSomeProperty', someProperty: 'third' }];
  await send(writer, token, 'POST', `${path}/${id}`, { version: updated.version, actions: again });
  const where = encodeURIComponent(`id = "${id}" and someProperty = "third" and price = 7`);
  const list = await send(reader, token, 'GET', `${path}/sorted-query-parameters?where=${where}`);
  assert.equal(list.total, 1);
}

/** What a release may add beside processes of the version before. */
function expansion(): string {
  return `-- usable from ${String(newest.version).padStart(3, '0')}
${allTables()
  .map((table) => `ALTER TABLE ${table} ADD COLUMN of_the_future text NOT NULL DEFAULT 'later';`)
  .join('\n')}
CREATE TABLE of_the_future (
  project_key text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  PRIMARY KEY (project_key, id)
); -- distributed by project_key
CREATE INDEX resource_of_the_future ON resource (project_key, of_the_future);
`;
}

test('the version of today serves while a next one adds to its schema, starts beside it, and each reads what the other wrote', async () => {
  await withVersions(async ({ url, folder, data }) => {
    const environment = { DATABASE_URL: url };
    const program = programOfNext(folder, expansion());
    const today = await startService(data[0], environment);
    const token = await today.token('manage_project:p');
    let isMigrated = false;
    const serving = (async () => {
      for (let n = 0; !isMigrated || n < 20; n += 1) await exchange(today, today, token, `meanwhile-${n}`);
    })();
    const next = await startService(data[1], environment, { program }).finally(() => {
      isMigrated = true;
    });
    await serving;
    await exchange(today, next, token, 'a');
    await exchange(next, today, token, 'b');
    await stop(today);
    const again = await startService(data[0], environment);
    await exchange(again, next, token, 'c');
    assert.match(await stop(again), /a newer version migrated the database/);
    await stop(next);
    const { code, stdout } = await runCommand(['check'], environment);
    assert.equal(code, 0, stdout);
  });
});
