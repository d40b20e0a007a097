import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { namedRow, type RowColumns, rowColumns, type StoredRow } from '../../row/stored-row.ts';

const statements = new WeakMap<DatabaseSync, StatementSync>();

/** One statement for a page of any length: json_each returns its numbers in their order. */
const pageSql = `SELECT ${rowColumns} FROM (SELECT value FROM json_each(?)) n CROSS JOIN resource r ON r.row = n.value`;

function prepare(db: DatabaseSync): StatementSync {
  const statement = db.prepare(pageSql);
  statement.setReturnArrays(true);
  statements.set(db, statement);
  return statement;
}

/** The resources with these row numbers, in this order; a number without a resource is left out. */
export function readRows(db: DatabaseSync, rows: readonly number[]): readonly StoredRow[] {
  const statement = statements.get(db) ?? prepare(db);
  return (statement.all(`[${rows.join(',')}]`) as unknown as RowColumns[]).map(namedRow);
}
