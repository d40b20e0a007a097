import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrate } from '../../../src/record/sqlite/open/migrate.ts';
import { Checkpointer, type LogBounds } from '../../../src/record/sqlite/write/checkpointer.ts';
import { openReadConnection, openWriteConnection } from '../../../src/sqlite/connection.ts';

const MiB = 1024 * 1024;

interface Opened {
  readonly file: string;
  /** Commits so many rows of 100 kB, each alone. */
  write(rows: number): void;
}

async function withCheckpointer(bounds: LogBounds, use: (opened: Opened) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'checkpointer-'));
  const file = join(folder, 'test.db');
  const db = openWriteConnection(file);
  const failures: string[] = [];
  const onFailure = (message: string) => void failures.push(message);
  let checkpointer: Checkpointer | undefined;
  try {
    migrate(db);
    db.exec('PRAGMA synchronous = OFF; CREATE TABLE written (text TEXT)');
    checkpointer = new Checkpointer(db, { file, bounds, onFailure });
    const insert = db.prepare('INSERT INTO written VALUES (?)');
    const write = (rows: number) => {
      for (let at = 0; at < rows; at += 1) {
        insert.run('x'.repeat(100_000));
        checkpointer!.committed();
      }
    };
    await use({ file, write });
    assert.deepEqual(failures, []);
  } finally {
    checkpointer?.close();
    db.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const sizeOfLog = (file: string) => statSync(`${file}-wal`).size;

test('the log stays bounded while one commit follows another without a pause, and is cut off when idle', () =>
  withCheckpointer({ longBytes: MiB, maxBytes: 4 * MiB, idleMs: 50, readerMs: 20 }, async ({ file, write }) => {
    let longest = 0;
    // 40 MB without a pause.
    for (let at = 0; at < 400; at += 1) {
      write(1);
      longest = Math.max(longest, sizeOfLog(file));
    }
    assert.ok(longest < 6 * MiB, `the log had ${longest} bytes`);
    for (let look = 0; look < 1200 && sizeOfLog(file) > 0; look += 1) await sleep(50);
    assert.equal(sizeOfLog(file), 0);
  }));

test('a reader that keeps the log from starting over does not stop the writer; without it the log starts over', () =>
  withCheckpointer({ longBytes: MiB, maxBytes: 2 * MiB, idleMs: 60_000, readerMs: 5 }, async ({ file, write }) => {
    write(5);
    const reader = openReadConnection(file, 1024);
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM written').get();
    write(100);
    assert.ok(sizeOfLog(file) > 8 * MiB, 'the reader needs what was there when it began');
    reader.exec('COMMIT');
    reader.close();
    const grown = sizeOfLog(file);
    write(100);
    assert.ok(sizeOfLog(file) < grown + MiB, 'the log started over and is written again from its beginning');
  }));
