import type { JsonObject } from '../../../contract/json.ts';
import { eachDocument } from '../../query/rows.ts';
import type { SearchScope } from '../query-terms.ts';
import type { Followed } from './columns.ts';
import { RowMap } from './row-map.ts';

/** The values of a column and their reader. A value is a number from 1 on. */
export interface ColumnMaker {
  /** Sets the values that the index has, and returns the rows whose documents must be read. */
  build(scope: SearchScope, column: Column, progress: () => void): Iterable<number>;
  /** The values of a document, with repeats. */
  read(document: JsonObject): number[];
  /** About the memory of the values that have been numbered. */
  readonly bytes: () => number;
}

/** About the memory of a column beside its numbers, of a list of several values, and of a number in it. */
const columnBytes = 16_384;
const severalBytes = 64;
const numberBytes = 8;

/** Values by row: of a path for its facets, the length of the text for relevance. */
export class Column {
  /** 0: no value. Negative: several values, at `several[-value - 1]`. */
  readonly rows = new RowMap();
  readonly several: number[][] = [];
  /** Numbers in the lists of several values, obsolete lists included. */
  #severalNumbers = 0;

  get bytes(): number {
    const { rows, several } = this;
    return columnBytes + rows.bytes + several.length * severalBytes + this.#severalNumbers * numberBytes;
  }

  /** Sets the values of a row, and keeps the list. */
  setValues(row: number, values: number[]): void {
    if (values.length <= 1) this.rows.set(row, values[0] ?? 0);
    else {
      this.#severalNumbers += values.length;
      this.rows.set(row, -this.several.push(values));
    }
  }

  /** Adds a value to rows that may have others. A list grows in place: a copy for each of its values would take the square of them. */
  addValue(rows: Uint32Array, value: number): void {
    this.rows.setAll(rows, value, (row) => {
      const known = this.rows.get(row);
      if (known > 0) return this.setValues(row, [known, value]);
      this.several[-known - 1]!.push(value);
      this.#severalNumbers += 1;
    });
  }

  /** The values behind a number of `rows`. */
  valuesOf(value: number): readonly number[] {
    if (value === 0) return [];
    return value > 0 ? [value] : this.several[-value - 1]!;
  }
}

/** Documents that are read between two calls of `progress`. */
const documentsAtOnce = 64;

/** A column that follows the documents of a project. */
export class FollowedColumn<T extends ColumnMaker> implements Followed {
  column = new Column();
  readonly maker: T;
  readonly #scope: SearchScope;
  /** Rows whose documents have to be read, and how many of them have been; undefined until the index is read. */
  #unclear: readonly number[] | undefined;
  #readCount = 0;

  constructor({ db, projectKey, staged }: SearchScope, maker: T) {
    this.#scope = { db, projectKey, staged };
    this.maker = maker;
  }

  get bytes(): number {
    return this.column.bytes + this.maker.bytes();
  }

  complete(progress: (bytes: number) => void): void {
    if (!this.#unclear) {
      this.column = new Column();
      this.#unclear = [...this.maker.build(this.#scope, this.column, () => progress(this.bytes))];
    }
    while (this.#readCount < this.#unclear.length) {
      this.#read(this.#unclear.slice(this.#readCount, this.#readCount + documentsAtOnce));
      this.#readCount += documentsAtOnce;
      progress(this.bytes);
    }
  }

  follow(rows: ReadonlySet<number>): boolean {
    if (this.#unclear) this.#read([...rows]);
    return this.#unclear !== undefined;
  }

  /** Sets the values of rows from their documents; deleted rows have none. */
  #read(rows: readonly number[]): void {
    for (const row of rows) this.column.rows.set(row, 0);
    eachDocument(this.#scope, rows, (document, row) => this.column.setValues(row, this.maker.read(document)));
  }
}
