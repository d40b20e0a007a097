import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { type CheckedTable, holdsChecksum, type Row } from '../row/checked-table.ts';
import { responseColumns } from '../row/response-row.ts';

/** The tables of SQLite whose rows have a checksum, beside `resource`. */

export const clients: CheckedTable = {
  name: 'api_client',
  columns: ['id', 'project_key', 'name', 'scopes', 'secret_hash', 'created_at'],
  key: ['id'],
};
export const signingKeys: CheckedTable = {
  name: 'signing_key',
  columns: ['kid', 'private_jwk', 'created_at', 'active_from', 'expires_at'],
  key: ['kid'],
};
export const revocations: CheckedTable = {
  name: 'revocation',
  columns: ['kind', 'subject', 'revoked_at', 'expires_at'],
  key: ['kind', 'subject'],
};
export const responses: CheckedTable = {
  name: 'idempotent_answer',
  columns: ['scope', ...responseColumns],
  key: ['scope'],
};

/** The tables with few rows. */
export const smallTables = [clients, signingKeys, revocations] as const;

/**
 * Prepares a SELECT of rows to be checked. A damaged integer may be larger than a number can hold exactly, and reading it
 * as one would throw and lose the other rows as well. It is returned as a text, so that the checksum does not match.
 */
export function prepareRows(db: DatabaseSync, sql: string) {
  const statement = db.prepare(sql);
  statement.setReadBigInts(true);
  return {
    get(...params: readonly SQLInputValue[]): Row | undefined {
      const row = statement.get(...params);
      return row && plainRow(row);
    },
    all: (...params: readonly SQLInputValue[]): readonly Row[] => statement.all(...params).map(plainRow),
    *iterate(...params: readonly SQLInputValue[]): Generator<Row> {
      for (const row of statement.iterate(...params)) yield plainRow(row);
    },
  };
}

function plainRow(row: Record<string, unknown>): Row {
  for (const column in row) {
    const value = row[column];
    if (typeof value === 'bigint') {
      row[column] = BigInt.asIntN(53, value) === value ? Number(value) : String(value);
    } else if (typeof value === 'object' && value !== null) row[column] = 'bytes';
  }
  return row as Row;
}

/** The columns of a table in a SELECT, with the checksum. */
export function selected({ columns }: CheckedTable): string {
  return [...columns, 'checksum'].join(', ');
}

/** An expression that identifies a row by its bytes. A damaged text may not be UTF-8, and then cannot be bound. */
export function bytesOf({ columns }: CheckedTable): string {
  return columns.map((column) => `hex(${column})`).join(" || '.' || ");
}

/** Its values for the damaged rows of a table. */
export function damagedBytes(db: DatabaseSync, table: CheckedTable): readonly string[] {
  const rows = prepareRows(db, `SELECT ${selected(table)}, ${bytesOf(table)} AS bytes FROM ${table.name}`).all();
  return rows.flatMap((row) => (holdsChecksum(table, row) ? [] : [row.bytes as string]));
}
