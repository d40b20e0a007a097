import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where a program is, by the first of its names that the search path has; undefined where it is not installed. */
export function findTool(...names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file));
}

/** The browser of the browser tests: Chromium without windows, where it is installed, takes a fifth of the CPU time for a page. */
export function findChromium(): string | undefined {
  return findTool('chromium-headless-shell', 'chromium', 'chromium-browser');
}

/** A server, which Debian installs where the search path of a user may not lead. */
export function findServer(name: string): string | undefined {
  return findTool(name) ?? [`/usr/sbin/${name}`].find((file) => existsSync(file));
}
