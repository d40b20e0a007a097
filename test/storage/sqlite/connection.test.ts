import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { assertDurability, openWriteConnection } from '../../../src/sqlite/connection.ts';
import { temporaryFolder } from './open-test-store.ts';

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
