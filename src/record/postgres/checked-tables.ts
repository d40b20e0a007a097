import { type CheckedTable, checksumOf, type Row } from '../row/checked-table.ts';
import { responseColumns } from '../row/response-row.ts';
import type { Connection, Statement } from './open/connection.ts';

/** The tables of PostgreSQL whose rows have a checksum, beside `resource`. */

export const clients: CheckedTable = {
  name: 'api_client',
  columns: ['project_key', 'id', 'name', 'scopes', 'secret_hash', 'created_at'],
  key: ['project_key', 'id'],
};
export const signingKeys: CheckedTable = {
  name: 'signing_key',
  columns: ['project_key', 'kid', 'private_jwk', 'created_at', 'active_from', 'expires_at'],
  key: ['project_key', 'kid'],
};
export const revocations: CheckedTable = {
  name: 'revocation',
  columns: ['project_key', 'kind', 'subject', 'revoked_at', 'expires_at'],
  key: ['project_key', 'kind', 'subject'],
};
export const responses: CheckedTable = {
  name: 'idempotent_answer',
  columns: ['project_key', 'scope_hash', ...responseColumns],
  key: ['project_key', 'scope_hash'],
};

/** The tables with few rows. */
export const smallTables = [clients, signingKeys, revocations] as const;

/**
 * The columns of a table in a SELECT, with the checksum. Never `*`: once a later version has added a column, PostgreSQL
 * refuses to run a prepared statement with it.
 */
export function selected({ columns }: CheckedTable): string {
  return [...columns, 'checksum'].join(', ');
}

/** Inserts a row with its checksum. */
export function insertion(table: CheckedTable, row: Row, conflict = 'ON CONFLICT DO NOTHING'): Statement {
  const parameters = [...table.columns, 'checksum'].map((_, index) => `$${index + 1}`);
  return {
    text: `INSERT INTO ${table.name} AS r (${selected(table)}) VALUES (${parameters.join(', ')}) ${conflict}`,
    values: [...table.columns.map((column) => row[column] ?? null), checksumOf(table, row)],
  };
}

const portion = 200;

/** All rows of a table with some of its other columns, in portions by key. */
export async function* rowsOf(
  connection: Connection,
  table: CheckedTable,
  ...others: readonly string[]
): AsyncGenerator<readonly Row[]> {
  const key = table.key.join(', ');
  const text = `SELECT ${[selected(table), ...others].join(', ')} FROM ${table.name}
    WHERE (${key}) > (${table.key.map((_, index) => `$${index + 1}`).join(', ')}) ORDER BY ${key} LIMIT ${portion}`;
  for (let after: readonly unknown[] = table.key.map(() => ''); ; ) {
    const rows = await connection.query<Row>({ text, values: after });
    if (rows.length > 0) yield rows;
    if (rows.length < portion) return;
    after = table.key.map((column) => rows.at(-1)![column]);
  }
}
