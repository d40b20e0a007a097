import { countProject } from '../query/execute.ts';
import type { SearchScope } from './query-terms.ts';

/**
 * When a search builds what it caches (columns, orders, vocabularies), and when it does without: for a few rows, reading
 * their documents is faster, and what takes long to build would delay the searches behind.
 */
export interface BuildPolicy {
  /** Whether to build something of the whole project for this many rows. May throw: the search runs elsewhere then. */
  isWorth(rows: number, scope: Pick<SearchScope, 'db' | 'projectKey'>): boolean;
  /** Called between portions; throws when the time is up. */
  check(): void;
  /** Runs a build. Its time is not part of the search's own budget. */
  build<T>(build: () => T): T;
}

/** For this many rows, reading their documents is faster than building something of the whole project. */
export const fewRows = 8000;

/** In projects with more resources, caches are built between searches. */
const maxBuiltAtOnce = 200_000;

/** Everything is built at once, as long as there is time. */
export function eagerPolicy(check: () => void): BuildPolicy {
  return { isWorth: () => true, check, build: (build) => build() };
}

/**
 * For a thread in which others wait: builds at once only for many rows of a project that is not large. `elsewhere`
 * throws, so that the search starts again where nobody waits for it; `extend` gives the search more time, in ms.
 */
export function sharedPolicy(elsewhere: () => never, extend: (ms: number) => void): BuildPolicy {
  return {
    build(build) {
      const begun = performance.now();
      const built = build();
      extend(performance.now() - begun);
      return built;
    },
    isWorth(rows, { db, projectKey }) {
      if (rows <= fewRows) return false;
      if (countProject(db, projectKey) > maxBuiltAtOnce) elsewhere();
      return true;
    },
    check() {},
  };
}
