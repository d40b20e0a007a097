import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { readDeclaredPaths, rebuildIndexes } from '../../../index/follow/rebuild-indexes.ts';
import { type CheckOptions, type Migration, type Progress, StoreRefused } from '../../../record/engine.ts';
import { assertReleased } from '../../../record/migrations.ts';
import { createChangeSource } from '../../../record/sqlite/log/change-source.ts';
import { inspectFiles, storeFiles } from '../../../record/sqlite/open/inspect.ts';
import { listMigrations, migrate, schemaVersion } from '../../../record/sqlite/open/migrate.ts';
import {
  lockDataFolder,
  openForCommand,
  openWriteConnection,
  resultCode,
  sqliteCode,
} from '../../../sqlite/connection.ts';
import { isOnReadOnlyFileSystem, readOnlyFileSystem, refuseHardLinks } from '../../../sqlite/file-identity.ts';
import { checkDatabase } from './check.ts';

/** Operations on a store outside the service, for the command line. */

/** Throws `StoreRefused` where there is no store, or its beginning is damaged. */
export function assertExists(file: string): void {
  if (inspectFiles(storeFiles(file)) === undefined && !existsSync(file)) {
    throw new StoreRefused(
      `There is no store at ${file} yet. The first start of the service makes it; or set DATA_DIR.`,
    );
  }
}

/** Works on a store that no service is using: takes the folder's lock. Throws `StoreRefused` where the file is damaged. */
function withLockedStore<T>(file: string, work: (db: DatabaseSync) => T): T {
  refuseHardLinks(file);
  const lock = lockDataFolder(storeFiles(file).lock);
  let db: DatabaseSync | undefined;
  try {
    db = openWriteConnection(file);
    return work(db);
  } catch (error) {
    throw refusedDamage(file, error);
  } finally {
    db?.close();
    lock.release();
  }
}

/** The refusal for damage, or a read-only file system, that an operation met; any other error as it is. */
export function refusedDamage(file: string, error: unknown): unknown {
  if (isOnReadOnlyFileSystem(file)) return readOnlyFileSystem(file);
  const isOfSystem = (error as NodeJS.ErrnoException).syscall !== undefined;
  if (isOfSystem || !isDamage(error)) return error;
  return new StoreRefused(
    `The database is damaged: ${(error as Error).message}. Restore the folder from a backup; “npx grs check” tells more.`,
  );
}

/** Applies the missing migrations unless `dryRun`, and returns them. Takes the folder's lock. */
export function migrateStore(file: string, dryRun: boolean): readonly Migration[] {
  assertExists(file);
  return withLockedStore(file, (db) => {
    const present = schemaVersion(db);
    if (!dryRun) return migrate(db);
    assertReleased(present, listMigrations());
    return listMigrations().filter(({ version }) => version > present);
  });
}

/** Throws `StoreRefused` for the schema of another version. */
export function assertMigrated(db: DatabaseSync): void {
  const [present, newest] = [schemaVersion(db), listMigrations().at(-1)!.version];
  assertReleased(present, listMigrations());
  if (present === newest) return;
  throw new StoreRefused(
    `The database has schema ${present}, this version of the service checks schema ${newest}. ${present < newest ? 'Run “npx grs migrate”, or start the service, first.' : 'Run the check of the newer version.'}`,
  );
}

/** SQLite cannot read what is in the file, or a value is of another kind than its column. */
function isDamage(error: unknown): boolean {
  const { corrupt, notADatabase, ioError, constraint } = sqliteCode;
  const code = resultCode(error);
  // Of a damaged schema SQLite says that it cannot carry out a statement.
  const generic = 1;
  if (code === undefined) return !(error instanceof StoreRefused);
  return [corrupt, notADatabase, ioError, constraint, generic].includes(code as typeof corrupt);
}

/** What a check finds; where it cannot go on, the last finding says why. */
async function findingsOf(db: DatabaseSync, check: () => Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    assertMigrated(db);
    return await check();
  } catch (error) {
    if (!isDamage(error)) throw error;
    return [`structure: the check cannot read on: ${(error as Error).message}; restore the folder from a backup`];
  }
}

/** Checks a store, which may be in use; with `rebuild` its indexes are rebuilt first, under the folder's lock. */
export async function checkStore(
  file: string,
  rebuild: boolean,
  progress: Progress,
  { jobs, onFinding }: CheckOptions = {},
): Promise<readonly string[]> {
  assertExists(file);
  if (rebuild) {
    withLockedStore(file, (db) =>
      rebuildIndexes({ db, source: createChangeSource(db) }, readDeclaredPaths(db) ?? [], progress),
    );
  }
  const db = openForCommand(file);
  try {
    const findings = await findingsOf(db, () => checkDatabase(db, progress, jobs));
    for (const finding of findings) onFinding?.(finding);
    return findings;
  } finally {
    db.close();
  }
}
