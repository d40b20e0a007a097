import type { Sql, SqlValue } from '../../query/sql.ts';
import { raw, sql } from '../../query/sql.ts';
import type { Connection, Statement } from '../open/connection.ts';
import type { Selection } from './plan-list.ts';
import { fromMatches } from './select.ts';

/** Each parameter says its type; otherwise PostgreSQL would infer it from the first position where it is used. */
function typeOf(value: SqlValue): string {
  if (typeof value === 'string' || value === null) return 'text';
  return typeof value === 'bigint' ? 'bigint' : 'double precision';
}

/** The text of a statement with `$1` parameters, and their values. Equal values of one type share a parameter. */
export function render({ parts }: Sql): Statement & { readonly values: readonly SqlValue[] } {
  const numbers = new Map<string, number>();
  const values: SqlValue[] = [];
  let text = '';
  for (const part of parts) {
    if (typeof part === 'string') {
      text += part;
      continue;
    }
    const type = part.type ?? typeOf(part.bind);
    const name = `${type} ${part.bind}`;
    const number = numbers.get(name) ?? values.push(part.bind);
    numbers.set(name, number);
    text += `$${number}::${type}`;
  }
  return { text, values };
}

/** The rows of a statement. */
export function runSql<Row>(connection: Connection, statement: Sql): Promise<readonly Row[]> {
  return connection.query<Row>(render(statement));
}

/** Runs several statements on one state of the database: in the snapshot that is open, or in one of their own. */
export async function inSnapshot<T>(connection: Connection, read: () => Promise<T>): Promise<T> {
  if (connection.inTransaction()) return read();
  await connection.run({ text: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' });
  try {
    return await read();
  } finally {
    if (connection.inTransaction()) await connection.run({ text: 'COMMIT' });
  }
}

/** The number of resources that match, counted up to `most`. */
export async function countMatches(connection: Connection, selection: Selection, most?: number): Promise<number> {
  const matches = fromMatches(selection);
  // Materialised, it is planned for all matches; PostgreSQL fetches no more of them than the LIMIT asks for.
  const count =
    most === undefined
      ? sql`SELECT count(*) AS matches ${matches}`
      : sql`WITH m AS MATERIALIZED (SELECT 1 ${matches}) SELECT count(*) AS matches FROM (SELECT 1 FROM m LIMIT ${raw(String(most))}) f`;
  const [row] = await runSql<{ matches: number }>(connection, count);
  return row!.matches;
}

/** True if a resource matches. */
export async function hasMatches(connection: Connection, selection: Selection): Promise<boolean> {
  const [row] = await runSql<{ found: boolean }>(
    connection,
    sql`WITH m AS MATERIALIZED (SELECT 1 ${fromMatches(selection)}) SELECT EXISTS (SELECT 1 FROM m) AS found`,
  );
  return row!.found;
}
