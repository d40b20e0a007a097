import type { DatabaseSync } from 'node:sqlite';

/**
 * Merges the segments of the term index in small steps, in proportion to what was written. FTS5's own `automerge` is
 * off: it merges 64 pages and more at once, which delays a commit by 10 to 20 ms now and then.
 */
export interface TermMerger {
  /** To be called in the transaction that wrote so many characters of terms. */
  wrote(characters: number): void;
}

/** One step for this many characters of terms, which FTS5 stores as about as many bytes, … */
const charactersPerStep = 32_768;

/** … merges at most this many bytes, which keeps up with four levels of segments. Without work it costs nothing. */
const bytesPerStep = 131_072;

/** Steps in one transaction; what a large one leaves over, the next ones do. */
const maxSteps = 4;

/** Prepares merging on a connection that writes. */
export function createTermMerger(db: DatabaseSync): TermMerger {
  const merge = db.prepare("INSERT INTO term (term, rank) VALUES ('merge', ?)");
  // As with all statements on the index: the last rowid that FTS5 leaves may not fit a number.
  merge.setReadBigInts(true);
  const { pageBytes } = db
    .prepare("SELECT coalesce((SELECT v FROM term_config WHERE k = 'pgsz'), 4050) AS pageBytes")
    .get() as { pageBytes: number };
  const pagesPerStep = Math.ceil(bytesPerStep / pageBytes);
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
