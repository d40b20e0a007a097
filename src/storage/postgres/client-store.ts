import type { ApiClient, ClientStore, Revocation, SigningKey } from '../../domain/ports/client-store.ts';
import { type ClientRow, clientOf } from '../row/client-row.ts';
import type { Connection, Statement } from './open/connection.ts';
import { isUnavailable, refusalOf } from './open/errors.ts';
import type { Pool } from './open/pool.ts';
import { clientPartition, servicePartition } from './rows.ts';
import type { Writer } from './write/writer.ts';

/** Never `*`: once a later version has added a column, PostgreSQL refuses to run a prepared statement with it. */
const clientColumns = 'project_key, id, name, scopes, secret_hash, created_at';

function insertClient({ id, projectKey, name, scopes, secretHash, createdAtMs }: ApiClient): Statement {
  return {
    text: `INSERT INTO api_client (project_key, id, name, scopes, secret_hash, created_at) VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT DO NOTHING`,
    values: [projectKey ?? '', id, name, JSON.stringify(scopes), secretHash, createdAtMs],
  };
}

/** If the subject was revoked before, the later of both times stays, so that neither shortens the other. */
function insertRevocation({ kind, subject, revokedAtMs, expiresAtMs }: Revocation): Statement {
  return {
    text: `INSERT INTO revocation AS r (project_key, kind, subject, revoked_at, expires_at) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (project_key, kind, subject) DO UPDATE SET revoked_at = greatest(r.revoked_at, excluded.revoked_at),
      expires_at = greatest(r.expires_at, excluded.expires_at)`,
    values: [servicePartition, kind, subject, revokedAtMs, expiresAtMs],
  };
}

const selectKeys = `SELECT kid, private_jwk AS "privateJwk", created_at AS "createdAtMs", active_from AS "activeFromMs",
  expires_at AS "expiresAtMs" FROM signing_key WHERE project_key = $1 ORDER BY active_from, kid`;

/** Adds a key unless there is a later one. A row is locked first, so that two processes cannot both find none. */
async function addKey(connection: Connection, key: SigningKey): Promise<boolean> {
  const lock = `INSERT INTO store_setting (project_key, name, value) VALUES ($1, 'signing-keys', '')
    ON CONFLICT (project_key, name) DO UPDATE SET value = ''`;
  await connection.run({ text: lock, values: [servicePartition] });
  const later = 'SELECT 1 FROM signing_key WHERE project_key = $1 AND active_from >= $2 LIMIT 1';
  const found = await connection.query({ text: later, values: [servicePartition, key.activeFromMs] });
  if (found.length > 0) return false;
  const added = await connection.run({
    text: `INSERT INTO signing_key (project_key, kid, private_jwk, created_at, active_from, expires_at)
      VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
    values: [servicePartition, key.kid, key.privateJwk, key.createdAtMs, key.activeFromMs, key.expiresAtMs],
  });
  return added === 1;
}

/** API clients, signing keys and revocations in PostgreSQL. */
export function createClientStore({ pool, writer }: { readonly pool: Pool; readonly writer: Writer }): ClientStore {
  async function read<Row>(statement: Statement, mayRepeat = true): Promise<readonly Row[]> {
    try {
      return await pool.use((connection) => connection.query<Row>(statement));
    } catch (error) {
      if (mayRepeat && isUnavailable(error)) return read(statement, false);
      throw refusalOf(error);
    }
  }
  const run = (statement: Statement) => writer.transact((connection) => connection.run(statement));

  return {
    async getClient(id) {
      // No text of PostgreSQL has a NUL, so that no client has such an id.
      if (id.includes('\0')) return undefined;
      const text = `SELECT ${clientColumns} FROM api_client WHERE project_key = $1 AND id = $2`;
      const [row] = await read<ClientRow>({ name: 'client', text, values: [clientPartition(id), id] });
      return row && clientOf(row);
    },
    async listClients(projectKey, limit, afterId = '') {
      const text = `SELECT ${clientColumns} FROM api_client WHERE project_key = $1 AND id > $2 ORDER BY id LIMIT $3`;
      const rows = await read<ClientRow>({ text, values: [projectKey, afterId, limit] });
      return rows.map(clientOf);
    },
    createClient: async (client) => (await run(insertClient(client))) === 1,
    deleteClient: (id, revocation) =>
      writer.transact(async (connection) => {
        const text = 'DELETE FROM api_client WHERE project_key = $1 AND id = $2';
        const deleted = await connection.run({ text, values: [clientPartition(id), id] });
        if (deleted === 1) await connection.run(insertRevocation(revocation));
        return deleted === 1;
      }),
    listSigningKeys: () => read<SigningKey>({ text: selectKeys, values: [servicePartition] }),
    addSigningKey: (key) => writer.transact((connection) => addKey(connection, key)),
    deleteExpired: (nowMs) =>
      writer.transact(async (connection) => {
        for (const table of ['signing_key', 'revocation']) {
          const text = `DELETE FROM ${table} WHERE project_key = $1 AND expires_at < $2`;
          await connection.run({ text, values: [servicePartition, nowMs] });
        }
      }),
    revoke: async (revocation) => {
      await run(insertRevocation(revocation));
    },
    listRevocations: (nowMs, sinceMs = 0) =>
      read<Revocation>({
        text: `SELECT kind, subject, revoked_at AS "revokedAtMs", expires_at AS "expiresAtMs" FROM revocation
          WHERE project_key = $1 AND expires_at >= $2 AND revoked_at >= $3 ORDER BY revoked_at, subject`,
        values: [servicePartition, nowMs, sinceMs],
      }),
  };
}
