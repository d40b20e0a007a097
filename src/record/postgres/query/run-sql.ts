import { type Bound, raw, type Sql, type SqlValue, sql } from '../../../index/plan/sql.ts';
import type { TermHash } from '../index/term-hash.ts';
import type { Connection, Statement } from '../open/connection.ts';
import { placeType } from './entries.ts';
import type { Selection } from './plan-list.ts';
import { fromMatches } from './select.ts';
import { termsType } from './term-condition.ts';

/** Each parameter says its type; otherwise PostgreSQL would infer it from the first position where it is used. */
function typeOf(value: SqlValue): string {
  if (typeof value === 'string' || value === null) return 'text';
  return typeof value === 'bigint' ? 'bigint' : 'double precision';
}

/** A value as it is sent: terms as the numbers of the store. */
function sent(
  { bind, type = typeOf(bind) }: Bound,
  terms: TermHash,
): { readonly value: SqlValue; readonly type: string } {
  if (type === placeType) return { value: terms.of(bind as string), type: 'bigint' };
  if (type !== termsType) return { value: bind, type };
  return { value: terms.arrayOf(bind === '' ? [] : (bind as string).split(' ')), type: 'bigint[]' };
}

/** How many values a statement binds. Equal values of one type share a parameter. */
export function countValues({ parts }: Sql): number {
  const bound = parts.filter((part) => typeof part !== 'string');
  return new Set(bound.map(({ bind, type }) => `${type ?? typeOf(bind)} ${bind}`)).size;
}

/** The text of a statement with `$1` parameters, and their values. Equal values of one type share a parameter. */
export function render({ parts }: Sql, terms: TermHash): Statement & { readonly values: readonly SqlValue[] } {
  const known = new Map<string, string>();
  const values: SqlValue[] = [];
  let text = '';
  for (const part of parts) {
    if (typeof part === 'string') {
      text += part;
      continue;
    }
    const name = `${part.type ?? typeOf(part.bind)} ${part.bind}`;
    let parameter = known.get(name);
    if (parameter === undefined) {
      const { value, type } = sent(part, terms);
      parameter = `$${values.push(value)}::${type}`;
      known.set(name, parameter);
    }
    text += parameter;
  }
  return { text, values };
}

/** The rows of a statement. */
export function runSql<Row>(connection: Connection, statement: Sql): Promise<readonly Row[]> {
  return connection.query<Row>(render(statement, connection.terms));
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
  const { known, conditions } = selection;
  if (most !== undefined && known?.of === conditions && known.atLeast >= most) return most;
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
