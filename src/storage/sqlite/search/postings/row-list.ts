import { noRows } from '../row-sets.ts';
import { DamagedTermIndex } from './segments.ts';

/** What one segment says of a term. */
export interface SegmentRows {
  /** Ascending. */
  readonly rows: Uint32Array;
  /** Those that had it in an older segment, and have it no longer. */
  readonly gone: Uint32Array;
}

/** The rows of a term, collected from page to page. */
export class RowList {
  #rows = new Uint32Array(1024);
  #count = 0;
  #gone: number[] = [];

  /** Begins another term. */
  clear(): void {
    this.#count = 0;
    if (this.#gone.length > 0) this.#gone = [];
  }

  /**
   * Adds the rows of a part of a page, of which the first one is whole. Behind a row, one zero says that it is gone, two that
   * it is there again.
   */
  addFrom(page: Uint8Array, from: number, to: number): void {
    if (to > page.length || from > to) throw new DamagedTermIndex();
    if (this.#rows.length < this.#count + to - from) {
      const rows = new Uint32Array(2 * this.#rows.length + to - from);
      rows.set(this.#rows);
      this.#rows = rows;
    }
    const rows = this.#rows;
    let [at, row, count] = [from, 0, this.#count];
    while (at < to) {
      let byte = page[at++]!;
      let value = byte & 127;
      for (; byte >= 128 && at < to; value = value * 128 + (byte & 127)) byte = page[at++]!;
      row += value;
      if (at < to && page[at] === 0) {
        at += 1;
        if (at < to && page[at] === 0) at += 1;
        else {
          this.#gone.push(row);
          continue;
        }
      }
      rows[count] = row;
      count += 1;
    }
    this.#count = count;
  }

  taken(): SegmentRows {
    const gone = this.#gone.length === 0 ? noRows : Uint32Array.from(this.#gone);
    return { rows: this.#rows.slice(0, this.#count), gone };
  }
}
