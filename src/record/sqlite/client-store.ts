import type { DatabaseSync } from 'node:sqlite';
import type { ClientStore, Revocation, SigningKey } from '../../domain/ports/client-store.ts';
import { readAll, readOne } from '../../sqlite/any-numbers.ts';
import { type CheckedTable, checksumOf, type DamageLog, type Row } from '../row/checked-table.ts';
import { ClientRowReader, clientRow, keyOf, keyRow, revocationRow, secretColumn } from '../row/client-rows.ts';
import { bytesOf, clients, damagedBytes, revocations, selected, signingKeys } from './checked-tables.ts';
import type { Statement } from './write/messages.ts';
import type { Writer } from './write/writer.ts';

/** Inserts a row with its checksum, where the condition holds. */
function insertion(
  table: CheckedTable,
  row: Row,
  { condition = 'true', params = [] as readonly (string | number)[], conflict = 'ON CONFLICT DO NOTHING' } = {},
): Statement {
  const sql = `INSERT INTO ${table.name} (${selected(table)})
    SELECT ${[...table.columns, ''].map(() => '?').join(', ')} WHERE ${condition} ${conflict}`;
  return { sql, params: [...table.columns.map((column) => row[column] ?? null), checksumOf(table, row), ...params] };
}

/** Of two revocations of one subject the one that expires later stays, whole: its checksum is over all of it. */
const laterRevocation = `ON CONFLICT (kind, subject) DO UPDATE SET revoked_at = excluded.revoked_at,
  expires_at = excluded.expires_at, checksum = excluded.checksum
  WHERE (excluded.expires_at, excluded.revoked_at) > (expires_at, revoked_at)`;

function insertRevocation(revocation: Revocation, condition: string, ...params: readonly string[]): Statement {
  return insertion(revocations, revocationRow(revocation), { condition, params, conflict: laterRevocation });
}

/** A condition that holds for the rows listed by `bytesOf` in a JSON array. */
const isListed = (table: CheckedTable) => `${bytesOf(table)} IN (SELECT value FROM json_each(?))`;

/** The ClientStore port on SQLite: reads on the connection `read`, writes through `write`. */
export function createClientStore(deps: {
  readonly read: DatabaseSync;
  /** Only the numbers of changed rows come back: every condition of a write is part of its SQL. */
  readonly write: Writer['write'];
  readonly damage: DamageLog;
}): ClientStore {
  const { read, write, damage } = deps;
  const prepare = (table: CheckedTable, rest: string) =>
    read.prepare(`SELECT ${selected(table)} FROM ${table.name} ${rest}`);
  const client = prepare(clients, 'WHERE id = ?');
  const page = prepare(clients, 'WHERE project_key = ? AND id > ? ORDER BY id LIMIT ?');
  const keys = prepare(signingKeys, 'ORDER BY active_from, kid');
  const revocationsSince = prepare(revocations, 'WHERE revoked_at >= ?');
  const allRevocations = prepare(revocations, '');

  const rowReader = new ClientRowReader(damage);
  const readClient = (row: Row) => rowReader.client(clients, row);
  const rowOf = (id: string) => readOne(client, [id]) as Row | undefined;

  const damagedKeys = () => JSON.stringify(damagedBytes(read, signingKeys));

  return {
    getClient(id) {
      const row = rowOf(id);
      return row && readClient(row);
    },
    async listClients(projectKey, limit, afterId = '') {
      return (readAll(page, [projectKey, afterId, limit]) as readonly Row[]).map(readClient);
    },
    async createClient(created) {
      const [changes] = await write([insertion(clients, clientRow(created, null))]);
      return changes === 1;
    },
    async replaceClient(before, after) {
      const row = { ...clientRow(after, null) };
      const values = [...clients.columns.map((column) => row[column] ?? null), checksumOf(clients, row)];
      const sql = `UPDATE api_client SET (${selected(clients)}) = (${values.map(() => '?').join(', ')})
        WHERE id = ? AND secret_hash = ?`;
      const [changes] = await write([{ sql, params: [...values, before.id, secretColumn(before)] }]);
      return changes === 1;
    },
    async deleteClient(id, revocation) {
      const row = rowOf(id);
      // SQLite refuses to delete a row that differs from its entry in an index.
      const reindex = row && !rowReader.isIntact(clients, row) ? [{ sql: 'REINDEX api_client', params: [] }] : [];
      const revoke = insertRevocation(revocation, 'EXISTS (SELECT 1 FROM api_client WHERE id = ?)', id);
      const remove = { sql: 'DELETE FROM api_client WHERE id = ?', params: [id] };
      return (await write([...reindex, revoke, remove])).at(-1) === 1;
    },
    async listSigningKeys() {
      const rows = readAll(keys, []) as readonly Row[];
      return rows.filter((row) => rowReader.isIntact(signingKeys, row)).map(keyOf);
    },
    async addSigningKey(key) {
      const condition = 'NOT EXISTS (SELECT 1 FROM signing_key WHERE active_from >= ?)';
      const changes = await write([
        { sql: `DELETE FROM signing_key WHERE ${isListed(signingKeys)}`, params: [damagedKeys()] },
        insertion(signingKeys, keyRow(key), { condition, params: [key.activeFromMs] }),
      ]);
      return changes.at(-1) === 1;
    },
    async replaceSigningKeys(key: SigningKey) {
      const damaged = damagedBytes(read, revocations);
      if (damaged.length === 0) return false;
      const params = [JSON.stringify(damaged)];
      // Another process may have replaced them meanwhile.
      const condition = `EXISTS (SELECT 1 FROM revocation WHERE ${isListed(revocations)})`;
      const changes = await write([
        { sql: `DELETE FROM signing_key WHERE ${condition}`, params },
        insertion(signingKeys, keyRow(key), { condition, params }),
        { sql: `DELETE FROM revocation WHERE ${isListed(revocations)}`, params },
      ]);
      return changes[1] === 1;
    },
    async deleteExpired(nowMs) {
      const damaged = JSON.stringify(damagedBytes(read, revocations));
      await write([
        {
          sql: `DELETE FROM signing_key WHERE expires_at < ? OR ${isListed(signingKeys)}`,
          params: [nowMs, damagedKeys()],
        },
        {
          sql: `DELETE FROM revocation WHERE expires_at < ? AND NOT ${isListed(revocations)}`,
          params: [nowMs, damaged],
        },
      ]);
    },
    async revoke(revocation) {
      await write([insertRevocation(revocation, 'true')]);
    },
    async listRevocations(nowMs, sinceMs) {
      const rows = sinceMs === undefined ? readAll(allRevocations, []) : readAll(revocationsSince, [sinceMs]);
      return rowReader.revocations(revocations, rows as readonly Row[], nowMs);
    },
  };
}
