import type { SQLInputValue, StatementSync } from 'node:sqlite';
import { resultCode } from './connection.ts';

/*
 * A damaged integer may be larger than a number can hold exactly, and reading it as one throws. Such rows are read with the nearest
 * number instead: their checksum does not match then.
 */

type AnyRow = Record<string, unknown>;

function withNumbers(row: AnyRow): AnyRow {
  for (const column in row) if (typeof row[column] === 'bigint') row[column] = Number(row[column]);
  return row;
}

/** All rows, with their names. */
export function readAll(statement: StatementSync, params: readonly SQLInputValue[]): readonly AnyRow[] {
  try {
    return statement.all(...params);
  } catch (error) {
    if (resultCode(error) !== undefined) throw error;
    return [...iterateRows(statement, ...params)];
  }
}

/** The first row, with its names. */
export function readOne(statement: StatementSync, params: readonly SQLInputValue[]): AnyRow | undefined {
  try {
    return statement.get(...params);
  } catch (error) {
    if (resultCode(error) !== undefined) throw error;
    const [row] = iterateRows(statement, ...params);
    return row;
  }
}

/** Each row in turn, with its names. */
export function* iterateRows(statement: StatementSync, ...params: readonly SQLInputValue[]): Generator<AnyRow> {
  statement.setReadBigInts(true);
  try {
    for (const row of statement.iterate(...params)) yield withNumbers(row);
  } finally {
    statement.setReadBigInts(false);
  }
}
