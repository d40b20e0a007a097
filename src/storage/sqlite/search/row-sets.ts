import type { DatabaseSync } from 'node:sqlite';
import { type Sql, sql } from '../../query/sql.ts';
import { selectOne } from '../query/statements.ts';

/** Without rows. */
export const noRows = new Uint32Array();

/**
 * The row numbers of the column `row` of a query, ascending, each once. SQLite returns them as one text: single rows
 * would cost twice as much.
 */
export function rowsOfQuery(db: DatabaseSync, query: Sql): Uint32Array {
  const found = selectOne(db, sql`SELECT json_group_array(row) AS rows FROM (${query})`) as { rows: string };
  return ascending(new Uint32Array(JSON.parse(found.rows) as number[]));
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
  const [first = noRows, ...others] = [...lists].sort((a, b) => a.length - b.length);
  let rows = first;
  for (const other of others) rows = rows === other ? rows : inBoth(rows, other);
  return rows;
}

function inBoth(few: Uint32Array, many: Uint32Array): Uint32Array {
  const rows = new Uint32Array(few.length);
  let end = 0;
  eachPosition(many, few, (position) => {
    rows[end] = many[position]!;
    end += 1;
  });
  return rows.subarray(0, end);
}

/** The rows that are in some of the ascending lists. */
export function union(lists: readonly Uint32Array[]): Uint32Array {
  const some = lists.filter(({ length }) => length > 0);
  if (some.length <= 1) return some[0] ?? noRows;
  if (some.length <= mergedLists) return some.sort((a, b) => a.length - b.length).reduce(inEither);
  const { least, range, total } = extent(some);
  return range <= rowsPerBit * total ? unionOfBits(some, least, range) : ascending(joined(some, total));
}

/** Fewer lists are merged one by one, the short ones first. */
const mergedLists = 3;

/** With a list so many times longer, its stretches between the rows of the other are copied. */
const copiedFrom = 32;

function inEither(few: Uint32Array, many: Uint32Array): Uint32Array {
  if (many.length > copiedFrom * few.length) return inserted(few, many);
  const rows = new Uint32Array(few.length + many.length);
  let [one, other, end] = [0, 0, 0];
  while (one < few.length && other < many.length) {
    const [a, b] = [few[one]!, many[other]!];
    rows[end] = a < b ? a : b;
    end += 1;
    if (a <= b) one += 1;
    if (b <= a) other += 1;
  }
  for (; one < few.length; one += 1, end += 1) rows[end] = few[one]!;
  for (; other < many.length; other += 1, end += 1) rows[end] = many[other]!;
  return rows.subarray(0, end);
}

/** The same for few rows beside many. */
function inserted(few: Uint32Array, many: Uint32Array): Uint32Array {
  const rows = new Uint32Array(few.length + many.length);
  let [taken, end] = [0, 0];
  for (const row of few) {
    const at = firstFrom(many, row, taken);
    rows.set(many.subarray(taken, at), end);
    end += at - taken;
    taken = at;
    if (many[at] === row) continue;
    rows[end] = row;
    end += 1;
  }
  rows.set(many.subarray(taken), end);
  return rows.subarray(0, end + many.length - taken);
}

/** The rows that are in at least so many of the ascending lists. */
export function inSeveral(lists: readonly Uint32Array[], count: number): Uint32Array {
  if (count === 1) return union(lists);
  if (count >= lists.length) return count === lists.length ? intersect(lists) : noRows;
  const some = lists.filter(({ length }) => length > 0);
  if (some.length < count) return noRows;
  const { least, range, total } = extent(some);
  return range <= rowsPerCount * total ? countedOften(some, least, range, count) : repeated(joined(some, total), count);
}

/** For rows that lie closer than this, marking them in a table is faster than sorting them. */
const [rowsPerBit, rowsPerCount] = [64, 16];

/** How far lists extend that all have rows. */
function extent(lists: readonly Uint32Array[]) {
  let [least, greatest, total] = [Number.POSITIVE_INFINITY, 0, 0];
  for (const list of lists) {
    least = Math.min(least, list[0]!);
    greatest = Math.max(greatest, list[list.length - 1]!);
    total += list.length;
  }
  return { least, range: greatest - least + 1, total };
}

function joined(lists: readonly Uint32Array[], total: number): Uint32Array {
  const all = new Uint32Array(total);
  let end = 0;
  for (const list of lists) {
    all.set(list, end);
    end += list.length;
  }
  return all;
}

function unionOfBits(lists: readonly Uint32Array[], least: number, range: number): Uint32Array {
  const words = new Uint32Array((range + 31) >>> 5);
  let count = 0;
  for (const list of lists) {
    for (let at = 0; at < list.length; at += 1) {
      const bit = list[at]! - least;
      words[bit >>> 5]! |= 1 << (bit & 31);
    }
    count += list.length;
  }
  const rows = new Uint32Array(count);
  let end = 0;
  for (let at = 0; at < words.length; at += 1) {
    for (let rest = words[at]!; rest !== 0; rest &= rest - 1) {
      rows[end] = least + 32 * at + 31 - Math.clz32(rest & -rest);
      end += 1;
    }
  }
  return rows.subarray(0, end);
}

function countedOften(lists: readonly Uint32Array[], least: number, range: number, count: number): Uint32Array {
  const times = new Uint8Array(range);
  let total = 0;
  for (const list of lists) {
    for (let at = 0; at < list.length; at += 1) times[list[at]! - least]! += 1;
    total += list.length;
  }
  const rows = new Uint32Array(Math.floor(total / count));
  let end = 0;
  for (let at = 0; at < range; at += 1) {
    if (times[at]! < count) continue;
    rows[end] = least + at;
    end += 1;
  }
  return rows.subarray(0, end);
}

/** The rows that occur at least so often. */
function repeated(rows: Uint32Array, count: number): Uint32Array {
  rows.sort();
  return rows.filter((row, at) => row === rows[at + count - 1] && row !== rows[at - 1]);
}

/** The rows that are not in another ascending list. */
export function without(rows: Uint32Array, others: Uint32Array): Uint32Array {
  if (others.length === 0) return rows;
  let position = 0;
  return rows.filter((row) => {
    while (position < others.length && others[position]! < row) position += 1;
    return others[position] !== row;
  });
}

/** With so many times more rows than wanted ones, each is searched for. */
const searchedFrom = 16;

/** Calls `each` with the positions in `rows` of those rows that `some` has too. Both ascend. */
export function eachPosition(rows: Uint32Array, some: Uint32Array, each: (position: number) => void): void {
  // Rows that are kept are the same list, where all of them match.
  if (rows === some) for (let at = 0; at < rows.length; at += 1) each(at);
  else eachCommon(rows, some, each);
}

/** The same with the positions in both lists. */
export function eachCommon(
  rows: Uint32Array,
  some: Uint32Array,
  each: (position: number, positionInSome: number) => void,
): void {
  const [isSparse, isDense] = [rows.length > searchedFrom * some.length, some.length > searchedFrom * rows.length];
  let [at, position] = [0, 0];
  while (at < some.length && position < rows.length) {
    const [row, other] = [some[at]!, rows[position]!];
    if (row === other) {
      each(position, at);
      position += 1;
      at += 1;
    } else if (other < row) position = isSparse ? firstFrom(rows, row, position + 1) : position + 1;
    else at = isDense ? firstFrom(some, other, at + 1) : at + 1;
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
