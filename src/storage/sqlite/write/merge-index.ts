import type { DatabaseSync } from 'node:sqlite';

/**
 * Merges the segments of the term index in small steps, as much as was written. FTS5 would do it by itself, but then
 * for 64 pages and more at once, which holds up a commit for 10 to 20 ms now and then; its `automerge` is off.
 */
export interface TermMerger {
  /** To be called in the transaction that wrote so many characters of terms. */
  wrote(characters: number): void;
}

/** A step after so many characters of terms, about eight pages as FTS5 stores them, … */
const charactersPerStep = 32_768;

/** … merges at most so many pages. That keeps pace with four levels of segments; without work it costs nothing. */
const pagesPerStep = 32;

/** Steps in one transaction at most: what a large one leaves over, the next ones do. */
const mostSteps = 4;

/** Prepares the merging on a connection that writes. */
export function createTermMerger(db: DatabaseSync): TermMerger {
  const merge = db.prepare("INSERT INTO term (term, rank) VALUES ('merge', ?)");
  // As with all statements on the index: what FTS5 leaves as last rowid need not fit a number.
  merge.setReadBigInts(true);
  let unmerged = 0;
  return {
    wrote(characters) {
      unmerged += characters;
      const steps = Math.min(Math.floor(unmerged / charactersPerStep), mostSteps);
      if (steps === 0) return;
      unmerged -= steps * charactersPerStep;
      merge.run(steps * pagesPerStep);
    },
  };
}
