import type { DatabaseSync } from 'node:sqlite';
import { type Sql, sql } from '../../query/sql.ts';
import { selectOne } from '../query/statements.ts';

/**
 * The row numbers of the column `row` of a query, ascending, each once. SQLite returns them as one text: single rows
 * would cost twice as much.
 */
export function rowsOfQuery(db: DatabaseSync, query: Sql): Uint32Array {
  const found = selectOne(db, sql`SELECT json_group_array(row) AS rows FROM (${query})`) as { rows: string };
  return ascending(Uint32Array.from(JSON.parse(found.rows) as number[]));
}

/** Sorts the rows unless they are in order, as those of one posting list are, and leaves repeats out. */
function ascending(rows: Uint32Array): Uint32Array {
  let inOrder = true;
  for (let at = 1; inOrder && at < rows.length; at += 1) inOrder = rows[at]! > rows[at - 1]!;
  if (inOrder) return rows;
  rows.sort();
  return rows.filter((row, at) => at === 0 || row !== rows[at - 1]);
}

/** The rows that are in all of the ascending lists. */
export function intersect(lists: readonly Uint32Array[]): Uint32Array {
  const [first = new Uint32Array(), ...others] = [...lists].sort((a, b) => a.length - b.length);
  const positions = others.map(() => 0);
  return first.filter((row) =>
    others.every((list, at) => {
      let position = positions[at]!;
      while (position < list.length && list[position]! < row) position += 1;
      positions[at] = position;
      return list[position] === row;
    }),
  );
}

/** The rows that are in some of the ascending lists. */
export function union(lists: readonly Uint32Array[]): Uint32Array {
  if (lists.length === 1) return lists[0]!;
  const all = new Uint32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const list of lists) {
    all.set(list, end);
    end += list.length;
  }
  return ascending(all);
}

/** With so many times more rows than wanted ones, each is searched for. */
const searchedFrom = 16;

/** Calls `each` with the positions in `rows` of those rows that `some` has too. Both ascend. */
export function eachPosition(rows: Uint32Array, some: Uint32Array, each: (position: number) => void): void {
  // Rows that are kept are the same list, where all of them match.
  if (rows === some) {
    for (let at = 0; at < rows.length; at += 1) each(at);
    return;
  }
  const isSparse = rows.length > searchedFrom * some.length;
  let position = 0;
  for (let at = 0; at < some.length; at += 1) {
    const row = some[at]!;
    if (isSparse) position = firstFrom(rows, row, position);
    else while (position < rows.length && rows[position]! < row) position += 1;
    if (position === rows.length) return;
    if (rows[position] === row) each(position);
  }
}

/** The position of the first row that is not less than one, from a position on. */
function firstFrom(rows: Uint32Array, row: number, from: number): number {
  let [low, high] = [from, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rows[middle]! < row) low = middle + 1;
    else high = middle;
  }
  return low;
}
