import type { DatabaseSync } from 'node:sqlite';
import type { ApiClient, ClientStore, Revocation, SigningKey } from '../../domain/ports/client-store.ts';
import { type ClientRow, clientOf } from '../row/client-row.ts';
import type { Statement } from './write/messages.ts';

/**
 * Runs the statements in order in one durable transaction, and returns how many rows each of them changed. Since only
 * these counts come back, every condition of a write is part of its SQL.
 */
export type RunStatements = (statements: readonly Statement[]) => Promise<readonly number[]>;

const selectKeys = `SELECT kid, private_jwk AS privateJwk, created_at AS createdAtMs, active_from AS activeFromMs,
  expires_at AS expiresAtMs FROM signing_key ORDER BY active_from, kid`;

const selectRevocations = `SELECT kind, subject, revoked_at AS revokedAtMs, expires_at AS expiresAtMs
  FROM revocation WHERE expires_at >= ? AND revoked_at >= ?`;

function insertClient(client: ApiClient): Statement {
  return {
    sql: `INSERT INTO api_client (id, project_key, name, scopes, secret_hash, created_at) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT DO NOTHING`,
    params: [
      client.id,
      client.projectKey ?? null,
      client.name,
      JSON.stringify(client.scopes),
      client.secretHash,
      client.createdAtMs,
    ],
  };
}

/** Of two revocations of the same subject the later times are kept, so that neither shortens the other. */
function insertRevocation(revocation: Revocation, condition: string, ...more: readonly string[]): Statement {
  return {
    sql: `INSERT INTO revocation (kind, subject, revoked_at, expires_at) SELECT ?, ?, ?, ? WHERE ${condition}
      ON CONFLICT (kind, subject) DO UPDATE SET revoked_at = max(revoked_at, excluded.revoked_at),
      expires_at = max(expires_at, excluded.expires_at)`,
    params: [revocation.kind, revocation.subject, revocation.revokedAtMs, revocation.expiresAtMs, ...more],
  };
}

function insertKey(key: SigningKey): Statement {
  return {
    sql: `INSERT INTO signing_key (kid, private_jwk, created_at, active_from, expires_at) SELECT ?, ?, ?, ?, ?
      WHERE NOT EXISTS (SELECT 1 FROM signing_key WHERE active_from >= ?) ON CONFLICT DO NOTHING`,
    params: [key.kid, key.privateJwk, key.createdAtMs, key.activeFromMs, key.expiresAtMs, key.activeFromMs],
  };
}

/** The ClientStore port on SQLite: reads on the connection `read`, writes through `write`. */
export function createClientStore(deps: { readonly read: DatabaseSync; readonly write: RunStatements }): ClientStore {
  const { read, write } = deps;
  const client = read.prepare('SELECT * FROM api_client WHERE id = ?');
  const page = read.prepare('SELECT * FROM api_client WHERE project_key = ? AND id > ? ORDER BY id LIMIT ?');
  const keys = read.prepare(selectKeys);
  const revocations = read.prepare(selectRevocations);
  return {
    getClient(id) {
      const row = client.get(id) as ClientRow | undefined;
      return row && clientOf(row);
    },
    async listClients(projectKey, limit, afterId = '') {
      return (page.all(projectKey, afterId, limit) as unknown as ClientRow[]).map(clientOf);
    },
    async createClient(created) {
      const [changes] = await write([insertClient(created)]);
      return changes === 1;
    },
    async deleteClient(id, revocation) {
      const revoke = insertRevocation(revocation, 'EXISTS (SELECT 1 FROM api_client WHERE id = ?)', id);
      const [, deleted] = await write([revoke, { sql: 'DELETE FROM api_client WHERE id = ?', params: [id] }]);
      return deleted === 1;
    },
    listSigningKeys: async () => keys.all() as unknown as SigningKey[],
    async addSigningKey(key) {
      const [changes] = await write([insertKey(key)]);
      return changes === 1;
    },
    async deleteExpired(nowMs) {
      await write([
        { sql: 'DELETE FROM signing_key WHERE expires_at < ?', params: [nowMs] },
        { sql: 'DELETE FROM revocation WHERE expires_at < ?', params: [nowMs] },
      ]);
    },
    async revoke(revocation) {
      await write([insertRevocation(revocation, 'true')]);
    },
    listRevocations: async (nowMs, sinceMs = 0) => revocations.all(nowMs, sinceMs) as unknown as Revocation[],
  };
}
