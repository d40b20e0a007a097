/** A page has 4096 numbers. Row numbers fit 31 bits: no file has two billion rows. */
const pageBits = 12;
const pageRows = 1 << pageBits;
const inPage = pageRows - 1;

/** A number for each row, 0 where none was set. In pages, since the rows of a project may be sparse. */
export interface RowMap {
  get(row: number): number;
  set(row: number, value: number): void;
  /** The numbers of rows, in their order: a call for each row would cost more than reading them. */
  numbersOf(rows: Uint32Array): Int32Array | Float64Array;
  /** Writes what a table has for the number of each row. */
  lookUp(rows: Uint32Array, table: Uint8Array, into: Uint8Array): void;
  /** Calls `each` for every row with a number other than 0. */
  eachSet(each: (value: number) => void): void;
  readonly bytes: number;
}

type Page = Int32Array | Float64Array;

/** An empty map of 32-bit integers, or of doubles. */
export function createRowMap(kind: 'integers' | 'doubles' = 'integers'): RowMap {
  const createPage = (): Page => (kind === 'integers' ? new Int32Array(pageRows) : new Float64Array(pageRows));
  const pages: (Page | undefined)[] = [];
  let bytes = 0;
  return {
    get: (row) => pages[row >>> pageBits]?.[row & inPage] ?? 0,
    numbersOf(rows) {
      const numbers = kind === 'integers' ? new Int32Array(rows.length) : new Float64Array(rows.length);
      let number = -1;
      let page: Page | undefined;
      for (let at = 0; at < rows.length; at += 1) {
        const row = rows[at]!;
        // Rows mostly ascend, so that the page is seldom another one.
        if (row >>> pageBits !== number) {
          number = row >>> pageBits;
          page = pages[number];
        }
        if (page) numbers[at] = page[row & inPage]!;
      }
      return numbers;
    },
    lookUp(rows, table, into) {
      let number = -1;
      let page: Page | undefined;
      for (let at = 0; at < rows.length; at += 1) {
        const row = rows[at]!;
        if (row >>> pageBits !== number) {
          number = row >>> pageBits;
          page = pages[number];
        }
        into[at] = table[page ? page[row & inPage]! : 0]!;
      }
    },
    set(row, value) {
      const at = row >>> pageBits;
      let page = pages[at];
      if (!page) {
        page = createPage();
        pages[at] = page;
        bytes += page.byteLength;
      }
      page[row & inPage] = value;
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
