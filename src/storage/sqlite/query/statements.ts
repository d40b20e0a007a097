import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { render, type Sql } from '../../query/sql.ts';

/** Prepared statements that a connection keeps. */
const maxPrepared = 200;

const caches = new WeakMap<DatabaseSync, Map<string, StatementSync>>();

/** The prepared statement of a text; the one used longest ago is dropped when there are too many. */
function prepared(db: DatabaseSync, text: string): StatementSync {
  const cache = caches.get(db) ?? new Map<string, StatementSync>();
  caches.set(db, cache);
  const statement = cache.get(text) ?? db.prepare(text);
  cache.delete(text);
  cache.set(text, statement);
  if (cache.size > maxPrepared) cache.delete(cache.keys().next().value!);
  return statement;
}

/**
 * Runs a query for its column `row`, of row numbers or of counts. Other columns are there for its order only; read as
 * numbers, 64-bit integers among them would throw.
 */
export function selectNumbers(db: DatabaseSync, query: Sql): readonly number[] {
  const { text, values } = render(query);
  const statement = prepared(db, text);
  statement.setReadBigInts(true);
  return (statement.all(...values) as { row: bigint }[]).map(({ row }) => Number(row));
}

/** As `selectNumbers`, for a query without other columns: as arrays of plain numbers, which costs a third. */
export function selectPlainNumbers(db: DatabaseSync, query: Sql): readonly number[] {
  const { text, values } = render(query);
  const statement = prepared(db, text);
  statement.setReadBigInts(false);
  statement.setReturnArrays(true);
  const rows = statement.all(...values) as unknown as [number][];
  // The statement is shared by its text with readers by name.
  statement.setReturnArrays(false);
  return rows.map(([row]) => row);
}

/** Runs a query that answers one row; undefined where it answers none. */
export function selectOne(db: DatabaseSync, query: Sql): unknown {
  const { text, values } = render(query);
  return prepared(db, text).get(...values);
}

/** Runs a query row by row, for readers that stop when they have enough. Numbers must fit a double. */
export function* eachRow<T>(db: DatabaseSync, query: Sql): Generator<T> {
  const { text, values } = render(query);
  const statement = prepared(db, text);
  statement.setReadBigInts(false);
  try {
    yield* statement.iterate(...values) as Iterable<T>;
  } catch (error) {
    // An iteration that threw leaves the statement so that its next use would throw again (Node 26).
    caches.get(db)?.delete(text);
    throw error;
  }
}
