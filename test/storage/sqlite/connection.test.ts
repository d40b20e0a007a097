import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { assertDurability, openWriteConnection } from '../../../src/storage/sqlite/open/connection.ts';
import { listMigrations, migrate } from '../../../src/storage/sqlite/open/migrate.ts';
import { temporaryFolder } from './open-test-store.ts';

/** Writes so many documents of a hundred terms each to the term index. */
function addTerms(db: DatabaseSync, documents: number): void {
  const add = db.prepare('INSERT INTO term (rowid, t) VALUES (?, ?)');
  add.setReadBigInts(true);
  for (let row = 1; row <= documents; row += 1) {
    add.run(
      row,
      Array.from({ length: 100 }, (_, each) => `p|c|field${each}|sa-value-of-${row % (each + 1)}`).join(' '),
    );
  }
}

/** The pages of the term index that are read in more than one piece, of how many. */
function termPages(db: DatabaseSync): { readonly torn: number; readonly whole: number } {
  const sql = `SELECT count(*) FILTER (WHERE pagetype = 'overflow') AS torn,
    count(*) FILTER (WHERE pagetype = 'leaf') AS whole FROM dbstat WHERE name = 'term_data'`;
  return db.prepare(sql).get() as { torn: number; whole: number };
}

function pageBytes(db: DatabaseSync): unknown {
  return db.prepare('PRAGMA page_size').get()?.page_size;
}

describe('A connection that writes', () => {
  it('has a write-ahead log and a sync with every commit, read back after the first statement', () => {
    const folder = temporaryFolder();
    const db = openWriteConnection(folder.file);
    assertDurability(db);
    db.close();
    folder.remove();
  });

  it('is refused where SQLite does not take a setting that durability depends on', () => {
    const folder = temporaryFolder();
    const db = openWriteConnection(folder.file);
    db.exec('PRAGMA synchronous = NORMAL');
    assert.throws(() => assertDurability(db), { name: 'StoreRefused', message: /synchronous = 1 where FULL was set/ });
    db.close();
    folder.remove();
  });

  it('is refused where there can be no write-ahead log', () => {
    const db = new DatabaseSync(':memory:');
    assert.throws(() => assertDurability(db), { name: 'StoreRefused', message: /journal_mode = memory/ });
    db.close();
  });
});

describe('The pages of a database', () => {
  it('are of 2048 bytes where it is new, and those of its term index fit into them', () => {
    const folder = temporaryFolder();
    const db = openWriteConnection(folder.file);
    migrate(db);
    assert.equal(pageBytes(db), 2048);
    addTerms(db, 300);
    const { torn, whole } = termPages(db);
    assert.equal(torn, 0);
    assert.ok(whole > 20, `${whole} pages`);
    db.close();
    folder.remove();
  });

  it('are left as they are where it was made by a version that made others', () => {
    const folder = temporaryFolder();
    const before = new DatabaseSync(folder.file);
    before.exec('PRAGMA page_size = 4096');
    migrate(before, listMigrations().slice(0, 5));
    before.close();
    const db = openWriteConnection(folder.file);
    assert.deepEqual(
      migrate(db).map(({ version }) => version),
      listMigrations()
        .slice(5)
        .map(({ version }) => version),
    );
    assert.equal(pageBytes(db), 4096);
    const setting = db.prepare("SELECT v FROM term_config WHERE k = 'pgsz'").get();
    assert.deepEqual({ ...setting }, { v: 4050 });
    addTerms(db, 300);
    assert.equal(termPages(db).torn, 0);
    db.close();
    folder.remove();
  });
});
