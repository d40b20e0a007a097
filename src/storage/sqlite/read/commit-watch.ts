import { closeSync, openSync, readSync } from 'node:fs';

/** Tells a process that only reads when another one has committed. Must be closed, after all connections. */
export interface CommitWatch {
  /** A number that is another one than last time if a commit has become visible since. Costs a microsecond. */
  generation(): number;
  close(): void;
}

/**
 * Both copies of the header of the write-ahead log's index (sqlite.org/walformat.html, 2.1). SQLite makes a commit
 * visible by writing them, and its readers take them for the sign that there is something new, as we do here. `PRAGMA
 * data_version` says the same for several times the cost.
 */
const headerBytes = 96;

/**
 * Watches the database of a file that another process has opened for writing. The descriptor must outlive every
 * connection of this process: closing one drops the locks that the process has on the file, SQLite's among them.
 */
export function watchCommits(file: string): CommitWatch {
  const descriptor = openSync(`${file}-shm`, 'r');
  let seen = Buffer.alloc(headerBytes);
  let found = Buffer.alloc(headerBytes);
  let generation = 0;
  return {
    generation() {
      readSync(descriptor, found, 0, headerBytes, 0);
      if (!found.equals(seen)) {
        [seen, found] = [found, seen];
        generation += 1;
      }
      return generation;
    },
    close: () => closeSync(descriptor),
  };
}
