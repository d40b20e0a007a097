import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { Migration } from '../../../src/storage/engine.ts';
import { rowOf } from '../../../src/storage/row/stored-row.ts';
import { rebuildOrders } from '../../../src/storage/sqlite/indexing/followed-orders.ts';
import { checkStore } from '../../../src/storage/sqlite/maintenance/maintain.ts';
import { listMigrations, migrate, migrateNoting, schemaVersion } from '../../../src/storage/sqlite/open/migrate.ts';
import { createOpeningNotes } from '../../../src/storage/sqlite/open/opening-notes.ts';
import { document, record } from '../records.ts';
import { fileOf, openTestStore, withDatabase } from './open-test-store.ts';

const all = listMigrations();
const before = all.filter(({ version }) => version < 8);
const step = (version: number, sql: string): Migration => ({ version, name: `step_${version}`, sql });

/** A database of schema 7 with some resources. */
function makeOld(file: string, count: number): void {
  withDatabase(file, (db) => {
    db.exec('PRAGMA journal_mode = WAL');
    migrate(db, before);
    db.exec("INSERT INTO store (singleton, instance_id, commits, settings) VALUES (1, 'old', 0, '{}'); BEGIN");
    for (let at = 0; at < count; at += 1) {
      const row = rowOf(record('p', document(`r${at}`, 1)));
      const columns = Object.keys(row);
      db.prepare(`INSERT INTO resource (${columns}) VALUES (${columns.map(() => '?')})`).run(...Object.values(row));
    }
    // As the follower would have left them.
    rebuildOrders(db);
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
    const steps = [...all, step(10, 'UPDATE resource SET version = version + 1; CREATE TABLE more (n INTEGER)')];
    const failing = [...steps, step(11, 'INSERT INTO missing VALUES (1)')];
    assert.throws(() => migrate(db, failing), {
      name: 'StoreRefused',
      message:
        /^Migration 11 cannot be applied: no such table: missing\..* has schema 7, and can be served by the version that served it/,
    });
    assert.deepEqual(contentOf(db), was);
    assert.deepEqual(
      migrate(db, steps).map(({ version }) => version),
      [8, 9, 10],
    );
  });
});

test('each step is named before it begins, with what it has to do; a new database is not worth a line', (t) => {
  const notes: string[] = [];
  const file = fileOf(t);
  withDatabase(file, (db) => migrateNoting(db, (text) => void notes.push(text)));
  assert.equal(notes.length, 0);
  const old = fileOf(t);
  makeOld(old, 3);
  withDatabase(old, (db) => {
    const failing = [...all, step(10, 'INSERT INTO missing VALUES (1)')];
    assert.throws(() => migrateNoting(db, (text) => void notes.push(text), failing), /Migration 10 cannot be applied/);
    const begun = (version: number, name: string) => `migrating to schema ${version} (${name}), with about 3 resources`;
    assert.deepEqual(notes.splice(0), [begun(8, 'short_rows'), begun(9, 'damaged_rows'), begun(10, 'step_10')]);
    migrateNoting(db, (text) => void notes.push(text));
    assert.equal(notes[0], begun(8, 'short_rows'));
    assert.match(notes[2] ?? '', /^migrated from schema 7 to 9 in \d+\.\d s$/);
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
  import { listMigrations, migrate } from ${JSON.stringify(new URL('../../../src/storage/sqlite/open/migrate.ts', import.meta.url).href)};
  import { writeSync } from 'node:fs';
  const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';
  const db = new DatabaseSync(process.argv[1]);
  // So small a cache that pages of the open transaction go into the log.
  db.exec('PRAGMA cache_size = 10');
  const steps = [
    ...listMigrations(),
    { version: 98, name: 'rows', sql: 'UPDATE resource SET version = version + 1' },
    { version: 99, name: 'endless', sql: endless },
  ];
  migrate(db, steps, ({ version }) => { if (version === 99) writeSync(1, 'endless'); });
`;

test('SIGKILL in the middle of a migration: the schema before is untouched, and the next start migrates', async (t) => {
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
