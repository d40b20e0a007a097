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

/** A statement whose rows are arrays: naming their columns costs as much as reading them. */
function prepare(db: DatabaseSync, query: Sql, readsBigInts = false): Prepared {
  const { text, values } = render(query);
  let cache = caches.get(db);
  if (!cache) {
    cache = new Cache({ maxEntries: maxPrepared });
    caches.set(db, cache);
  }
  let statement = cache.get(text);
  if (!statement) {
    statement = db.prepare(text);
    statement.setReturnArrays(true);
    cache.set(text, statement);
  }
  statement.setReadBigInts(readsBigInts);
  return { text, values, statement };
}

/** The error of a query whose integers fit a double unless a row number is damaged. */
function damageOf(error: unknown): unknown {
  return (error as { code?: string }).code === 'ERR_OUT_OF_RANGE' ? damagedPage([]) : error;
}

/** Runs a query for all of its rows. Numbers must fit a double. */
export function selectArrays<Row>(db: DatabaseSync, query: Sql): readonly Row[] {
  const { statement, values } = prepare(db, query);
  try {
    return statement.all(...values) as unknown as readonly Row[];
  } catch (error) {
    throw damageOf(error);
  }
}

/** Runs a query for its only column, of row numbers, counts or places. */
export function selectNumbers(db: DatabaseSync, query: Sql): readonly number[] {
  return selectArrays<readonly [number]>(db, query).map(([number]) => number);
}

/** Runs a query for its only row, its integers as bigints. */
export function selectExactly(db: DatabaseSync, query: Sql): readonly (SqlValue | undefined)[] {
  const { statement, values } = prepare(db, query, true);
  return statement.get(...values) as unknown as readonly SqlValue[];
}

/** Counts the rows of a query, up to `most`. */
export function countOf(db: DatabaseSync, select: Sql, most?: number): number {
  const limit = most === undefined ? raw('') : sql` LIMIT +${most}`;
  return selectNumbers(db, sql`SELECT count(*) FROM (${select}${limit})`)[0]!;
}

/** The column `row` of a query with very many rows. SQLite returns them as one text: single rows would cost twice as much. */
export function selectMany(db: DatabaseSync, query: Sql): readonly number[] {
  const { statement, values } = prepare(db, sql`SELECT json_group_array(row) FROM (${query})`);
  const [rows] = statement.get(...values) as unknown as readonly [string];
  return JSON.parse(rows) as number[];
}

/** The row numbers of the column `row` of a query, ascending, each once. */
export function rowsOfQuery(db: DatabaseSync, query: Sql): Uint32Array {
  return ascending(new Uint32Array(selectMany(db, query)));
}

/** As `selectArrays`, row by row: for readers that stop when they have enough, and rows that take much memory. */
export function* eachArray<Row>(db: DatabaseSync, query: Sql): Generator<Row> {
  const { text, statement, values } = prepare(db, query);
  try {
    yield* statement.iterate(...values) as unknown as Iterable<Row>;
  } catch (error) {
    // After an iteration that threw, the next use of the statement would throw again (Node 26).
    caches.get(db)?.delete(text);
    throw damageOf(error);
  }
}
