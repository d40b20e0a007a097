import type { DatabaseSync } from 'node:sqlite';

/**
 * Merges the segments of the term index in small steps, in proportion to what was written. FTS5's own `automerge` is
 * off: it merges 64 pages and more at once, which delays a commit by 10 to 20 ms now and then.
 */
export interface TermMerger {
  /** To be called in the transaction that wrote so many characters of terms. */
  wrote(characters: number): void;
}

/** One step for this many characters of terms, about eight pages as FTS5 stores them, … */
const charactersPerStep = 32_768;

/** … merges at most this many pages, which keeps up with four levels of segments. Without work it costs nothing. */
const pagesPerStep = 32;

/** Steps in one transaction; what a large one leaves over, the next ones do. */
const maxSteps = 4;

/** Prepares merging on a connection that writes. */
export function createTermMerger(db: DatabaseSync): TermMerger {
  const merge = db.prepare("INSERT INTO term (term, rank) VALUES ('merge', ?)");
  // As with all statements on the index: the last rowid that FTS5 leaves may not fit a number.
  merge.setReadBigInts(true);
  let unmerged = 0;
  return {
    wrote(characters) {
      unmerged += characters;
      const steps = Math.min(Math.floor(unmerged / charactersPerStep), maxSteps);
      if (steps === 0) return;
      unmerged -= steps * charactersPerStep;
      merge.run(steps * pagesPerStep);
    },
  };
}
