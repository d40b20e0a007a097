import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { openWriteConnection, StoreRefused } from '../open/connection.ts';
import { inspectFiles, storeFiles } from '../open/inspect.ts';
import { lockDataFolder } from '../open/lock.ts';
import { listMigrations, type Migration, migrate, schemaVersion } from '../open/migrate.ts';
import { declaredPathsOf, type Progress, rebuildIndexes } from '../write/rebuild-indexes.ts';
import { checkDatabase } from './check.ts';

/** Works on a store outside the service: what the command line offers an operator. */

function assertExists(file: string): void {
  if (inspectFiles(storeFiles(file)) === undefined && !existsSync(file)) {
    throw new StoreRefused(
      `There is no store at ${file} yet. The first start of the service makes it; or set DATA_DIR.`,
    );
  }
}

/** The migrations that are missing, applied unless `dryRun`. Takes the folder's lock. */
export function migrateStore(file: string, dryRun: boolean): readonly Migration[] {
  assertExists(file);
  const lock = lockDataFolder(storeFiles(file).lock);
  const db = openWriteConnection(file);
  try {
    const present = schemaVersion(db);
    return dryRun ? listMigrations().filter(({ version }) => version > present) : migrate(db);
  } finally {
    db.close();
    lock.release();
  }
}

/** Checks a store, also one that is being served; with `rebuild` makes its indexes anew first (takes the lock). */
export function checkStore(file: string, rebuild: boolean, progress: Progress): readonly string[] {
  assertExists(file);
  if (rebuild) rebuildStore(file, progress);
  const db = new DatabaseSync(file, { readOnly: true, timeout: 2000 });
  try {
    return checkDatabase(db, progress);
  } finally {
    db.close();
  }
}

function rebuildStore(file: string, progress: Progress): void {
  const lock = lockDataFolder(storeFiles(file).lock);
  const db = openWriteConnection(file);
  try {
    const { settings } = db.prepare('SELECT settings FROM store').get() as { settings: string };
    rebuildIndexes(db, declaredPathsOf(settings), progress);
  } finally {
    db.close();
    lock.release();
  }
}
