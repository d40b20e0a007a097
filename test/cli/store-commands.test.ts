import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, beforeEach, test } from 'node:test';
import { explain } from '../../src/cli/command.ts';
import { dataFolder, runCommand } from '../faults/service-process.ts';
import { creation, document } from '../storage/records.ts';
import { openTestStore } from '../storage/sqlite/open-test-store.ts';

/** Commands on a store that no process serves. Each test has a new one with 30 resources. */
let folder = dataFolder();
const file = () => join(folder.path, 'grs.db');
const grs = (...args: readonly string[]) => runCommand(args, { DATA_DIR: folder.path });
after(() => folder.remove());
beforeEach(async () => {
  folder.remove();
  folder = dataFolder();
  const store = await openTestStore(file());
  for (let n = 0; n < 30; n += 1) {
    const fields = { colour: n % 2 ? 'red' : 'blue', objectTypeProperty: { arrayOfIntExample: [n] } };
    const outcome = await store.resources.commit(creation('shop', document(`r${n}`, 1, fields, `k${n}`)));
    assert.equal(outcome, 'committed');
  }
  await store.close();
});

function damage(sql: string): void {
  const db = new DatabaseSync(file());
  db.exec(sql);
  db.close();
}

test('check of a good store: exit code 0, and nothing is changed', async () => {
  const { code, stdout } = await grs('check');
  assert.deepEqual([code, stdout], [0, 'All is well.\n']);
});

test('check of a part of the embedded store: refused, since it is checked as a whole; exit code 2', async () => {
  for (const part of [
    ['--project', 'shop'],
    ['--from', 'shop/r4'],
  ]) {
    const { code, stderr } = await grs('check', ...part);
    assert.equal(code, 2);
    assert.match(stderr, /is checked as a whole/);
  }
});

test('check finds a resource that was changed behind the back of the service, and names it: exit code 1', async () => {
  damage(`UPDATE resource SET current = replace(current, '"blue"', '"pink"') WHERE id = 'r4'`);
  const { code, stdout } = await grs('check');
  assert.equal(code, 1);
  assert.match(stdout, /^FOUND {2}resource shop\/r4: its checksum does not match/m);
  assert.match(stdout, /^1 finding\(s\)\./m);
});

test('check finds a term index that lost its terms; --rebuild-indexes makes it anew', async () => {
  damage('DELETE FROM posting');
  const found = await grs('check');
  assert.equal(found.code, 1);
  assert.match(found.stdout, /^FOUND {2}term index: .+check --rebuild-indexes/m);
  assert.deepEqual((await grs('check', '--rebuild-indexes')).stdout, 'All is well.\n');
  assert.equal((await grs('check')).code, 0);
});

test('check finds a resource that was deleted behind the back of the service, by its terms', async () => {
  damage(`DELETE FROM resource WHERE id = 'r7'`);
  const { code, stdout } = await grs('check');
  assert.equal(code, 1);
  assert.match(stdout, /^FOUND {2}term index: /m);
});

test('migrate and migrate --dry-run of a store of this version have nothing to do: exit code 0', async () => {
  for (const args of [['migrate'], ['migrate', '--dry-run']]) {
    const { code, stdout } = await grs(...args);
    assert.equal(code, 0);
    assert.match(stdout, /grs\.db is at this version; nothing to do\.$/m);
  }
});

test('migrate --dry-run of an older store lists what is missing and changes nothing', async () => {
  damage('PRAGMA user_version = 0');
  for (let run = 0; run < 2; run += 1) {
    const { code, stdout } = await grs('migrate', '--dry-run');
    assert.equal(code, 0);
    assert.match(stdout, /^missing {2}010 {2}initial$/m);
  }
});

test('a store of before the first release is refused, with what to do: exit code 70', async () => {
  damage('PRAGMA user_version = 9');
  for (const args of [['migrate'], ['migrate', '--dry-run'], ['check']]) {
    const { code, stderr } = await grs(...args);
    assert.equal(code, 70);
    assert.match(stderr, /schema 9, of before the first release.+grs export/s);
  }
});

test('migrate of a store of a newer version is refused: exit code 70', async () => {
  damage('PRAGMA user_version = 999');
  const { code, stderr } = await grs('migrate');
  assert.equal(code, 70);
  assert.match(stderr, /schema 999.+Start the newer version/s);
});

test('check and migrate where there is no store say so and make none: exit code 70', async () => {
  const empty = dataFolder();
  for (const command of ['check', 'migrate']) {
    const { code, stderr } = await runCommand([command], { DATA_DIR: join(empty.path, 'new') });
    assert.equal(code, 70);
    assert.match(stderr, /There is no store at .+grs\.db yet/);
  }
  assert.deepEqual([readdirSync(empty.path), existsSync(join(empty.path, 'new'))], [[], false]);
  empty.remove();
});

test('a cut admin-client.json is one sentence with the remedy, and the file stays: exit code 70', async () => {
  const admin = join(folder.path, 'admin-client.json');
  writeFileSync(admin, '{"clientId":"admin-1","cli', { mode: 0o600 });
  const { code, stdout, stderr } = await grs('token', '--project', 'shop');
  assert.deepEqual([code, stdout], [70, '']);
  assert.match(
    stderr,
    /^\S+admin-client\.json does not hold clientId and clientSecret\. Restore it from a backup, or [^\n]+\n$/,
  );
  assert.ok(existsSync(admin));
});

test('backup into a file: refused, and the file stays; exit code 2', async () => {
  const { code, stderr } = await grs('backup', file());
  assert.equal(code, 2);
  assert.doesNotMatch(stderr, /^ {4}at /m);
  const other = dataFolder();
  writeFileSync(join(other.path, 'x'), 'x');
  const { stderr: named } = await grs('backup', join(other.path, 'x'));
  other.remove();
  assert.match(named, /x cannot be used: it is a file; name a folder/);
});

test('files that the user may not use are explained without a stack trace', (t) => {
  const said: unknown[] = [];
  t.mock.method(console, 'error', (text: unknown) => said.push(text));
  const failed = (code: string, message: string) =>
    Object.assign(new Error(message), { code, path: '/srv/grs/grs.db' });
  for (const error of [
    failed('EACCES', 'EACCES: permission denied, open'),
    failed('EPERM', 'EPERM: operation not permitted, chmod'),
    failed('EROFS', 'EROFS: read-only file system, open'),
    new Error('attempt to write a readonly database'),
    new Error('unable to open database file'),
  ]) {
    assert.equal(explain(error), 70);
    assert.match(String(said.at(-1)), /chown -R|Mount it writable/);
    assert.ok(typeof said.at(-1) === 'string' && !String(said.at(-1)).includes('\n'));
  }
});
