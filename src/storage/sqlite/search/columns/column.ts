import { createRowMap, type RowMap } from './row-map.ts';

/**
 * What searches read of every document, by row, cached from search to search: the values of a path for its facets, the
 * length of the text for relevance. It is built from the index when first asked for, then updated from the change log
 * to the state of the open snapshot. A value is a number from 1 on.
 */
export interface Column {
  /** 0: no value. Negative: several values, at `several[-value - 1]`. */
  readonly rows: RowMap;
  readonly several: number[][];
  /** Numbers in the lists of several values, obsolete lists included. */
  severalNumbers: number;
  /** The number of rows that have the value as their only one. */
  readonly single: number[];
  /** The number of rows with one value, and of those with several. */
  singleRows: number;
  severalRows: number;
}

/** A column without values. */
export function emptyColumn(): Column {
  return { rows: createRowMap(), several: [], severalNumbers: 0, single: [], singleRows: 0, severalRows: 0 };
}

/** Sets the values of a row, and keeps the list. */
export function setValues(column: Column, row: number, values: number[]): void {
  if (values.length <= 1) put(column, row, values[0] ?? 0);
  else {
    column.severalNumbers += values.length;
    put(column, row, -column.several.push(values));
  }
}

/** Sets the number of a row, and updates the counts. */
export function put(column: Column, row: number, value: number): void {
  const known = column.rows.get(row);
  if (known > 0) {
    column.single[known]! -= 1;
    column.singleRows -= 1;
  } else if (known < 0) column.severalRows -= 1;
  column.rows.set(row, value);
  if (value > 0) {
    column.single[value] = (column.single[value] ?? 0) + 1;
    column.singleRows += 1;
  } else if (value < 0) column.severalRows += 1;
}

/** Adds a value to rows that may have others. A list grows in place: a copy for each of its values would take the square of them. */
export function addValue(column: Column, rows: Uint32Array, value: number): void {
  addToRows(column, rows, value, (row) => {
    const known = column.rows.get(row);
    if (known > 0) return setValues(column, row, [known, value]);
    column.several[-known - 1]!.push(value);
    column.severalNumbers += 1;
  });
}

/** Sets the number of those rows that have none; calls `taken` for the others. */
export function addToRows(column: Column, rows: Uint32Array, value: number, taken: (row: number) => void): void {
  const set = column.rows.setAll(rows, value, taken);
  column.single[value] = (column.single[value] ?? 0) + set;
  column.singleRows += set;
}

/** The values behind a number of `rows`. */
export function valuesOf(column: Column, value: number): readonly number[] {
  if (value === 0) return [];
  return value > 0 ? [value] : column.several[-value - 1]!;
}
