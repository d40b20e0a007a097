/** Without rows. */
export const noRows = new Uint32Array();

/** Sorts the rows unless they are in order, as those of one posting list are, and leaves repeats out. */
export function ascending(rows: Uint32Array): Uint32Array {
  let isInOrder = true;
  for (let at = 1; isInOrder && at < rows.length; at += 1) isInOrder = rows[at]! > rows[at - 1]!;
  if (isInOrder) return rows;
  let [least, greatest] = [rows[0]!, rows[0]!];
  for (let at = 1; at < rows.length; at += 1) {
    const row = rows[at]!;
    if (row < least) least = row;
    if (row > greatest) greatest = row;
  }
  const range = greatest - least + 1;
  if (range <= rowsPerBit * rows.length) return unionOfBits([rows], least, range);
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
  const end = commonPositions(few, many, rows);
  for (let at = 0; at < end; at += 1) rows[at] = few[rows[at]!]!;
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

/** If one list is longer by this factor, its runs between the rows of the other are copied as a whole. */
const copiedFrom = 32;

function inEither(few: Uint32Array, many: Uint32Array): Uint32Array {
  if (many.length > copiedFrom * few.length) return inserted(few, many);
  const rows = new Uint32Array(few.length + many.length);
  let [one, other, end] = [0, 0, 0];
  while (one < few.length && other < many.length) {
    const [a, b] = [few[one]!, many[other]!];
    const [isLess, isGreater] = [(a - b) >>> 31, (b - a) >>> 31];
    rows[end] = b - isLess * (b - a);
    end += 1;
    one += 1 - isGreater;
    other += 1 - isLess;
  }
  for (; one < few.length; one += 1, end += 1) rows[end] = few[one]!;
  for (; other < many.length; other += 1, end += 1) rows[end] = many[other]!;
  return rows.subarray(0, end);
}

/** The union of few rows and many. */
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

/** The rows that occur in at least `count` of the ascending lists. */
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
  const left = new Uint32Array(rows.length);
  if (rows.length <= copiedFrom * others.length) {
    let [position, end] = [0, 0];
    for (let at = 0; at < rows.length; at += 1) {
      const row = rows[at]!;
      while (position < others.length && others[position]! < row) position += 1;
      left[end] = row;
      if (others[position] !== row) end += 1;
    }
    return left.subarray(0, end);
  }
  const gone = new Uint32Array(others.length);
  const goneEnd = commonPositions(rows, others, gone);
  let [taken, end] = [0, 0];
  for (const position of gone.subarray(0, goneEnd)) {
    left.set(rows.subarray(taken, position), end);
    end += position - taken;
    taken = position + 1;
  }
  left.set(rows.subarray(taken), end);
  return left.subarray(0, end + rows.length - taken);
}

/*
 * Which of two rows is less is computed, not compared: they have 31 bits, and a processor that has to guess it is wrong every
 * other time.
 */

/** If one list is longer by this factor, it is searched for each row of the other. */
const searchedFrom = 16;

/**
 * Writes the positions in two ascending lists of the rows that both have, and returns how many these are. It calls nothing
 * for each of them: it runs over lists of all lengths, for uses that V8 would not compile together.
 */
export function commonPositions(rows: Uint32Array, some: Uint32Array, at: Uint32Array, atSome?: Uint32Array): number {
  if (rows.length > searchedFrom * some.length) return searched(some, rows, atSome, at);
  if (some.length > searchedFrom * rows.length) return searched(rows, some, at, atSome);
  let [one, other, end] = [0, 0, 0];
  while (one < rows.length && other < some.length) {
    const [a, b] = [rows[one]!, some[other]!];
    const [isLess, isGreater] = [(a - b) >>> 31, (b - a) >>> 31];
    // What is written for others is written over.
    at[end] = one;
    if (atSome) atSome[end] = other;
    end += 1 - isLess - isGreater;
    one += 1 - isGreater;
    other += 1 - isLess;
  }
  return end;
}

/** The intersection of few rows, which are searched for, with many. */
function searched(
  few: Uint32Array,
  many: Uint32Array,
  atFew: Uint32Array | undefined,
  atMany: Uint32Array | undefined,
): number {
  let [position, end] = [0, 0];
  for (let one = 0; one < few.length && position < many.length; one += 1) {
    position = firstFrom(many, few[one]!, position);
    if (many[position] !== few[one]) continue;
    if (atFew) atFew[end] = one;
    if (atMany) atMany[end] = position;
    end += 1;
  }
  return end;
}

/** The position of the first row that is not less than one, from a position on: mostly it is not far. */
function firstFrom(rows: Uint32Array, row: number, from: number): number {
  let [low, step] = [from, 1];
  while (low + step < rows.length && rows[low + step]! < row) {
    low += step;
    step *= 2;
  }
  let high = Math.min(rows.length, low + step);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rows[middle]! < row) low = middle + 1;
    else high = middle;
  }
  return low;
}
