import { accessSync, constants, existsSync, mkdirSync, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { ConfigError } from '../config/parse.ts';
import type { Config } from '../config/settings.ts';

const advice: Readonly<Record<string, string>> = {
  EEXIST: 'it is a file; name a folder',
  ENOTDIR: 'a part of it is a file; name a folder',
  EACCES: 'this user may not write there; name another folder, or give this one to the user (chown)',
  EPERM: 'this user may not write there; name another folder, or give this one to the user (chown)',
  EROFS: 'its file system is read-only; name a folder on a disk that can be written, or mount a volume there',
  ENOSPC: 'its disk is full; make room, or name a folder on another disk',
  ENOENT: 'no folder can be made there; name one on a disk',
};

/** The types of /proc and /sys on Linux, which say that they can be written to. */
const kernelFileSystems: ReadonlySet<number> = new Set([0x9fa0, 0x62656572]);

/** The folders of a path that are not there, the outermost first. */
function missingFolders(folder: string): readonly string[] {
  const missing: string[] = [];
  for (let at = resolve(folder); !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.unshift(at);
  return missing;
}

/** The problem of a folder and its remedy, as the end of a sentence. */
function problemOf(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return advice[code] ?? message;
}

/** Why a folder cannot be written to, or made, as far as can be seen without a change; undefined where nothing is wrong. */
export function folderProblem(folder: string): string | undefined {
  try {
    const [first] = missingFolders(folder);
    const existing = first === undefined ? resolve(folder) : dirname(first);
    if (!statSync(existing).isDirectory()) return problemOf({ code: first === undefined ? 'EEXIST' : 'ENOTDIR' });
    accessSync(existing, constants.R_OK | constants.W_OK | constants.X_OK);
    if (kernelFileSystems.has(statfsSync(existing).type)) return problemOf({ code: 'ENOENT' });
    return undefined;
  } catch (error) {
    return problemOf(error);
  }
}

/** What is wrong with a data folder, as a sentence. */
export function dataFolderProblem(folder: string): string | undefined {
  const problem = folderProblem(folder);
  return problem && `DATA_DIR ${folder} cannot be used: ${problem}`;
}

/**
 * Makes the data folder, for its owner alone. Throws `ConfigError` where it cannot be used. One folder after the other: a
 * recursive `mkdir` of Node never ends where no folder can be made, as in /proc.
 */
export function makeDataFolder({ dataDir, databaseUrl, adminClientId }: Config): void {
  // Neither the database nor a generated secret is kept there.
  if (databaseUrl !== undefined && adminClientId !== undefined) return;
  const problem = dataFolderProblem(dataDir);
  if (problem !== undefined) throw new ConfigError([problem]);
  try {
    for (const folder of missingFolders(dataDir)) mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it just now.
    if (!existsSync(dataDir)) throw new ConfigError([`DATA_DIR ${dataDir} cannot be used: ${problemOf(error)}`]);
  }
}
