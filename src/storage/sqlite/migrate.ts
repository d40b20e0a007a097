import { readdirSync, readFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { applicationId, StoreRefused } from './connection.ts';

export interface Migration {
  /** The number its file name begins with; `PRAGMA user_version` after it. */
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

const folder = fileURLToPath(new URL('./migrations/', import.meta.url));

/** The migrations that this version of the service knows, in order. */
export function listMigrations(): readonly Migration[] {
  const files = readdirSync(folder).filter((file) => /^\d{3}_.+\.sql$/.test(file));
  return files.sort().map((file) => ({
    version: Number(file.slice(0, 3)),
    name: file.slice(4, -4),
    sql: readFileSync(folder + file, 'utf8'),
  }));
}

/** Number of the last migration that was applied to a database; 0 for a new one. */
export function schemaVersion(db: DatabaseSync): number {
  return (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
}

/**
 * Applies the migrations that are missing, each in its own transaction, and returns them. Throws `StoreRefused` where
 * the database comes from a newer version of the service.
 */
export function migrate(db: DatabaseSync, known: readonly Migration[] = listMigrations()): readonly Migration[] {
  const present = schemaVersion(db);
  const newest = known.at(-1)?.version ?? 0;
  if (present > newest) {
    throw new StoreRefused(
      `The database has schema ${present}, this version of the service knows ${newest}. Start the newer version again, or restore a backup made before the upgrade.`,
    );
  }
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
