import type { DatabaseSync } from 'node:sqlite';
import { applicationId, isOutsideFault } from '../../../sqlite/connection.ts';
import { isNumberedRow } from '../../../sqlite/row-numbers.ts';
import { type Migration, StoreRefused } from '../../engine.ts';
import { assertNotNewer, assertReleased, readMigrations } from '../../migrations.ts';

/** The migrations of this version of the service, in order. */
export function listMigrations(): readonly Migration[] {
  return readMigrations(new URL('../migrations/', import.meta.url));
}

/** The number of the last migration applied to a database; 0 for a new one. */
export function schemaVersion(db: DatabaseSync): number {
  return (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
}

/** A change of a table has SQLite look at its rows: one whose type is damaged stops it. */
function notApplied(version: number, present: number, error: unknown): StoreRefused {
  return new StoreRefused(
    `Migration ${version} cannot be applied: ${(error as Error).message}. The database is as it was before the start: it has schema ${present}, and can be served by the version that served it. A row may be damaged: look for it with “npx grs check” of that version, and restore the folder from a backup.`,
  );
}

/**
 * Applies the missing migrations, all of them in one transaction, and returns them: a folder whose upgrade fails or is interrupted
 * can go back to the version before. `begins` is called before each. Throws `StoreRefused` if the database comes from a newer
 * version of the service or from before the first release, or one cannot be applied.
 */
export function migrate(
  db: DatabaseSync,
  known: readonly Migration[] = listMigrations(),
  begins: (migration: Migration) => void = () => {},
): readonly Migration[] {
  const present = schemaVersion(db);
  assertReleased(present, known);
  assertNotNewer(present, known);
  const missing = known.filter(({ version }) => version > present);
  if (missing.length === 0) return missing;
  let at = missing[0]!;
  db.exec('BEGIN IMMEDIATE');
  try {
    for (const migration of missing) {
      at = migration;
      begins(migration);
      db.exec(migration.sql);
      db.exec(`PRAGMA user_version = ${migration.version}; PRAGMA application_id = ${applicationId}`);
    }
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw isOutsideFault(error) ? error : notApplied(at.version, present, error);
  }
  return missing;
}

/** About how many resources a database has, without counting them. */
function aboutResources(db: DatabaseSync): number {
  return (
    db.prepare(`SELECT coalesce(max(row), 0) AS rows FROM resource WHERE ${isNumberedRow}`).get() as { rows: number }
  ).rows;
}

/** Migrates a database, and notes each step before it begins. A new database is not worth a line. */
export function migrateNoting(db: DatabaseSync, note: (text: string) => void, migrations = listMigrations()): void {
  const present = schemaVersion(db);
  const begun = performance.now();
  const applied = migrate(db, migrations, ({ version, name }) => {
    if (present > 0) note(`migrating to schema ${version} (${name}), with about ${aboutResources(db)} resources`);
  });
  const last = applied.at(-1);
  if (!last || present === 0) return;
  note(`migrated from schema ${present} to ${last.version} in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
}
