import type { DatabaseSync } from 'node:sqlite';
import { readAll } from '../../sqlite/any-numbers.ts';
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
  const all = db.prepare(`SELECT ${selected(table)}, ${bytesOf(table)} AS bytes FROM ${table.name}`);
  const rows = readAll(all, []) as readonly Row[];
  return rows.flatMap((row) => (holdsChecksum(table, row) ? [] : [row.bytes as string]));
}
