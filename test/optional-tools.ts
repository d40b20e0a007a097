import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where a program is, by the first of its names that the search path has; undefined where it is not installed. */
export function findTool(...names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file));
}

/** The browser of the browser tests. */
export function findChromium(): string | undefined {
  return findTool('chromium', 'chromium-browser');
}

/** Debian has it where the search path of a user does not lead. */
export function findPgBouncer(): string | undefined {
  return findTool('pgbouncer') ?? ['/usr/sbin/pgbouncer'].find((file) => existsSync(file));
}
