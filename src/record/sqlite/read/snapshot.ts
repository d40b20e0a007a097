import type { DatabaseSync } from 'node:sqlite';

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
}

/** The snapshots of a connection. */
export function createSnapshot(db: DatabaseSync, watched?: DatabaseSync): Snapshot {
  const begin = db.prepare('BEGIN');
  const commit = db.prepare('COMMIT');
  const version = watched?.prepare('PRAGMA data_version');
  version?.setReturnArrays(true);
  let isReading = false;
  let seen = 0;

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
      setImmediate(leave);
    },
    leave,
    generation,
  };
}
