import { sql } from '../../query/sql.ts';
import { selectOne } from '../query/statements.ts';
import type { SearchScope } from './query-terms.ts';

/**
 * When a search makes what searches remember (columns, orders, vocabularies), and when it does without: for a few
 * rows it is sooner to read their documents, and what takes long to make would hold up the searches behind.
 */
export interface BuildPolicy {
  /** Whether to make something of the whole project for the sake of so many rows. May throw: elsewhere, then. */
  isWorth(rows: number, place: Pick<SearchScope, 'db' | 'projectKey'>): boolean;
  /** Asked between portions; throws where the time is over. */
  check(): void;
  /** Makes it. The time that this takes is not the search's own. */
  make<T>(make: () => T): T;
}

/** The documents of so many rows are sooner read than something of the whole project is made. */
export const fewRows = 8000;

/** Of projects with more resources, what takes long is made between searches. */
const mostAtOnce = 200_000;

/** Everything is made at once, for whoever asks for it, as long as there is time. */
export function eagerPolicy(check: () => void): BuildPolicy {
  return { isWorth: () => true, check, make: (make) => make() };
}

/**
 * What is made while others wait: at once only for many rows of a project that is not large. `elsewhere` throws, so
 * that the search begins anew where nobody waits for it; `extend` gives the search so many ms more.
 */
export function sharedPolicy(elsewhere: () => never, extend: (ms: number) => void): BuildPolicy {
  return {
    make(make) {
      const begun = performance.now();
      const made = make();
      extend(performance.now() - begun);
      return made;
    },
    isWorth(rows, { db, projectKey }) {
      if (rows <= fewRows) return false;
      const found = selectOne(db, sql`SELECT resources FROM project WHERE project_key = ${projectKey}`);
      if (((found as { resources: number } | undefined)?.resources ?? 0) > mostAtOnce) elsewhere();
      return true;
    },
    check() {},
  };
}
