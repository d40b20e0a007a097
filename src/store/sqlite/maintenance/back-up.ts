import { closeSync, constants, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { backup } from 'node:sqlite';
import { inspectFiles, storeFiles } from '../../../record/sqlite/open/inspect.ts';
import { openForCommand } from '../../../sqlite/connection.ts';

/**
 * All pages in one step, which reads one snapshot. SQLite begins anew where another connection commits between two steps,
 * so that a copy beside a service that writes might never end.
 */
const allPages = 2 ** 31 - 1;

/** Waits until a file, or the names in a folder, are on the disk. */
export function syncPath(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Copies a database that may be in use. `copy` is there once all is on the disk. See `Engine.backUp`. */
export async function backUpStore(file: string, copy: string, beforeDone: () => Promise<void>): Promise<void> {
  inspectFiles(storeFiles(file));
  const unfinished = `${copy}-unfinished`;
  closeSync(openSync(unfinished, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600));
  try {
    const db = openForCommand(file);
    try {
      await backup(db, unfinished, { rate: allPages });
    } finally {
      db.close();
    }
    syncPath(unfinished);
    await beforeDone();
    renameSync(unfinished, copy);
    syncPath(dirname(copy));
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}
