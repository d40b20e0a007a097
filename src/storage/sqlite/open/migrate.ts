import type { DatabaseSync } from 'node:sqlite';
import { type Migration, StoreRefused } from '../../engine.ts';
import { assertNotNewer, readMigrations } from '../../migrations.ts';
import { applicationId, isOutsideFault } from './connection.ts';

/** The migrations of this version of the service, in order. */
export function listMigrations(): readonly Migration[] {
  return readMigrations(new URL('../migrations/', import.meta.url));
}

/** The number of the last migration applied to a database; 0 for a new one. */
export function schemaVersion(db: DatabaseSync): number {
  return (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
}

/** A change of a table has SQLite look at its rows: one whose type is damaged stops it. */
function notApplied(version: number, error: unknown): StoreRefused {
  return new StoreRefused(
    `Migration ${version} cannot be applied: ${(error as Error).message}. The database is as it was before it, and can be served by the version that served it. A row may be damaged: look for it with “npx grs check” of that version, and restore the folder from a backup.`,
  );
}

/**
 * Applies the missing migrations, each in its own transaction, and returns them. Throws `StoreRefused` if the database
 * comes from a newer version of the service, or one cannot be applied.
 */
export function migrate(db: DatabaseSync, known: readonly Migration[] = listMigrations()): readonly Migration[] {
  const present = schemaVersion(db);
  assertNotNewer(present, known);
  const missing = known.filter(({ version }) => version > present);
  for (const { version, sql } of missing) {
    db.exec('BEGIN IMMEDIATE');
    try {
      db.exec(sql);
      db.exec(`PRAGMA user_version = ${version}; PRAGMA application_id = ${applicationId}`);
      db.exec('COMMIT');
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw isOutsideFault(error) ? error : notApplied(version, error);
    }
  }
  return missing;
}
