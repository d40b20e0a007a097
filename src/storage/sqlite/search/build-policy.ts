/**
 * When a search builds what searches cache (columns, orders, vocabularies), and when it does without. Building counts
 * against the time of the search. What it leaves unfinished is kept, and completed between searches.
 */
export interface BuildPolicy {
  /** Whether to build something of the whole project for the sake of so many rows. */
  isWorth(rows: number): boolean;
  /** Called between portions; throws where the search must end. */
  check(): void;
}

/** The documents of so many rows are sooner read than something of the whole project is built. */
export const fewRows = 8000;

/** The policy of searches whose end `check` tells. */
export function createBuildPolicy(check: () => void, atLeast = fewRows + 1): BuildPolicy {
  return { isWorth: (rows) => rows >= atLeast, check };
}
