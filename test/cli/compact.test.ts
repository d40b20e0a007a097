import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { dataFolder, main, runCommand, startService } from '../faults/service-process.ts';
import { creation, deletion, document } from '../storage/records.ts';
import { openTestStore, withDatabase } from '../storage/sqlite/open-test-store.ts';

/** grs compact, on a store from which most was deleted. */
const folder = dataFolder();
const source = join(folder.path, 'source');
const kept = 40;
const deleted = 1500;
before(async () => {
  mkdirSync(source);
  const store = await openTestStore(join(source, 'grs.db'), { keepsHistory: true });
  const filler = 'lorem ipsum dolor '.repeat(60);
  const drafts = Array.from({ length: kept + deleted }, (_, n) =>
    document(`r${n}`, 1, { name: { en: `Blue shoe ${n}` }, filler }, `k${n}`),
  );
  for (const draft of drafts) assert.equal(await store.resources.commit(creation('shop', draft)), 'committed');
  for (const draft of drafts.slice(0, deleted)) {
    assert.equal(await store.resources.commit(deletion('shop', draft)), 'committed');
  }
  await store.changes.prune(Date.now() + 1000, 0);
  await store.close();
});
after(() => folder.remove());

/** A data folder of its own with the store. */
function copyOfStore(name: string): string {
  const data = join(folder.path, name);
  mkdirSync(data);
  for (const file of readdirSync(source)) copyFileSync(join(source, file), join(data, file));
  return data;
}

const sizeOf = (data: string) => statSync(join(data, 'grs.db')).size;

/** All rows of the tables whose numbers others refer to. */
const rowsOf = (data: string) =>
  withDatabase(join(data, 'grs.db'), (db) => [
    db.prepare('SELECT row, project_key, id, current, checksum FROM resource ORDER BY row').all(),
    db.prepare('SELECT sequence, project_key, id FROM change ORDER BY sequence').all(),
  ]);

test('grs compact after deletes: the file is a fraction, all that is left is found, and the check is well', async () => {
  const data = copyOfStore('compacted');
  const before = sizeOf(data);
  const rows = rowsOf(data);
  writeFileSync(join(data, 'grs.db-compacting'), 'what a crash left');
  const { code, stdout, stderr } = await runCommand(['compact'], { DATA_DIR: data });
  assert.equal(code, 0, stdout + stderr);
  assert.match(stdout, /grs\.db: [\d.]+ MB before, [\d.]+ MB now\.\n$/);
  assert.ok(sizeOf(data) * 5 < before, `${before} → ${sizeOf(data)}`);
  assert.deepEqual(rowsOf(data), rows);
  assert.equal(statSync(join(data, 'grs.db')).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(data).toSorted(), readdirSync(source).toSorted());
  const check = await runCommand(['check'], { DATA_DIR: data });
  assert.deepEqual([check.code, check.stdout], [0, 'All is well.\n']);

  const service = await startService(data);
  const token = await service.token('manage_project:shop');
  const ask = async (path: string) =>
    JSON.parse((await service.request({ path: `/shop/resource/${path}`, token })).text);
  assert.equal((await ask('sorted-query-parameters')).total, kept);
  assert.equal((await ask('searchApiPattern?text.en=shoe')).total, kept);
  assert.equal((await ask(`r${deleted}`)).key, `k${deleted}`);
  const body = { id: 'new' };
  assert.equal((await service.request({ method: 'POST', path: '/shop/resource', token, body })).status, 201);

  const refused = await runCommand(['compact'], { DATA_DIR: data });
  assert.equal(refused.code, 70);
  assert.match(refused.stderr, /Another process serves this data folder/);
  service.kill('SIGTERM');
  assert.equal((await service.ended).code, 0);
});

test('grs compact killed while it writes: the database is as it was or compacted, and whole', async () => {
  const data = copyOfStore('killed');
  const rows = rowsOf(data);
  // Each later: before, while and after the new file is written.
  for (let kills = 0; kills < 8; kills += 1) {
    const child = spawn(process.execPath, [main, 'compact'], { env: { DATA_DIR: data, PATH: process.env.PATH } });
    const ended = once(child, 'exit');
    const copy = join(data, 'grs.db-compacting');
    while (child.exitCode === null && !existsSync(copy)) await nextTurn();
    const leastBytes = (kills * sizeOf(data)) / 40;
    const size = () => statSync(copy, { throwIfNoEntry: false })?.size;
    for (let now = size(); child.exitCode === null && now !== undefined && now < leastBytes; now = size())
      await nextTurn();
    child.kill('SIGKILL');
    await ended;
    assert.deepEqual(rowsOf(data), rows);
  }
  assert.equal((await runCommand(['compact'], { DATA_DIR: data })).code, 0);
  assert.deepEqual(rowsOf(data), rows);
  assert.equal((await runCommand(['check'], { DATA_DIR: data })).code, 0);
});

test('grs compact beside a program that reads the database: refused, and nothing is changed', async () => {
  const data = copyOfStore('read');
  const before = rowsOf(data);
  const reader = new DatabaseSync(join(data, 'grs.db'), { readOnly: true });
  reader.prepare('SELECT count(*) FROM resource').get();
  try {
    const { code, stderr } = await runCommand(['compact'], { DATA_DIR: data });
    assert.equal(code, 70, stderr);
    assert.match(stderr, /Another program has .* open, such as a backup or a check\. Nothing was changed\./);
  } finally {
    reader.close();
  }
  assert.deepEqual(rowsOf(data), before);
});

test('grs compact without a store, or with arguments: exit code 2', async () => {
  const none = join(folder.path, 'none');
  assert.equal((await runCommand(['compact'], { DATA_DIR: none })).code, 2);
  assert.equal((await runCommand(['compact', 'now'], { DATA_DIR: source })).code, 2);
  const onPostgres = await runCommand(['compact'], { DATA_DIR: none, DATABASE_URL: 'postgres://127.0.0.1:1/none' });
  assert.equal(onPostgres.code, 2);
  assert.match(onPostgres.stderr, /a store on PostgreSQL uses free space again by itself/);
});

test('grs compact on a disk without room for the new file: refused before anything is written', async (t) => {
  const data = join(folder.path, 'small');
  mkdirSync(data);
  const size = sizeOf(source) + 600_000;
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', data]).status !== 0) {
    return t.skip('this user may not mount a file system');
  }
  try {
    for (const file of readdirSync(source)) copyFileSync(join(source, file), join(data, file));
    const before = rowsOf(data);
    const { code, stderr } = await runCommand(['compact'], { DATA_DIR: data });
    assert.equal(code, 70, stderr);
    assert.match(
      stderr,
      /has \d+ MB free, and the new file needs up to \d+ MB .* Nothing was changed\. Make room first\./,
    );
    assert.deepEqual(rowsOf(data), before);
    assert.ok(!readdirSync(data).includes('grs.db-compacting'));
  } finally {
    spawnSync('umount', [data]);
  }
});
