/** A page has 4096 numbers. Row numbers fit 31 bits: no file has two billion rows. */
const pageBits = 12;
const pageRows = 1 << pageBits;
const inPage = pageRows - 1;

type Numbers = Int32Array | Float64Array;

/**
 * A number for each row, 0 where none was set, of 32 bits unless a double is asked for: in pages, since the rows of a project may be sparse. Rows are passed in ascending
 * lists, in which many of a page follow each other; a call for each row would cost more than reading its number.
 */
export class RowMap<Page extends Numbers = Int32Array> {
  readonly #ofLength: new (
    length: number,
  ) => Page;
  readonly #noPage: Page;
  readonly #pages: (Page | undefined)[] = [];
  #count = 0;

  constructor(ofLength: new (length: number) => Page = Int32Array as never) {
    this.#ofLength = ofLength;
    this.#noPage = new ofLength(pageRows);
  }

  get bytes(): number {
    return this.#count * this.#noPage.byteLength;
  }

  get(row: number): number {
    return this.#pages[row >>> pageBits]?.[row & inPage] ?? 0;
  }

  set(row: number, value: number): void {
    this.#pageFor(row >>> pageBits)[row & inPage] = value;
  }

  #pageFor(number: number): Page {
    let page = this.#pages[number];
    if (!page) {
      page = new this.#ofLength(pageRows);
      this.#pages[number] = page;
      this.#count += 1;
    }
    return page;
  }

  /** The numbers of rows, in their order. */
  numbersOf(rows: Uint32Array): Page {
    const numbers = new this.#ofLength(rows.length);
    for (let at = 0; at < rows.length; ) {
      const number = rows[at]! >>> pageBits;
      const page = this.#pages[number] ?? this.#noPage;
      for (; at < rows.length && rows[at]! >>> pageBits === number; at += 1) numbers[at] = page[rows[at]! & inPage]!;
    }
    return numbers;
  }

  /** Sets the number of those rows that have none, and calls `taken` for the others, which may set theirs. */
  setAll(rows: Uint32Array, value: number, taken: (row: number) => void): void {
    let number = -1;
    let page = this.#noPage;
    for (let at = 0; at < rows.length; at += 1) {
      const row = rows[at]!;
      if (row >>> pageBits !== number) {
        number = row >>> pageBits;
        page = this.#pageFor(number);
      }
      if (page[row & inPage] !== 0) taken(row);
      else page[row & inPage] = value;
    }
  }

  /** Adds the rows to the counts of their numbers, where these are positive. Returns those that are negative. */
  count(rows: Uint32Array, counts: Int32Array): readonly number[] {
    const negative: number[] = [];
    for (let at = 0; at < rows.length; ) {
      const number = rows[at]! >>> pageBits;
      const page = this.#pages[number] ?? this.#noPage;
      for (; at < rows.length && rows[at]! >>> pageBits === number; at += 1) {
        const value = page[rows[at]! & inPage]!;
        if (value > 0) counts[value]! += 1;
        else if (value < 0) negative.push(value);
      }
    }
    return negative;
  }

  /** Writes what a table has for the number of each row. */
  lookUp(rows: Uint32Array, table: Uint8Array, into: Uint8Array): void {
    for (let at = 0; at < rows.length; ) {
      const number = rows[at]! >>> pageBits;
      const page = this.#pages[number] ?? this.#noPage;
      for (; at < rows.length && rows[at]! >>> pageBits === number; at += 1) {
        into[at] = table[page[rows[at]! & inPage]!]!;
      }
    }
  }
}
