import type { DatabaseSync } from 'node:sqlite';
import type { Migration } from '../../engine.ts';
import { assertNotNewer, readMigrations } from '../../migrations.ts';
import { applicationId } from './connection.ts';

/** The migrations of this version of the service, in order. */
export function listMigrations(): readonly Migration[] {
  return readMigrations(new URL('../migrations/', import.meta.url));
}

/** The number of the last migration applied to a database; 0 for a new one. */
export function schemaVersion(db: DatabaseSync): number {
  return (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
}

/**
 * Applies the missing migrations, each in its own transaction, and returns them. Throws `StoreRefused` if the database
 * comes from a newer version of the service.
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
      throw error;
    }
  }
  return missing;
}
