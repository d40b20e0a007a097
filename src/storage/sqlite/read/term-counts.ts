import type { DatabaseSync } from 'node:sqlite';
import { Cache } from '../../../cache/cache.ts';
import { sql } from '../../query/sql.ts';
import { hasRow } from '../query/functions.ts';
import { createBuildPolicy } from '../search/build-policy.ts';
import { createKeptRows } from '../search/columns/kept-rows.ts';
import { rowsOfQuery } from '../search/row-sets.ts';

/** Which rows have one of some terms, and how many, without reading them again for each list. */
export interface TermCounts {
  /**
   * The ascending rows of each term that has some, where those of the most frequent ones are in memory: as they are in the
   * open snapshot, which has the changes up to `position`. Undefined where they are not, and are yet to be read.
   */
  knownRows(projectKey: string, terms: readonly string[], position: number): readonly Uint32Array[] | undefined;
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
    rowsOfQuery(db, sql`SELECT rowid AS row FROM term WHERE term MATCH ${expression} LIMIT +${most}`);

  /** True where more rows than a list may count are known to have the term. */
  function isFrequent(term: string, position: number): boolean {
    const since = frequent.get(term);
    // A change takes a term from one row at most.
    return since !== undefined && position - since < maxRows - maxCounted;
  }

  return {
    knownRows(projectKey, terms, position) {
      if (terms.some((term) => isFrequent(term, position))) return undefined;
      const kept = keptRows.asOf(projectKey, position);
      const known = terms.map((term) => kept.known(`"${term}"`));
      if (known.every((rows) => rows === undefined)) return undefined;
      const sets: Uint32Array[] = [];
      for (const [at, term] of terms.entries()) {
        const rows = known[at] ?? read(`"${term}"`, fewRows);
        if (known[at] === undefined && rows.length === fewRows) return undefined;
        if (rows.length > 0) sets.push(rows);
      }
      return sets;
    },
    of(projectKey, terms, position, most) {
      const kept = keptRows.asOf(projectKey, position);
      const sets: Uint32Array[] = [];
      for (const term of terms) {
        const expression = `"${term}"`;
        const name = kept.nameOf(term);
        let rows = isFrequent(term, position) ? undefined : kept.knownTerm(name)?.rows;
        if (rows === undefined && !isFrequent(term, position)) {
          rows = read(expression, fewRows);
          if (rows.length === fewRows) {
            if (nowMs() < readsAgainAt) return undefined;
            const begun = usedMs();
            rows = read(expression, maxRows + 1);
            readsAgainAt = nowMs() + (usedMs() - begun) * pauseFactor;
            if (rows.length <= maxRows) kept.keep(name, rows);
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
export function countUnion(lists: readonly Uint32Array[]): number {
  const sets = lists.toSorted((a, b) => b.length - a.length);
  return sets.reduce((sum, rows, at) => {
    const larger = sets.slice(0, at);
    return larger.length === 0
      ? sum + rows.length
      : sum + rows.filter((row) => !larger.some((other) => hasRow(other, row))).length;
  }, 0);
}

/** The rows in at least one of some ascending lists, ascending: at most `count` behind `row`, without the first `offset`. */
export function partOfUnion(lists: readonly Uint32Array[], row: number, offset: number, count: number): number[] {
  const places = lists.map((rows) => firstBehind(rows, row));
  const found: number[] = [];
  for (let passed = 0; found.length < count; passed += 1) {
    let next = Number.POSITIVE_INFINITY;
    for (let at = 0; at < lists.length; at += 1) next = Math.min(next, lists[at]![places[at]!] ?? next);
    if (next === Number.POSITIVE_INFINITY) break;
    for (let at = 0; at < lists.length; at += 1) if (lists[at]![places[at]!] === next) places[at]! += 1;
    if (passed >= offset) found.push(next);
  }
  return found;
}

/** The place of the first row of an ascending list that is greater. */
function firstBehind(rows: Uint32Array, row: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rows[middle]! <= row) low = middle + 1;
    else high = middle;
  }
  return low;
}
