import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { allTables, listMigrations } from '../../../src/storage/postgres/open/migrate.ts';
import { dataFolder, runCommand, type ServiceProcess, startService } from '../../faults/service-process.ts';
import { findTool } from '../../optional-tools.ts';
import { startTestPostgres } from './start-test-postgres.ts';

/**
 * Versions of the service on one database: earlier ones out of the history of the repository, and one that may follow, each
 * with the one of today.
 */

const root = fileURLToPath(new URL('../../../', import.meta.url));
const migrations = 'src/storage/postgres/migrations';
const fileOf = (version: number, name: string) => `${migrations}/${String(version).padStart(3, '0')}_${name}.sql`;
const known = listMigrations();
const newest = known.at(-1)!;

function git(...args: readonly string[]): string {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : '';
}

/** The newest migration that a commit has; 0 without one. */
function schemaOf(commit: string): number {
  const names = git('ls-tree', '--name-only', commit, `${migrations}/`).split('\n');
  return Math.max(0, ...names.map((name) => Number(/(\d{3})_\w+\.sql$/.exec(name)?.[1] ?? 0)));
}

/** True if a version with this schema can use the one of today. */
const canUse = (schema: number) =>
  known.every(({ version, usableFrom = version }) => version <= schema || usableFrom <= schema);

interface Earlier {
  readonly commit: string;
  readonly title: string;
}

/**
 * The versions to try: the last release, the one before the newest migration, and, if none of them can use its result, the
 * first one that has it. Empty without a history.
 */
function earlierVersions(): readonly Earlier[] {
  if (!findTool('git') || !findTool('tar')) return [];
  const added = git('log', '-1', '--diff-filter=A', '--format=%H', '--', fileOf(newest.version, newest.name));
  // A migration that is not committed yet is newer than all that is.
  const before = git('rev-parse', '--verify', '--quiet', added === '' ? 'HEAD' : `${added}^`);
  const release = git('describe', '--tags', '--abbrev=0', '--match', 'v[0-9]*', 'HEAD^');
  const all: Earlier[] = [
    { commit: release && git('rev-parse', `${release}^{commit}`), title: `release ${release}` },
    { commit: before, title: 'the version before the newest migration' },
  ].filter(({ commit }) => commit !== '' && schemaOf(commit) > 0);
  if (all.some(({ commit }) => canUse(schemaOf(commit)))) return all;
  return added === '' ? all : [...all, { commit: added, title: 'the first version with the newest migration' }];
}

/** The program of the sources in a folder. */
function programIn(folder: string): string {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return ['main.js', 'main.ts'].map((name) => join(folder, 'src', name)).find(existsSync)!;
}

/** Writes the sources of a commit into a folder. */
function programOf(commit: string, folder: string): string {
  const { stdout } = spawnSync('git', ['archive', commit, 'src', 'package.json', 'docs'], {
    ...{ cwd: root, maxBuffer: 2 ** 28 },
  });
  assert.equal(spawnSync('tar', ['-x', '-C', folder], { input: stdout }).status, 0);
  return programIn(folder);
}

/** Writes the sources of today into a folder, with a migration that they do not have. */
function programOfNext(folder: string, sql: string): string {
  for (const name of ['src', 'package.json', 'docs']) cpSync(join(root, name), join(folder, name), { recursive: true });
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

/** A version that can use the schema of today, beside the one of today. */
async function besideToday({ commit }: Earlier, t: TestContext): Promise<void> {
  await withVersions(async ({ url, folder, data }) => {
    const environment = { DATABASE_URL: url };
    const program = programOf(commit, folder);
    const old = await startService(data[0], environment, { program });
    const token = await old.token('manage_project:p');
    await send(old, token, 'PUT', path, { id: 'before', someProperty: 'x' });
    const today = await startService(data[1], environment);
    assert.equal((await send(today, token, 'GET', `${path}/before`)).someProperty, 'x');
    await exchange(old, today, token, 'a');
    await exchange(today, old, token, 'b');
    await stop(old);
    const again = await startService(data[0], environment, { program });
    await exchange(again, today, token, 'c');
    await stop(again);
    await stop(today);
    // The version before may divide texts into other words: rows that it wrote last are found by those, until a rebuild.
    const { stdout: found } = await runCommand(['check'], environment);
    for (const [finding] of found.matchAll(/^FOUND .*$/gm)) assert.match(finding, /its indexes say otherwise/);
    const { code, stdout } = await runCommand(['check', '--rebuild-indexes'], environment);
    assert.equal(code, 0, stdout);
    t.diagnostic(`beside ${commit.slice(0, 12)}`);
  });
}

/** A version that cannot use the schema of today, and then the one of today. */
async function beforeToday({ commit }: Earlier, t: TestContext): Promise<void> {
  await withVersions(async ({ url, folder, data }) => {
    const environment = { DATABASE_URL: url, INDEXED_PATHS: 'price' };
    const program = programOf(commit, folder);
    const old = await startService(data[0], environment, { program });
    const token = await old.token('manage_project:p');
    for (let n = 0; n < 40; n += 1) {
      await send(old, token, 'PUT', path, { id: `r${n}`, someProperty: n % 4 === 0 ? 'x' : 'y', price: n });
    }
    await stop(old);
    const today = await startService(data[1], environment);
    assert.equal((await send(today, token, 'GET', `${path}/r7`)).price, 7);
    for (const [condition, total] of [
      ['someProperty = "x"', 10],
      ['price > 9 and price < 20', 10],
      ['price is not defined', 0],
    ] as const) {
      const at = `${path}/sorted-query-parameters?sort=price+desc&where=${encodeURIComponent(condition)}`;
      let response = await today.request({ method: 'GET', path: at, token });
      // Until the index is built, there is no list with a condition; never one that lacks some.
      while (response.status === 503) response = await today.request({ method: 'GET', path: at, token });
      assert.equal(response.status, 200, response.text);
      assert.equal(JSON.parse(response.text).total, total, condition);
    }
    await assert.rejects(startService(data[0], environment, { program }), /schema/);
    await stop(today);
    const { code, stdout } = await runCommand(['check'], environment);
    assert.equal(code, 0, stdout);
    t.diagnostic(`after ${commit.slice(0, 12)}`);
  });
}

const versions = earlierVersions();
for (const version of versions) {
  if (canUse(schemaOf(version.commit))) {
    test(`${version.title} beside the one of today: each reads and writes what the other wrote`, (t) =>
      besideToday(version, t));
  } else {
    test(`after ${version.title}, the one of today finds all that it wrote, and it is refused from then on`, (t) =>
      beforeToday(version, t));
  }
}
test('earlier versions are known', {
  skip: versions.length === 0 && 'the history of the repository, git or tar is not here: no earlier version was run',
}, () => {
  assert.ok(versions.some(({ commit }) => canUse(schemaOf(commit))));
});

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
