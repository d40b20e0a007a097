import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A step from one schema of an engine to the next. */
export interface Migration {
  /** The number that its file name begins with. */
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

/** The migrations in a folder, `NNN_name.sql` each, in order. */
export function readMigrations(folderUrl: URL): readonly Migration[] {
  const folder = fileURLToPath(folderUrl);
  const files = readdirSync(folder).filter((file) => /^\d{3}_.+\.sql$/.test(file));
  return files.sort().map((file) => ({
    version: Number(file.slice(0, 3)),
    name: file.slice(4, -4),
    sql: readFileSync(folder + file, 'utf8'),
  }));
}
