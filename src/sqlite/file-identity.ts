import { existsSync, realpathSync, type Stats, statSync, utimesSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { StoreRefused } from '../record/engine.ts';

/**
 * The real path of a database file. Its lock and its log are found by its path, so two symbolic links to one file have to
 * lead to the same path.
 */
export function realFile(file: string): string {
  if (existsSync(file)) return realpathSync(file);
  const folder = dirname(file);
  return existsSync(folder) ? join(realpathSync(folder), basename(file)) : file;
}

/**
 * Throws `StoreRefused` if the file has another name, a hard link: a service that opens it by that name has another lock
 * and another log, and each would overwrite what the other has acknowledged.
 */
export function refuseHardLinks(file: string): void {
  const links = statSync(file, { throwIfNoEntry: false })?.nlink ?? 1;
  if (links <= 1) return;
  throw new StoreRefused(
    `${file} is also the file of ${links - 1} other name${links > 2 ? 's' : ''} (hard links). A service that uses another name would overwrite acknowledged writes. Remove the other names (“find / -xdev -samefile ${file}” lists them), or replace this file by a copy of itself while no service runs; nothing was changed.`,
  );
}

/**
 * True if the folder of the file can be read but not changed. It is tried by setting its times: a disk that an error has made read-only
 * looks like a writable one to `access`.
 */
export function isOnReadOnlyFileSystem(file: string): boolean {
  try {
    const now = new Date();
    utimesSync(dirname(file), now, now);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS';
  }
}

/** The refusal for what has to write to a file on such a file system. */
export function readOnlyFileSystem(file: string): StoreRefused {
  return new StoreRefused(
    `${file} is on a read-only file system. Mount it writable, or copy the whole data folder to a disk that can be written and set DATA_DIR to the copy.`,
  );
}

/** A file that is written to is no longer the one at its path: what is written to it is lost. */
export class FileReplaced extends Error {
  override readonly name = 'FileReplaced';
}

/**
 * Knows which files were opened, and notices when another file, or none, is at one of their paths, as after the folder was
 * deleted or moved under the service. A look takes some microseconds.
 */
export class OpenedFiles {
  readonly #opened: ReadonlyMap<string, Stats>;

  /** The files have to be there. */
  constructor(files: readonly string[]) {
    this.#opened = new Map(files.map((file) => [file, statSync(file)]));
  }

  /** Throws `FileReplaced`. */
  check(): void {
    for (const [file, opened] of this.#opened) {
      const found = statSync(file, { throwIfNoEntry: false });
      if (found?.ino === opened.ino && found.dev === opened.dev) continue;
      const what = found ? 'another file is in its place' : 'it was deleted or moved';
      throw new FileReplaced(
        `${file}: ${what} while the service runs. Nothing more is acknowledged. Put the data folder back, or restore it from a backup, then start again.`,
      );
    }
  }
}
