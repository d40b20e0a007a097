import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { createOrdersFiller, emptyOrders } from '../../../src/index/follow/followed-orders.ts';
import type { Migration } from '../../../src/record/engine.ts';
import { rowOf } from '../../../src/record/row/stored-row.ts';
import { listMigrations, migrate, migrateNoting, schemaVersion } from '../../../src/record/sqlite/open/migrate.ts';
import { createOpeningNotes } from '../../../src/record/sqlite/open/opening-notes.ts';
import { checkStore, migrateStore } from '../../../src/store/sqlite/maintenance/maintain.ts';
import { document, record } from '../records.ts';
import { fileOf, openTestStore, withDatabase } from './open-test-store.ts';

const all = listMigrations();
const newest = all.at(-1)!.version;
/** A step behind those of today. */
const step = (behind: number, sql: string): Migration => ({
  ...{ version: newest + behind, name: `step_${behind}`, sql },
});

/** A database of the schema of today with some resources. */
function makeOld(file: string, count: number): void {
  withDatabase(file, (db) => {
    db.exec('PRAGMA journal_mode = WAL');
    migrate(db);
    db.exec("INSERT INTO store (singleton, instance_id, commits, settings) VALUES (1, 'old', 0, '{}'); BEGIN");
    for (let at = 0; at < count; at += 1) {
      const row = rowOf(record('p', document(`r${at}`, 1)));
      const columns = Object.keys(row);
      db.prepare(`INSERT INTO resource (${columns}) VALUES (${columns.map(() => '?')})`).run(...Object.values(row));
    }
    // As the follower would have left them.
    emptyOrders(db);
    createOrdersFiller(db)(0);
    db.exec('COMMIT');
  });
}

/** The schema as SQLite has it, and the rows. */
function contentOf(db: DatabaseSync): unknown {
  const schema = db.prepare('SELECT sql FROM sqlite_schema ORDER BY rowid').all();
  const rows = db.prepare('SELECT row, id, checksum FROM resource ORDER BY row').all();
  return {
    version: schemaVersion(db),
    schema: schema.map((row) => ({ ...row })),
    rows: rows.map((row) => ({ ...row })),
  };
}

test('a step that fails takes back those before it: the database has the schema that the message names', (t) => {
  const file = fileOf(t);
  makeOld(file, 3);
  withDatabase(file, (db) => {
    const was = contentOf(db);
    const steps = [...all, step(1, 'UPDATE resource SET version = version + 1; CREATE TABLE more (n INTEGER)')];
    const failing = [...steps, step(2, 'INSERT INTO missing VALUES (1)')];
    assert.throws(
      () => migrate(db, failing),
      (error: Error) => {
        assert.equal(error.name, 'StoreRefused');
        assert.ok(error.message.startsWith(`Migration ${newest + 2} cannot be applied: no such table: missing.`));
        assert.match(
          error.message,
          new RegExp(`has schema ${newest}, and can be served by the version that served it`),
        );
        return true;
      },
    );
    assert.deepEqual(contentOf(db), was);
    assert.deepEqual(
      migrate(db, steps).map(({ version }) => version),
      [newest + 1],
    );
    assert.deepEqual(migrate(db, steps), []);
  });
});

test('no room for a step: SQLite says so, and the database is as it was', (t) => {
  const file = fileOf(t);
  makeOld(file, 3);
  withDatabase(file, (db) => {
    const was = contentOf(db);
    const { pages } = db.prepare('SELECT page_count AS pages FROM pragma_page_count').get() as { pages: number };
    db.exec(`PRAGMA max_page_count = ${pages + 2}`);
    const large = step(1, 'CREATE TABLE more AS SELECT randomblob(100000) AS bytes');
    assert.throws(() => migrate(db, [...all, large]), { errstr: 'database or disk is full' });
    assert.deepEqual(contentOf(db), was);
    db.exec('PRAGMA max_page_count = 1000');
    assert.equal(migrate(db, [...all, large]).length, 1);
  });
});

test('a database of before the first release is refused, with what to do', (t) => {
  const file = fileOf(t);
  makeOld(file, 1);
  withDatabase(file, (db) => db.exec('PRAGMA user_version = 9'));
  const refusal = {
    name: 'StoreRefused',
    message: /has schema 9, of before the first release.*grs export.*grs import/,
  };
  withDatabase(file, (db) => assert.throws(() => migrate(db), refusal));
  assert.throws(() => migrateStore(file, true), refusal);
  assert.equal(withDatabase(file, schemaVersion), 9);
});

test('each step is named before it begins, with what it has to do; a new database is not worth a line', (t) => {
  const notes: string[] = [];
  const file = fileOf(t);
  withDatabase(file, (db) => migrateNoting(db, (text) => void notes.push(text)));
  assert.equal(notes.length, 0);
  const old = fileOf(t);
  makeOld(old, 3);
  withDatabase(old, (db) => {
    const note = (text: string) => void notes.push(text);
    const steps = [...all, step(1, 'CREATE TABLE more (n INTEGER)')];
    const failing = [...steps, step(2, 'INSERT INTO missing VALUES (1)')];
    assert.throws(() => migrateNoting(db, note, failing), /cannot be applied/);
    const begun = (behind: number) => `migrating to schema ${newest + behind} (step_${behind}), with about 3 resources`;
    assert.deepEqual(notes.splice(0), [begun(1), begun(2)]);
    migrateNoting(db, note, steps);
    assert.equal(notes[0], begun(1));
    assert.match(notes[1] ?? '', new RegExp(`^migrated from schema ${newest} to ${newest + 1} in \\d+\\.\\d s$`));
  });
});

test('what takes long at a start is named again every ten seconds, until the store is open', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const lines: string[] = [];
  const { note, opened } = createOpeningNotes((text) => void lines.push(text));
  t.mock.timers.tick(10_000);
  assert.deepEqual(lines, []);
  note('migrating');
  t.mock.timers.tick(20_000);
  assert.equal(lines.length, 3);
  assert.match(lines[2] ?? '', /^migrating: for \d+ s so far$/);
  opened();
  note('later');
  t.mock.timers.tick(20_000);
  assert.deepEqual(lines.slice(3), ['later']);
});

/** Applies the missing steps and then one that does not end, before which it writes a line. */
const endlessMigration = `
  import { DatabaseSync } from 'node:sqlite';
  import { listMigrations, migrate } from ${JSON.stringify(new URL('../../../src/record/sqlite/open/migrate.ts', import.meta.url).href)};
  import { writeSync } from 'node:fs';
  const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';
  const db = new DatabaseSync(process.argv[1]);
  // So small a cache that pages of the open transaction go into the log.
  db.exec('PRAGMA cache_size = 10');
  const steps = [
    ...listMigrations(),
    { version: 998, name: 'rows', sql: 'UPDATE resource SET version = version + 1' },
    { version: 999, name: 'endless', sql: endless },
  ];
  migrate(db, steps, ({ version }) => { if (version === 999) writeSync(1, 'endless'); });
`;

test('SIGKILL in the middle of a migration: the schema before is untouched, and the next start serves it', async (t) => {
  const file = fileOf(t);
  makeOld(file, 2000);
  const was = withDatabase(file, contentOf);
  const child = spawn(process.execPath, ['--input-type=module', '-e', endlessMigration, file], { stdio: 'pipe' });
  t.after(() => child.kill('SIGKILL'));
  const [line] = await once(child.stdout, 'data');
  assert.equal(String(line), 'endless');
  child.kill('SIGKILL');
  await once(child, 'close');
  assert.deepEqual(withDatabase(file, contentOf), was);

  const store = await openTestStore(file);
  assert.equal((await store.resources.get('p', 'r1999'))?.version, 1);
  await store.close();
  assert.equal(withDatabase(file, schemaVersion), all.at(-1)?.version);
  assert.deepEqual(await checkStore(file, false, () => {}), []);
});
