import type { JsonObject } from '../../../../contract/json.ts';
import type { SearchScope } from '../query-terms.ts';
import { type Column, put, setValues } from './column.ts';
import { eachDocument } from './documents.ts';

/** How a column is built. */
export interface ColumnMaker {
  /** Sets the values that the index has, in portions, and returns the rows whose documents must be read. */
  build(scope: SearchScope, column: Column): Generator<void, Iterable<number>>;
  /** The values of a document, with repeats. */
  read(document: JsonObject): number[];
  /** About the memory of the values that have been numbered. */
  readonly bytes: () => number;
}

/** A column with how it is made. */
export interface CachedColumn {
  readonly scope: SearchScope;
  /** Makes another maker, which has numbered nothing. */
  readonly make: () => ColumnMaker;
  readonly maker: ColumnMaker;
  readonly column: Column;
  /** The last commit in it. */
  commits: number;
  /** The estimated number of rows with a value. */
  expectedRows?: number;
}

/** Documents per portion: as many as take some milliseconds. */
const leastPortionRows = 16;
const mostPortionRows = 4096;
const [shortPortionMs, longPortionMs] = [5, 20];

/** Builds a column: from the index, then from the documents of the rows for which the index is not enough. */
export function* portionsOf(made: CachedColumn): Generator<void, void> {
  const unclear = [...(yield* made.maker.build(made.scope, made.column))];
  let size = leastPortionRows;
  for (let from = 0; from < unclear.length; ) {
    const begun = performance.now();
    readInto(made, unclear.slice(from, from + size));
    from += size;
    const tookMs = performance.now() - begun;
    if (tookMs < shortPortionMs) size = Math.min(mostPortionRows, 2 * size);
    else if (tookMs > longPortionMs) size = Math.max(leastPortionRows, size >> 1);
    yield;
  }
}

/** Sets the values of rows from their documents; deleted rows have none. */
export function readInto({ scope, maker, column }: CachedColumn, rows: readonly number[]): void {
  for (const row of rows) put(column, row, 0);
  eachDocument(scope, rows, (document, row) => setValues(column, row, maker.read(document)));
}
