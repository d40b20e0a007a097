/**
 * When a search builds what searches cache (columns, orders, vocabularies), and when it does without. What it leaves
 * unfinished is kept and completed between searches, for which it waits.
 */
export interface BuildPolicy {
  /** Whether to build something of the whole project for this many rows. */
  isWorth(rows: number): boolean;
  /** Called between portions; throws when the search must stop. */
  check(): void;
}

/** For this many rows, reading their documents is faster than building something of the whole project. */
export const fewRows = 8000;

/** Builds for at least so many rows. */
export function createBuildPolicy(check: () => void, atLeast = fewRows + 1): BuildPolicy {
  return { isWorth: (rows) => rows >= atLeast, check };
}
