import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Migration, StoreRefused } from './engine.ts';

/** The migrations in a folder, `NNN_name.sql` each, in order. */
export function readMigrations(folderUrl: URL): readonly Migration[] {
  const folder = fileURLToPath(folderUrl);
  const files = readdirSync(folder).filter((file) => /^\d{3}_.+\.sql$/.test(file));
  return files.sort().map((file) => {
    const sql = readFileSync(folder + file, 'utf8');
    const usable = /^-- usable from (\d{3})$/m.exec(sql)?.[1];
    return {
      ...{ version: Number(file.slice(0, 3)), name: file.slice(4, -4), sql },
      ...(usable !== undefined && { usableFrom: Number(usable) }),
    };
  });
}

/**
 * Throws `StoreRefused` if a database has a schema of before the first release. `present`: the number of its last migration; 0 for a
 * new one.
 */
export function assertReleased(present: number, known: readonly Migration[]): void {
  const first = known[0]?.version ?? 0;
  if (present === 0 || present >= first) return;
  throw new StoreRefused(
    `The database has schema ${present}, of before the first release, which no version migrates. Export its projects with the version that made it (“npx grs export”), and import them into a new one (“npx grs import”).`,
  );
}

/** Throws `StoreRefused` if a database was migrated by a newer version of the service, which alone can read it. */
export function assertNotNewer(present: number, known: readonly Migration[]): void {
  const newest = known.at(-1)?.version ?? 0;
  if (present <= newest) return;
  throw new StoreRefused(
    `The database has schema ${present}, this version of the service knows ${newest}. Start the newer version again, or restore a backup made before the upgrade.`,
  );
}
