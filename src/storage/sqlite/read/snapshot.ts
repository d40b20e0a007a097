import type { DatabaseSync } from 'node:sqlite';
import { isPartly, type PartlyIndexed, parsePartly, partlyIndexed } from '../open/partly-indexed.ts';
import { lastSequence } from '../open/position.ts';
import { isRebuilding } from '../open/rebuilding.ts';

/**
 * The snapshot that the reads of one turn of the event loop share: acquiring and releasing SQLite's lock costs more than
 * a read. With a `watched` connection, which has no transaction of its own open, a commit of another process ends it as well, so
 * that each read sees all that was visible when it began.
 */
export interface Snapshot {
  /** Begins it, unless this turn has begun it already. */
  enter(): void;
  /** Ends it; the next read sees everything committed before it. */
  leave(): void;
  /** Where other processes write: a number that changes with each commit of theirs. Leaves a snapshot from before. */
  generation(): number;
  /**
   * The number of the last change in the snapshot, which must have been entered; undefined where the indexes are being
   * built again, lack some changes up to it, or have a part of one of the project.
   */
  indexedTo(projectKey: string): number | undefined;
}

/** The snapshots of a connection. */
export function createSnapshot(db: DatabaseSync, watched?: DatabaseSync): Snapshot {
  const begin = db.prepare('BEGIN');
  const commit = db.prepare('COMMIT');
  const position = db.prepare(
    `SELECT iif(${isRebuilding}, NULL, indexed), ${lastSequence}, ${partlyIndexed} FROM store`,
  );
  position.setReturnArrays(true);
  const version = watched?.prepare('PRAGMA data_version');
  version?.setReturnArrays(true);
  let isReading = false;
  let seen = 0;
  /** Of the snapshot that is open; null where it has not been read yet. */
  let indexedTo: number | undefined | null = null;
  let partly: readonly PartlyIndexed[] = [];

  function leave(): void {
    if (!isReading) return;
    isReading = false;
    try {
      commit.run();
    } catch {
      // It repeats the error of a read that failed, which its caller has. Thrown again it would end the process.
      if (db.isTransaction) db.exec('ROLLBACK');
    }
  }

  function generation(): number {
    const [now] = version ? (version.get() as unknown as readonly [number]) : [0];
    if (now !== seen) leave();
    seen = now;
    return now;
  }

  return {
    enter() {
      if (version) generation();
      if (isReading) return;
      begin.run();
      isReading = true;
      indexedTo = null;
      setImmediate(leave);
    },
    leave,
    generation,
    indexedTo(projectKey) {
      if (indexedTo === null) {
        const [indexed, last, text] = position.get() as unknown as readonly [number | null, number, string | null];
        indexedTo = indexed === last ? last : undefined;
        partly = parsePartly(text);
      }
      return isPartly(partly, projectKey) ? undefined : indexedTo;
    },
  };
}
