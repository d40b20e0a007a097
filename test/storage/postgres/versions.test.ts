import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { listMigrations } from '../../../src/storage/postgres/open/migrate.ts';
import { dataFolder, runCommand, type ServiceProcess, startService } from '../../faults/service-process.ts';
import { findTool } from '../../optional-tools.ts';
import { startTestPostgres, type TestPostgres } from './start-test-postgres.ts';

/** The version before, out of the history of the repository, beside the one of today on one database. */

const root = fileURLToPath(new URL('../../../', import.meta.url));
const migrations = 'src/storage/postgres/migrations';

function git(...args: readonly string[]): string {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : '';
}

/** The last commit before the newest migration was added; empty without a history. */
function commitBefore(): string {
  const added = git('log', '-1', '--diff-filter=A', '--format=%H', '--', migrations);
  return added === '' ? '' : git('rev-parse', '--verify', '--quiet', `${added}^`);
}

const commit = findTool('git') && findTool('tar') ? commitBefore() : '';
const skip = commit === '' && 'the history of the repository is not here';

let postgres: TestPostgres;
let tree: string;
const folders = [dataFolder(), dataFolder()] as const;
before(async () => {
  if (skip) return;
  postgres = await startTestPostgres();
  tree = mkdtempSync(join(tmpdir(), 'grs-version-before-'));
  const { stdout } = spawnSync('git', ['archive', commit, 'src', 'package.json', 'docs'], {
    ...{ cwd: root, maxBuffer: 2 ** 28 },
  });
  assert.equal(spawnSync('tar', ['-x', '-C', tree], { input: stdout }).status, 0);
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
});
after(async () => {
  for (const folder of folders) folder.remove();
  if (skip) return;
  await postgres.close();
  rmSync(tree, { recursive: true, force: true });
});

const path = '/p/resource';

async function send(service: ServiceProcess, token: string, method: string, at: string, body?: unknown) {
  const { status, text } = await service.request({ method, path: at, token, body });
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

/** The newest migration says which versions can use its result. */
const { usableFrom, version: newest } = listMigrations().at(-1)!;
const isReplaced = usableFrom === newest;

test('the version before and the one of today on one database: each reads and writes what the other wrote', {
  skip: skip || (isReplaced && 'the newest migration leaves nothing that the version before can use'),
}, async (t) => {
  const environment = { DATABASE_URL: postgres.url };
  const main = ['main.js', 'main.ts'].map((name) => join(tree, 'src', name)).find(existsSync)!;
  const old = await startService(folders[0].path, environment, { program: main });
  const token = await old.token('manage_project:p');
  await send(old, token, 'PUT', path, { id: 'before', someProperty: 'x' });
  const today = await startService(folders[1].path, environment);
  assert.equal((await send(today, token, 'GET', `${path}/before`)).someProperty, 'x');
  await exchange(old, today, token, 'a');
  await exchange(today, old, token, 'b');
  old.kill('SIGTERM');
  assert.equal((await old.ended).code, 0);
  // Versions from before decision 102 do not start beside a newer schema.
  if (readFileSync(join(tree, 'src/storage/postgres/open/migrate.ts'), 'utf8').includes('schema-usable-from')) {
    const again = await startService(folders[0].path, environment, { program: main });
    await exchange(again, today, token, 'c');
    again.kill('SIGTERM');
    await again.ended;
  }
  today.kill('SIGTERM');
  await today.ended;
  if (!existsSync(join(tree, 'src/storage/postgres/migrations/004_events.sql'))) {
    // The version before logs nothing; what today's wrote beside it is logged as ever.
    const logged = await postgres.run<{ id: string; versions: string }>(
      `SELECT id, string_agg(version::text, ' ' ORDER BY sequence) AS versions FROM event
        WHERE project_key = 'p' AND id IN ('a', 'b') GROUP BY id ORDER BY id`,
    );
    assert.deepEqual(logged, [
      { id: 'a', versions: '2' },
      { id: 'b', versions: '1 3' },
    ]);
  }
  // The version before may divide texts into other words: rows that it wrote last are found by those, until a rebuild.
  const { stdout: found } = await runCommand(['check'], environment);
  for (const [finding] of found.matchAll(/^FOUND .*$/gm)) assert.match(finding, /its indexes say otherwise/);
  const { code, stdout } = await runCommand(['check', '--rebuild-indexes'], environment);
  assert.equal(code, 0, stdout);
  t.diagnostic(`beside ${commit.slice(0, 12)}`);
});

test('after the version before, the one of today finds all that it wrote, and it is refused from then on', {
  skip: skip || (!isReplaced && 'the version before can use the result of the newest migration'),
}, async (t) => {
  const environment = { DATABASE_URL: postgres.url, INDEXED_PATHS: 'price' };
  const main = ['main.js', 'main.ts'].map((name) => join(tree, 'src', name)).find(existsSync)!;
  const old = await startService(folders[0].path, environment, { program: main });
  const token = await old.token('manage_project:p');
  for (let n = 0; n < 40; n += 1) {
    await send(old, token, 'PUT', path, { id: `r${n}`, someProperty: n % 4 === 0 ? 'x' : 'y', price: n });
  }
  old.kill('SIGTERM');
  assert.equal((await old.ended).code, 0);
  const today = await startService(folders[1].path, environment);
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
  await assert.rejects(startService(folders[0].path, environment, { program: main }), /schema/);
  today.kill('SIGTERM');
  await today.ended;
  const { code, stdout } = await runCommand(['check'], environment);
  assert.equal(code, 0, stdout);
  t.diagnostic(`after ${commit.slice(0, 12)}`);
});
