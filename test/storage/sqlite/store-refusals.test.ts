import assert from 'node:assert/strict';
import {
  closeSync,
  copyFileSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { creation, document } from '../records.ts';
import { openTestStore, temporaryFolder } from './open-test-store.ts';

/** What a start must refuse, and what the message must tell the operator. Every case works on a store of its own. */

async function fill(file: string, count: number, name = 'id'): Promise<void> {
  const store = await openTestStore(file);
  const changes = Array.from({ length: count }, (_, n) =>
    creation('p', document(`${name}-${n}`, 1, { text: 'x'.repeat(500) })),
  );
  for (const change of changes) assert.equal(await store.resources.commit(change), 'committed');
  await store.close();
}

async function withStore(count: number, test: (file: string, folder: string) => Promise<void> | void): Promise<void> {
  const folder = temporaryFolder();
  try {
    await fill(folder.file, count);
    await test(folder.file, folder.path);
  } finally {
    folder.remove();
  }
}

async function refuses(file: string, ...tells: readonly RegExp[]): Promise<void> {
  const opening = openTestStore(file).then(
    async (store) => {
      await store.close();
      return undefined;
    },
    (error: Error) => error,
  );
  const error = await opening;
  assert.ok(error, 'the store opened');
  assert.equal(error.name, 'StoreRefused');
  for (const tell of tells) assert.match(error.message, tell);
}

function overwrite(file: string, at: number, bytes: Buffer): void {
  const fd = openSync(file, 'r+');
  writeSync(fd, bytes, 0, bytes.length, at);
  closeSync(fd);
}

describe('A start on a damaged or wrong store is refused', () => {
  it('a store that was closed in order opens again with everything in it', () =>
    withStore(20, async (file) => {
      const store = await openTestStore(file);
      assert.equal((await store.resources.get('p', 'id-19'))?.version, 1);
      await store.close();
    }));

  it('the database is missing where one was: the message names the file and the commits', () =>
    withStore(3, async (file) => {
      rmSync(file);
      await refuses(file, /grs\.db is missing/, /commits/, /Restore/);
    }));

  it('the database is empty where one was', () =>
    withStore(3, async (file) => {
      truncateSync(file, 0);
      await refuses(file, /grs\.db is empty/, /Restore/);
    }));

  it('the database is truncated to half', () =>
    withStore(200, async (file) => {
      truncateSync(file, Math.floor(statSync(file).size / 2));
      await refuses(file, /truncated/, /Restore/);
    }));

  it('the file is not a database', () =>
    withStore(3, async (file) => {
      writeFileSync(file, 'This is a letter, not a database.'.repeat(300));
      await refuses(file, /not a database/);
    }));

  it('the file is the database of another program', () =>
    withStore(3, async (file) => {
      rmSync(file);
      const other = new DatabaseSync(file);
      other.exec('PRAGMA application_id = 77; CREATE TABLE t (x)');
      other.close();
      await refuses(file, /another program/);
    }));

  it('a page in the middle is zeroed', () =>
    withStore(400, async (file) => {
      // A page of the table's tree, found by its type byte, so that the structure check has something to find.
      const bytes = readFileSync(file);
      const interior = Array.from({ length: bytes.length / 4096 - 1 }, (_, page) => page + 1).find((page) =>
        [2, 5, 10].includes(bytes[page * 4096] ?? 0),
      );
      assert.ok(interior);
      overwrite(file, interior * 4096, Buffer.alloc(4096));
      await refuses(file, /damaged/, /restore/);
    }));

  it('the database is not the one that the acknowledged file names', () =>
    withStore(3, async (file, folder) => {
      const other = join(folder, 'other.db');
      await fill(other, 3);
      copyFileSync(other, file);
      await refuses(file, /not the one that belongs here/);
    }));

  it('the database is behind what was acknowledged; ACCEPT_LOSS starts it once', () =>
    withStore(3, async (file, folder) => {
      const older = join(folder, 'older');
      copyFileSync(file, older);
      await fill(file, 5, 'later');
      copyFileSync(older, file);
      await refuses(file, /commits behind what was acknowledged/, /ACCEPT_LOSS=true/);
      const store = await openTestStore(file, { acceptLoss: true });
      assert.equal(await store.resources.get('p', 'later-0'), undefined);
      await store.close();
      await (await openTestStore(file)).close();
    }));

  it('the database has a newer schema than this version knows', () =>
    withStore(1, async (file) => {
      const db = new DatabaseSync(file);
      db.exec('PRAGMA user_version = 999');
      db.close();
      await refuses(file, /schema 999/, /newer version/);
    }));

  it('another process, or another store of this one, serves the folder', () =>
    withStore(1, async (file) => {
      const store = await openTestStore(file);
      await refuses(file, /Another process serves this data folder/);
      await store.close();
      await (await openTestStore(file)).close();
    }));
});

describe('Damage inside a store that opened', () => {
  it('a changed byte in a stored document is not served: 500 DataCorruption for that resource alone', () =>
    withStore(20, async (file) => {
      const at = readFileSync(file).lastIndexOf('xxxxxxxxxx');
      const page = Math.floor(at / 4096);
      overwrite(file, at, Buffer.from('y'));
      const store = await openTestStore(file);
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, async (_, n) => {
          try {
            return (await store.resources.get('p', `id-${n}`))?.version;
          } catch (error) {
            return (error as { code?: string }).code;
          }
        }),
      );
      assert.equal(outcomes.filter((outcome) => outcome === 'DataCorruption').length, 1, `page ${page}`);
      assert.equal(outcomes.filter((outcome) => outcome === 1).length, 19);
      await store.close();
    }));
});

describe('A first start that lost power', () => {
  it('while it wrote the first page, torn as it is, starts again: SQLite rolls back by the journal', async () => {
    const folder = temporaryFolder();
    // What SQLite leaves of a file that had no page before: a journal of zero pages, and any part of the first page.
    const journal = Buffer.alloc(512);
    journal.write('d9d505f920a163d7', 'hex');
    journal.writeUInt32BE(512, 20);
    journal.writeUInt32BE(4096, 24);
    for (const torn of [Buffer.alloc(4096), Buffer.concat([Buffer.alloc(1536), Buffer.alloc(512, 'x')])]) {
      writeFileSync(folder.file, torn);
      await refuses(folder.file, /not a database/);
      writeFileSync(`${folder.file}-journal`, journal);
      await fill(folder.file, 2);
      const store = await openTestStore(folder.file);
      assert.equal((await store.resources.get('p', 'id-1'))?.version, 1);
      await store.close();
      for (const end of ['', '-acknowledged']) rmSync(`${folder.file}${end}`);
    }
    folder.remove();
  });
});
