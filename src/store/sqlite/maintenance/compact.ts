import { chmodSync, chownSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { mergeAll } from '../../../index/terms/merge-segments.ts';
import { type Compacted, StoreRefused } from '../../../record/engine.ts';
import { storeFiles } from '../../../record/sqlite/open/inspect.ts';
import { lockDataFolder, openWriteConnection } from '../../../sqlite/connection.ts';
import { refuseHardLinks } from '../../../sqlite/file-identity.ts';
import { syncPath } from './back-up.ts';
import { assertExists, assertMigrated, refusedDamage } from './maintain.ts';

/** Room that is left beside the new file. */
const spareBytes = 1024 * 1024;

/** What must be the same in both files, as one text. */
const factsOf = (db: DatabaseSync): string =>
  JSON.stringify([
    db.prepare('SELECT instance_id, commits, epoch, settings FROM store').all(),
    db.prepare('SELECT count(*) AS resources, max(row) AS last FROM resource').all(),
    db.prepare('SELECT count(*) AS changes, max(sequence) AS last FROM change').all(),
    db.prepare('PRAGMA application_id').all(),
    db.prepare('PRAGMA user_version').all(),
  ]);

const readNumber = (db: DatabaseSync, pragma: string) =>
  Object.values(db.prepare(`PRAGMA ${pragma}`).get()!)[0] as number;

function assertRoom(file: string, neededBytes: number): void {
  const { bavail, bsize } = statfsSync(dirname(file));
  const freeBytes = bavail * bsize;
  if (freeBytes >= neededBytes + spareBytes) return;
  const megabytes = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`;
  throw new StoreRefused(
    `The disk of ${file} has ${megabytes(freeBytes)} free, and the new file needs up to ${megabytes(neededBytes + spareBytes)} until it replaces the old one. Nothing was changed. Make room first.`,
  );
}

/** Writes what a database holds into a new file, without the free pages. */
function writeCopy(file: string, copy: string): void {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    db.prepare('VACUUM INTO ?').run(copy);
  } finally {
    db.close();
  }
}

/** Closes the last connection, which empties the write-ahead log into the database. Throws if another program reads it. */
function closeAlone(db: DatabaseSync, file: string): void {
  db.close();
  if (statSync(`${file}-wal`, { throwIfNoEntry: false }) === undefined) return;
  throw new StoreRefused(
    `Another program has ${file} open, such as a backup or a check. Nothing was changed. Wait until it has ended.`,
  );
}

/**
 * Replaces the file of a store that no service uses by one without free pages: a crash leaves the old file or the new one. The numbers
 * of rows, which the indexes refer to, stay: each of these tables has them as its INTEGER PRIMARY KEY. Throws `StoreRefused`.
 */
export function compactStore(file: string): Compacted {
  assertExists(file);
  refuseHardLinks(file);
  const lock = lockDataFolder(storeFiles(file).lock);
  const copy = `${file}-compacting`;
  try {
    rmSync(copy, { force: true });
    const before = statSync(file);
    const db = openWriteConnection(file);
    let facts: string;
    let neededBytes: number;
    try {
      assertMigrated(db);
      // What was deleted is in the term index until its segments are merged.
      mergeAll(db);
      facts = factsOf(db);
      neededBytes = (readNumber(db, 'page_count') - readNumber(db, 'freelist_count')) * readNumber(db, 'page_size');
    } finally {
      closeAlone(db, file);
    }
    assertRoom(file, neededBytes);
    writeCopy(file, copy);
    assertWhole(copy, facts);
    chmodSync(copy, before.mode & 0o777);
    chownSync(copy, before.uid, before.gid);
    syncPath(copy);
    renameSync(copy, file);
    syncPath(dirname(file));
    return { beforeBytes: before.size, afterBytes: statSync(file).size };
  } catch (error) {
    throw refusedDamage(file, error);
  } finally {
    rmSync(copy, { force: true });
    lock.release();
  }
}

/** Checks the new file before it replaces the old one. */
function assertWhole(copy: string, facts: string): void {
  const db = openWriteConnection(copy);
  try {
    const [row] = db.prepare('PRAGMA quick_check(1)').all() as { quick_check: string }[];
    if (row?.quick_check === 'ok' && factsOf(db) === facts) return;
    throw new StoreRefused('The new file is not whole, so the old one stays. Run “npx grs check”.');
  } finally {
    db.close();
  }
}
