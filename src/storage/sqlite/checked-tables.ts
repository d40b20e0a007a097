import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { type CheckedTable, checksumOf, holdsChecksum, noChecksum, type Row } from '../row/checked-table.ts';
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

/** Those with few rows. */
export const smallTables = [clients, signingKeys, revocations] as const;

/**
 * Prepares a SELECT of rows to be checked. Damage can make a number too large for this language, which would throw and
 * take the rows beside it along: such a number comes as a text, so that no checksum holds.
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

/** What tells rows apart whatever their bytes are: a text that is no longer UTF-8 cannot be bound. */
export function bytesOf({ columns }: CheckedTable): string {
  return columns.map((column) => `hex(${column})`).join(" || '.' || ");
}

/** Those of the damaged rows, as a JSON array. */
export function damagedBytes(db: DatabaseSync, table: CheckedTable): readonly string[] {
  const rows = prepareRows(db, `SELECT ${selected(table)}, ${bytesOf(table)} AS bytes FROM ${table.name}`).all();
  return rows.flatMap((row) => (holdsChecksum(table, row) ? [] : [row.bytes as string]));
}

/**
 * Gives rows a checksum that were written by a version of the service that knew none, so that damage is noticed from now
 * on. All or nothing; responses stay without, as they are gone within a day.
 */
export function addChecksums(db: DatabaseSync): void {
  for (const table of smallTables) {
    const rows = prepareRows(db, `SELECT ${selected(table)} FROM ${table.name} WHERE checksum = ${noChecksum}`).all();
    if (rows.length === 0) continue;
    const where = table.columns.map((column) => `${column} IS ?`).join(' AND ');
    const update = db.prepare(`UPDATE ${table.name} SET checksum = ? WHERE ${where} AND checksum = ${noChecksum}`);
    db.exec('BEGIN IMMEDIATE');
    try {
      for (const row of rows) update.run(checksumOf(table, row), ...table.columns.map((column) => row[column] ?? null));
      db.exec('COMMIT');
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  }
}
