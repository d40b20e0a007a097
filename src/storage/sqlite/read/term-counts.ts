import type { DatabaseSync } from 'node:sqlite';
import { Cache } from '../../../cache/cache.ts';
import { sql } from '../../query/sql.ts';
import { hasRow } from '../query/functions.ts';
import { createBuildPolicy } from '../search/build-policy.ts';
import { createKeptRows } from '../search/columns/kept-rows.ts';
import { rowsOfQuery } from '../search/row-sets.ts';

/** How many rows have one of some terms, without counting them again for each list (decision 186). */
export interface TermCounts {
  /**
   * Their number in the open snapshot, which has the changes up to `position`; beyond `most` only that it is greater.
   * Undefined where finding out would take longer than is to be spent now.
   */
  of(projectKey: string, terms: readonly string[], position: number, most: number | undefined): number | undefined;
}

/** A term with fewer rows is read each time: that takes no longer than following the changes. */
const fewRows = 500;

/** The rows of a term are kept up to so many; that a term has more holds until so many changes less a list may count to. */
const maxRows = 12_000;
const maxCounted = 10_000;

const maxTerms = 10_000;

/**
 * To read the rows of a frequent term takes up to a millisecond of the processor: the next one is read after so many times
 * as long.
 */
const pauseFactor = 20;

/** Processor time of this thread in ms. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Counts on a connection that `registerFunctions` prepared or not, with at most so many bytes of rows. */
export function createTermCounts(
  db: DatabaseSync,
  maxBytes: number,
  nowMs: () => number = () => performance.now(),
  usedMs: () => number = threadMs,
): TermCounts {
  const keptRows = createKeptRows(
    db,
    createBuildPolicy(() => {}),
    maxBytes,
  );
  /** Terms with more than `maxRows`, and the position at which they had them. */
  const frequent = new Cache<string, number>({ maxEntries: maxTerms });
  let readsAgainAt = Number.NEGATIVE_INFINITY;

  const read = (expression: string, most: number) =>
    rowsOfQuery(db, sql`SELECT rowid AS row FROM term WHERE term MATCH ${expression} LIMIT ${most}`);

  /** True where more rows than a list may count are known to have the term. */
  function isFrequent(term: string, position: number): boolean {
    const since = frequent.get(term);
    // A change takes a term from one row at most.
    return since !== undefined && position - since < maxRows - maxCounted;
  }

  return {
    of(projectKey, terms, position, most) {
      const kept = keptRows.asOf(projectKey, position);
      const sets: Uint32Array[] = [];
      for (const term of terms) {
        const expression = `"${term}"`;
        let rows = isFrequent(term, position) ? undefined : kept.known(expression);
        if (rows === undefined && !isFrequent(term, position)) {
          rows = read(expression, fewRows);
          if (rows.length === fewRows) {
            if (nowMs() < readsAgainAt) return undefined;
            const begun = usedMs();
            rows = read(expression, maxRows + 1);
            readsAgainAt = nowMs() + (usedMs() - begun) * pauseFactor;
            if (rows.length <= maxRows) kept.keep(expression, rows);
            else frequent.set(term, position);
          }
        }
        if (rows === undefined || rows.length > maxRows) {
          // Some of the terms alone has more.
          return most !== undefined && most <= maxCounted ? most + 1 : undefined;
        }
        if (rows.length > 0) sets.push(rows);
      }
      return countUnion(sets);
    },
  };
}

/** The number of rows in at least one of some ascending lists. */
function countUnion(sets: Uint32Array[]): number {
  sets.sort((a, b) => b.length - a.length);
  return sets.reduce((sum, rows, at) => {
    const larger = sets.slice(0, at);
    return larger.length === 0
      ? sum + rows.length
      : sum + rows.filter((row) => !larger.some((other) => hasRow(other, row))).length;
  }, 0);
}
