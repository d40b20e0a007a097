/** A page has 4096 numbers. Row numbers fit 31 bits: no file has two billion rows. */
const pageBits = 12;
const pageRows = 1 << pageBits;
const inPage = pageRows - 1;

/** A number for each row, 0 where none was set. In pages, since the rows of a project may be sparse. */
interface NumbersOfRows<Numbers> {
  get(row: number): number;
  set(row: number, value: number): void;
  /** The numbers of rows, in their order: a call for each row would cost more than reading them. */
  numbersOf(rows: Uint32Array): Numbers;
  readonly bytes: number;
}

/** A double for each row. */
export type DoubleMap = NumbersOfRows<Float64Array>;

/** A 32-bit integer for each row. */
export interface RowMap extends NumbersOfRows<Int32Array> {
  /** The rows with a number from one up to another. */
  between(rows: Uint32Array, first: number, last: number): Uint32Array;
  /** Sets the number of those rows that have none; returns how many, and calls `taken` for the others, which may set theirs. */
  setAll(rows: Uint32Array, value: number, taken: (row: number) => void): number;
  /** Adds the rows to the counts of their numbers, where these are positive. Returns those that are negative. */
  count(rows: Uint32Array, counts: Int32Array): readonly number[];
  /** Writes what a table has for the number of each row. */
  lookUp(rows: Uint32Array, table: Uint8Array, into: Uint8Array): void;
  /** Calls `each` for every row with a number other than 0. */
  eachSet(each: (value: number) => void): void;
}

type Page = Int8Array | Int16Array | Int32Array;

const noPage = new Int8Array(pageRows);

/**
 * An empty map of integers. They are in pages of bytes as long as these hold them: the numbers of rows are read in no order
 * that a processor foresees, so that it matters how many of them its caches have.
 */
export function createRowMap(): RowMap {
  const pages: (Page | undefined)[] = [];
  let bytes = 0;

  /** The page with a row, made so that it holds a number. */
  function pageFor(number: number, value: number): Page {
    const known = pages[number];
    if (known && holds(known, value)) return known;
    const page = pageOf(value, known);
    if (known) page.set(known);
    pages[number] = page;
    bytes += page.byteLength - (known?.byteLength ?? 0);
    return page;
  }

  return {
    get: (row) => pages[row >>> pageBits]?.[row & inPage] ?? 0,
    numbersOf(rows) {
      const numbers = new Int32Array(rows.length);
      for (let at = 0; at < rows.length; ) {
        const number = rows[at]! >>> pageBits;
        const page = pages[number] ?? noPage;
        // Rows mostly ascend, so that the page is seldom another one.
        for (; at < rows.length && rows[at]! >>> pageBits === number; at += 1) numbers[at] = page[rows[at]! & inPage]!;
      }
      return numbers;
    },
    between(rows, first, last) {
      const found = new Uint32Array(rows.length);
      let end = 0;
      for (let at = 0; at < rows.length; ) {
        const number = rows[at]! >>> pageBits;
        const page = pages[number] ?? noPage;
        for (; at < rows.length && rows[at]! >>> pageBits === number; at += 1) {
          const value = page[rows[at]! & inPage]!;
          found[end] = rows[at]!;
          // Not compared: a processor would often guess wrong which rows are among them.
          end += 1 - (((value - first) | (last - value)) >>> 31);
        }
      }
      return found.subarray(0, end);
    },
    count(rows, counts) {
      const negative: number[] = [];
      for (let at = 0; at < rows.length; ) {
        const number = rows[at]! >>> pageBits;
        const page = pages[number] ?? noPage;
        for (; at < rows.length && rows[at]! >>> pageBits === number; at += 1) {
          const value = page[rows[at]! & inPage]!;
          if (value > 0) counts[value]! += 1;
          else if (value < 0) negative.push(value);
        }
      }
      return negative;
    },
    lookUp(rows, table, into) {
      for (let at = 0; at < rows.length; ) {
        const number = rows[at]! >>> pageBits;
        const page = pages[number] ?? noPage;
        for (; at < rows.length && rows[at]! >>> pageBits === number; at += 1) {
          into[at] = table[page[rows[at]! & inPage]!]!;
        }
      }
    },
    set(row, value) {
      pageFor(row >>> pageBits, value)[row & inPage] = value;
    },
    setAll(rows, value, taken) {
      let [number, set] = [-1, 0];
      let page: Page = noPage;
      for (let at = 0; at < rows.length; at += 1) {
        const row = rows[at]!;
        if (row >>> pageBits !== number) {
          number = row >>> pageBits;
          page = pageFor(number, value);
        }
        if (page[row & inPage] === 0) {
          page[row & inPage] = value;
          set += 1;
        } else {
          taken(row);
          // It may have set a number that the page had no room for.
          number = -1;
        }
      }
      return set;
    },
    eachSet(each) {
      for (const page of pages) {
        if (!page) continue;
        for (let at = 0; at < pageRows; at += 1) if (page[at] !== 0) each(page[at]!);
      }
    },
    get bytes() {
      return bytes;
    },
  };
}

/** An empty map of doubles. */
export function createDoubleMap(): DoubleMap {
  const pages: (Float64Array | undefined)[] = [];
  let bytes = 0;
  return {
    get: (row) => pages[row >>> pageBits]?.[row & inPage] ?? 0,
    numbersOf(rows) {
      const numbers = new Float64Array(rows.length);
      for (let at = 0; at < rows.length; at += 1) {
        const page = pages[rows[at]! >>> pageBits];
        if (page) numbers[at] = page[rows[at]! & inPage]!;
      }
      return numbers;
    },
    set(row, value) {
      const at = row >>> pageBits;
      let page = pages[at];
      if (!page) {
        page = new Float64Array(pageRows);
        pages[at] = page;
        bytes += page.byteLength;
      }
      page[row & inPage] = value;
    },
    get bytes() {
      return bytes;
    },
  };
}

/** True if a page has room for a number. */
function holds(page: Page, value: number): boolean {
  return value >> (8 * page.BYTES_PER_ELEMENT - 1) === value >> 31;
}

/** A page of the fewest bytes that hold a number and what was in the page before. */
function pageOf(value: number, before: Page | undefined): Page {
  const least = before?.BYTES_PER_ELEMENT ?? 1;
  if (least === 1 && value >> 7 === value >> 31) return new Int8Array(pageRows);
  return least <= 2 && value >> 15 === value >> 31 ? new Int16Array(pageRows) : new Int32Array(pageRows);
}
