import type { DatabaseSync } from 'node:sqlite';

/**
 * Merges the segments of the term index in small steps, in proportion to what was written. FTS5's own `automerge` is
 * off: it merges 64 pages and more at once, which delays a commit by 10 to 20 ms now and then.
 */
export interface TermMerger {
  /** To be called in the transaction that wrote so many characters of terms. `now`: steps in it, what is due beyond is left. */
  wrote(characters: number, now?: number): void;
  /** Does what was left, in a later transaction. */
  mergeLeft(): void;
}

/** One step for this many characters of terms, about eight pages as FTS5 stores them, … */
const charactersPerStep = 32_768;

/** … merges at most this many pages, which keeps up with four levels of segments. Without work it costs nothing. */
const pagesPerStep = 32;

/** Steps that are due at once; what a large transaction leaves over, the next ones do. */
const maxSteps = 4;

/** Steps in a transaction that does more, for which all writes of that moment wait; the next one does the rest. */
export const stepsBesideOthers = 2;

/** Prepares merging on a connection that writes. */
export function createTermMerger(db: DatabaseSync): TermMerger {
  const merge = db.prepare("INSERT INTO term (term, rank) VALUES ('merge', ?)");
  // As with all statements on the index: the last rowid that FTS5 leaves may not fit a number.
  merge.setReadBigInts(true);
  let unmerged = 0;
  let left = 0;
  return {
    wrote(characters, now = maxSteps) {
      unmerged += characters;
      const steps = Math.min(Math.floor(unmerged / charactersPerStep), maxSteps);
      if (steps === 0) return;
      unmerged -= steps * charactersPerStep;
      const done = Math.min(steps, now);
      // Runs may come without a transaction between them that does what is left.
      left = Math.min(left + steps - done, maxSteps);
      merge.run(done * pagesPerStep);
    },
    mergeLeft() {
      if (left === 0) return;
      merge.run(left * pagesPerStep);
      left = 0;
    },
  };
}

/** Merges all segments into one while nothing is written: a search looks for each term in every segment. */
export interface RestMerger {
  /**
   * A portion, in a transaction of its own; true if there is more to do. The first call decides whether it is worth it, and so
   * does the first after one that returned false.
   */
  step(): boolean;
}

/** Pages of a portion: some milliseconds, for which a write may have to wait. */
const restPages = 64;

/**
 * All segments are merged when those beside the largest have so large a share of the pages, and so many: each change is merged
 * few times, and a few lone writes do not have a small index written anew.
 */
const [leastShare, leastPages] = [1 / 8, 32];

/** Prepares it on a connection that writes. Throws where SQLite does, with nothing merged. */
export function createRestMerger(db: DatabaseSync): RestMerger {
  const sizes = db.prepare('SELECT count(*) FROM term_idx GROUP BY segid');
  sizes.setReturnArrays(true);
  const merge = db.prepare("INSERT INTO term (term, rank) VALUES ('merge', ?)");
  merge.setReadBigInts(true);
  const changes = db.prepare('SELECT total_changes()');
  changes.setReturnArrays(true);
  const totalChanges = () => (changes.get() as unknown as readonly [number])[0];
  let isMerging = false;

  function isWorth(): boolean {
    const segments = (sizes.all() as unknown as readonly (readonly [number])[]).map(([pages]) => pages);
    const pages = segments.reduce((sum, own) => sum + own, 0);
    const beside = pages - Math.max(...segments);
    return segments.length > 1 && beside >= Math.max(leastPages, leastShare * pages);
  }

  return {
    step() {
      const isFirst = !isMerging;
      if (isFirst && !isWorth()) return false;
      db.exec('BEGIN IMMEDIATE');
      try {
        const before = totalChanges();
        // A negative number makes all segments one merge, with which positive ones go on.
        merge.run(isFirst ? -restPages : restPages);
        // FTS5 writes a row where there is nothing to merge.
        isMerging = totalChanges() - before > 1;
        db.exec('COMMIT');
      } catch (error) {
        isMerging = false;
        if (db.isTransaction) db.exec('ROLLBACK');
        throw error;
      }
      return isMerging;
    },
  };
}
