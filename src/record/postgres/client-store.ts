import type { ApiClient, ClientStore, Revocation, SigningKey } from '../../domain/ports/client-store.ts';
import { type CheckedTable, checksumOf, type DamageLog, holdsChecksum, type Row } from '../row/checked-table.ts';
import { ClientRowReader, clientRow, keyOf, keyRow, revocationRow, secretColumn } from '../row/client-rows.ts';
import { clients, insertion, revocations, selected, signingKeys } from './checked-tables.ts';
import type { Connection, Statement } from './open/connection.ts';
import type { ProjectNodes } from './open/nodes.ts';
import type { Pool } from './open/pool.ts';
import { createReadOfProject } from './open/read-again.ts';
import { clientPartition, servicePartition } from './rows.ts';
import type { Writer } from './write/writer.ts';

const insertClient = (client: ApiClient): Statement => insertion(clients, clientRow(client, ''));

/** Of two revocations of one subject the one that expires later stays, whole: its checksum is over all of it. */
function insertRevocation(revocation: Revocation): Statement {
  const row = { project_key: servicePartition, ...revocationRow(revocation) };
  return insertion(
    revocations,
    row,
    `ON CONFLICT (project_key, kind, subject) DO UPDATE SET revoked_at = excluded.revoked_at,
      expires_at = excluded.expires_at, checksum = excluded.checksum
      WHERE (excluded.expires_at, excluded.revoked_at) > (r.expires_at, r.revoked_at)`,
  );
}

/**
 * An expression that identifies a row by the bytes of its key. A damaged text may not be UTF-8, and then cannot be bound.
 * Of immutable functions, as Citus demands it of a DELETE: `textsend` and `convert_to` are not immutable.
 */
const keyBytes = ({ key }: CheckedTable) =>
  key
    .map((column) => `encode(decode(replace(${column}, chr(92), repeat(chr(92), 2)), 'escape'), 'hex')`)
    .join(" || '.' || ");

/** The keys of the damaged rows among those of the service, as `keyBytes`. */
async function damagedKeys(connection: Connection, table: CheckedTable): Promise<readonly string[]> {
  const text = `SELECT ${selected(table)}, ${keyBytes(table)} AS bytes FROM ${table.name} WHERE project_key = $1`;
  const rows = await connection.query<Row>({ text, values: [servicePartition] });
  return rows.flatMap((row) => (holdsChecksum(table, row) ? [] : [row.bytes as string]));
}

/** Deletes rows of the service by their `keyBytes`. */
async function deleteListed(connection: Connection, table: CheckedTable, listed: readonly string[]): Promise<void> {
  if (listed.length === 0) return;
  const text = `DELETE FROM ${table.name} WHERE project_key = $1 AND ${keyBytes(table)} = ANY($2::text[])`;
  await connection.run({ text, values: [servicePartition, listed] });
}

/** Locks the signing keys for one process at a time, so that two cannot both find one missing. */
async function lockKeys(connection: Connection): Promise<void> {
  const text = `INSERT INTO store_setting (project_key, name, value) VALUES ($1, 'signing-keys', '')
    ON CONFLICT (project_key, name) DO UPDATE SET value = ''`;
  await connection.run({ text, values: [servicePartition] });
}

const insertKey = (key: SigningKey) => insertion(signingKeys, { project_key: servicePartition, ...keyRow(key) });

/** Adds a key unless there is a later one that is intact. */
async function addKey(connection: Connection, key: SigningKey): Promise<boolean> {
  await lockKeys(connection);
  await deleteListed(connection, signingKeys, await damagedKeys(connection, signingKeys));
  const later = 'SELECT 1 FROM signing_key WHERE project_key = $1 AND active_from >= $2 LIMIT 1';
  const found = await connection.query({ text: later, values: [servicePartition, key.activeFromMs] });
  return found.length === 0 && (await connection.run(insertKey(key))) === 1;
}

async function replaceKeys(connection: Connection, key: SigningKey): Promise<boolean> {
  await lockKeys(connection);
  const damaged = await damagedKeys(connection, revocations);
  // Another process may have replaced them meanwhile.
  if (damaged.length === 0) return false;
  await connection.run({ text: 'DELETE FROM signing_key WHERE project_key = $1', values: [servicePartition] });
  await connection.run(insertKey(key));
  await deleteListed(connection, revocations, damaged);
  return true;
}

async function deleteExpired(connection: Connection, nowMs: number): Promise<void> {
  await deleteListed(connection, signingKeys, await damagedKeys(connection, signingKeys));
  const keep = await damagedKeys(connection, revocations);
  for (const [table, kept] of [[signingKeys, []] as const, [revocations, keep] as const]) {
    const text = `DELETE FROM ${table.name}
      WHERE project_key = $1 AND expires_at < $2 AND ${keyBytes(table)} <> ALL($3::text[])`;
    await connection.run({ text, values: [servicePartition, nowMs, kept] });
  }
}

type PartitionStatement = Statement & { readonly values: readonly [partition: string, ...unknown[]] };

/** API clients, signing keys and revocations in PostgreSQL. */
export function createClientStore(deps: {
  readonly pool: Pool;
  readonly nodes: ProjectNodes;
  readonly writer: Writer;
  readonly damage: DamageLog;
}): ClientStore {
  const { pool, nodes, writer, damage } = deps;

  const readOfProject = createReadOfProject(pool, nodes);
  /** Reads rows of one partition, which is the first value of the statement. */
  const read = (statement: PartitionStatement) =>
    readOfProject(statement.values[0], (connection) => connection.query<Row>(statement));
  const ofService = <T>(work: (connection: Connection) => Promise<T>) => writer.transact(work, servicePartition);

  const rowReader = new ClientRowReader(damage);
  const readClient = (row: Row) => rowReader.client(clients, row);

  return {
    async getClient(id) {
      // No text of PostgreSQL has a NUL, so that no client has such an id.
      if (id.includes('\0')) return undefined;
      const text = `SELECT ${selected(clients)} FROM api_client WHERE project_key = $1 AND id = $2`;
      const [row] = await read({ name: 'client', text, values: [clientPartition(id), id] });
      return row && readClient(row);
    },
    async listClients(projectKey, limit, afterId = '') {
      const text = `SELECT ${selected(clients)} FROM api_client WHERE project_key = $1 AND id > $2 ORDER BY id LIMIT $3`;
      return (await read({ text, values: [projectKey, afterId, limit] })).map(readClient);
    },
    createClient: async (client) => {
      const created = await writer.transact(
        (connection) => connection.run(insertClient(client)),
        clientPartition(client.id),
      );
      return created === 1;
    },
    replaceClient: async (before, after) => {
      // Only what may change: the columns of the key cannot be set where tables are spread over servers.
      const row = clientRow(after, '');
      const text = `UPDATE api_client SET name = $3, scopes = $4, secret_hash = $5, checksum = $6
        WHERE project_key = $1 AND id = $2 AND secret_hash = $7`;
      const set = [row.name, row.scopes, row.secret_hash, checksumOf(clients, row)];
      const partition = clientPartition(before.id);
      const values = [partition, before.id, ...set, secretColumn(before)];
      return (await writer.transact((connection) => connection.run({ text, values }), partition)) === 1;
    },
    deleteClient: (id, revocation) =>
      // Of two partitions: that of the service has to respond for any client.
      ofService(async (connection) => {
        const text = 'DELETE FROM api_client WHERE project_key = $1 AND id = $2';
        const deleted = await connection.run({ text, values: [clientPartition(id), id] });
        if (deleted === 1) await connection.run(insertRevocation(revocation));
        return deleted === 1;
      }),
    async listSigningKeys() {
      const text = `SELECT ${selected(signingKeys)} FROM signing_key WHERE project_key = $1 ORDER BY active_from, kid`;
      const rows = await read({ text, values: [servicePartition] });
      return rows.filter((row) => rowReader.isIntact(signingKeys, row)).map(keyOf);
    },
    addSigningKey: (key) => ofService((connection) => addKey(connection, key)),
    replaceSigningKeys: (key) => ofService((connection) => replaceKeys(connection, key)),
    deleteExpired: (nowMs) => ofService((connection) => deleteExpired(connection, nowMs)),
    revoke: async (revocation) => {
      await ofService((connection) => connection.run(insertRevocation(revocation)));
    },
    async listRevocations(nowMs, sinceMs) {
      const since = sinceMs === undefined ? '' : 'AND revoked_at >= $2';
      const text = `SELECT ${selected(revocations)} FROM revocation WHERE project_key = $1 ${since}`;
      const rows = await read({ text, values: [servicePartition, ...(sinceMs === undefined ? [] : [sinceMs])] });
      return rowReader.revocations(revocations, rows, nowMs);
    },
  };
}
