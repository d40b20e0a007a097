import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Cache } from '../../cache/cache.ts';
import { damagedPage } from '../../record/row/stored-row.ts';
import { raw, render, type Sql, type SqlValue, sql } from '../plan/sql.ts';
import { ascending } from '../terms/row-sets.ts';

/** Prepared statements cached per connection. */
const maxPrepared = 200;

const caches = new WeakMap<DatabaseSync, Cache<string, StatementSync>>();

interface Prepared {
  readonly text: string;
  readonly values: readonly SqlValue[];
  readonly statement: StatementSync;
}

function prepare(db: DatabaseSync, query: Sql): Prepared {
  const { text, values } = render(query);
  let cache = caches.get(db);
  if (!cache) {
    cache = new Cache({ maxEntries: maxPrepared });
    caches.set(db, cache);
  }
  let statement = cache.get(text);
  if (!statement) {
    statement = db.prepare(text);
    cache.set(text, statement);
  }
  return { text, values, statement };
}

/** The error of a query whose integers fit a double unless a row number is damaged. */
function damageOf(error: unknown): unknown {
  return (error as { code?: string }).code === 'ERR_OUT_OF_RANGE' ? damagedPage([]) : error;
}

/**
 * Runs a query for its column `row`, of row numbers or counts. Other columns only define its order; read as numbers,
 * 64-bit integers among them would throw.
 */
export function selectNumbers(db: DatabaseSync, query: Sql): readonly number[] {
  const { statement, values } = prepare(db, query);
  statement.setReadBigInts(true);
  return (statement.all(...values) as { row: bigint }[]).map(({ row }) => Number(row));
}

/** Selects a single column of numbers: rows as arrays of plain numbers take a third of the time. */
export function selectPlainNumbers(db: DatabaseSync, query: Sql): readonly number[] {
  return selectArrays<readonly [number]>(db, query).map(([row]) => row);
}

/** Runs a query for its rows as arrays: naming their columns costs as much as reading them. */
export function selectArrays<Row>(db: DatabaseSync, query: Sql): readonly Row[] {
  const { statement, values } = prepare(db, query);
  statement.setReadBigInts(false);
  statement.setReturnArrays(true);
  try {
    return statement.all(...values) as unknown as Row[];
  } catch (error) {
    throw damageOf(error);
  } finally {
    // The statement is shared by its text with readers that need names.
    statement.setReturnArrays(false);
  }
}

/** Runs a query for its only row as an array, its integers as bigints. */
export function selectExactly(db: DatabaseSync, query: Sql): readonly (SqlValue | undefined)[] {
  const { statement, values } = prepare(db, query);
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  const row = statement.get(...values) as unknown as readonly SqlValue[];
  statement.setReturnArrays(false);
  return row;
}

/** Counts the rows of a query, up to `most`. */
export function countOf(db: DatabaseSync, select: Sql, most?: number): number {
  const limit = most === undefined ? raw('') : sql` LIMIT +${most}`;
  return selectPlainNumbers(db, sql`SELECT count(*) AS row FROM (${select}${limit})`)[0]!;
}

/**
 * The row numbers of the column `row` of a query, ascending, each once. SQLite returns them as one text: single rows
 * would cost twice as much.
 */
export function rowsOfQuery(db: DatabaseSync, query: Sql): Uint32Array {
  const found = selectOne(db, sql`SELECT json_group_array(row) AS rows FROM (${query})`) as { rows: string };
  return ascending(new Uint32Array(JSON.parse(found.rows) as number[]));
}

/** Runs a query that returns at most one row. */
export function selectOne(db: DatabaseSync, query: Sql): unknown {
  const { statement, values } = prepare(db, query);
  return statement.get(...values);
}

/** Runs a query row by row, for readers that stop when they have enough. Numbers must fit a double. */
export function* eachRow<T>(db: DatabaseSync, query: Sql): Generator<T> {
  const { text, statement, values } = prepare(db, query);
  statement.setReadBigInts(false);
  try {
    yield* statement.iterate(...values) as Iterable<T>;
  } catch (error) {
    // After an iteration that threw, the next use of the statement would throw again (Node 26).
    caches.get(db)?.delete(text);
    throw damageOf(error);
  }
}

/** Reads rows as arrays: naming their columns costs as much as reading them. */
export function* eachArray<Row>(db: DatabaseSync, query: Sql): Generator<Row> {
  const { statement } = prepare(db, query);
  statement.setReturnArrays(true);
  try {
    yield* eachRow<Row>(db, query);
  } finally {
    statement.setReturnArrays(false);
  }
}
