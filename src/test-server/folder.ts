import { accessSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processEnvironment } from '../config/environment.ts';

/** A folder of a test server. */
export interface Folder {
  readonly path: string;
  /** Removes it, with what is in it. */
  remove(): void;
}

/** Where Linux keeps files in memory. */
const memory = '/dev/shm';

/** With less free memory there, as in a container that was given 64 MB, the disk is used. */
const minFreeBytes = 256 * 1024 * 1024;

/** In memory where the system has a place for it, so that no test waits for a disk. TMPDIR has the last word. */
function parentFolder(): string {
  if (process.platform !== 'linux' || processEnvironment().TMPDIR !== undefined) return tmpdir();
  try {
    accessSync(memory, constants.R_OK | constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= minFreeBytes ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}

const folders = new Set<string>();
const removeTree = (path: string) => rmSync(path, { recursive: true, force: true });

/** What a process leaves behind that ends without closing its servers would take memory until the machine starts anew. */
function removeAll(): void {
  for (const path of folders) removeTree(path);
}

/** Makes a temporary folder, which is removed at the end of the process if not before. */
export function makeFolder(): Folder {
  const path = mkdtempSync(join(parentFolder(), 'grs-test-server-'));
  if (folders.size === 0) process.once('exit', removeAll);
  folders.add(path);
  return {
    path,
    remove() {
      removeTree(path);
      folders.delete(path);
      if (folders.size === 0) process.off('exit', removeAll);
    },
  };
}
