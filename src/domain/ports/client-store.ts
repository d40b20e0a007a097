import type { Eventually } from './eventually.ts';

/** A client of the token endpoint. Times are ms since the epoch. */
export interface ApiClient {
  /** Unique over all projects; begins with the project key and a dot, except the admin client. */
  readonly id: string;
  /** Undefined for the admin client, which may request any scope of any project (decision 30). */
  readonly projectKey: string | undefined;
  readonly name: string;
  readonly scopes: readonly string[];
  /** Digest of the secret, never the secret. */
  readonly secretHash: string;
  readonly createdAtMs: number;
}

export interface SigningKey {
  /** RFC 7638 thumbprint. */
  readonly kid: string;
  /** JSON text of the private JWK. */
  readonly privateJwk: string;
  readonly createdAtMs: number;
  /** Tokens are signed with the newest key whose `activeFromMs` has come. */
  readonly activeFromMs: number;
  /** After this the key is no longer published nor accepted. */
  readonly expiresAtMs: number;
}

/** Revokes tokens before their expiry: one token (`jti`) or all of a client (`client`). */
export interface Revocation {
  readonly kind: 'jti' | 'client';
  /** The jti, or the client id. */
  readonly subject: string;
  readonly revokedAtMs: number;
  /** When all of these tokens have expired and the row may be deleted. */
  readonly expiresAtMs: number;
}

/** Stores API clients, signing keys and revocations. Writes are durable before they resolve. */
export interface ClientStore {
  getClient(id: string): Eventually<ApiClient | undefined>;
  /** Clients of the project by id, at most `limit`, from `afterId` on, exclusive. */
  listClients(projectKey: string, limit: number, afterId?: string): Promise<readonly ApiClient[]>;
  /** False if the id is taken. */
  createClient(client: ApiClient): Promise<boolean>;
  /** Deletes the client and revokes its tokens in one commit. False if there is none. */
  deleteClient(id: string, revocation: Revocation): Promise<boolean>;
  listSigningKeys(): Promise<readonly SigningKey[]>;
  /** Adds a key. False, and nothing is added, if there is one with the same `activeFromMs` or a later one. */
  addSigningKey(key: SigningKey): Promise<boolean>;
  /** Deletes keys and revocations that expired before `nowMs`. */
  deleteExpired(nowMs: number): Promise<void>;
  revoke(revocation: Revocation): Promise<void>;
  /** Those not expired at `nowMs`; with `sinceMs` only those revoked at or after it. */
  listRevocations(nowMs: number, sinceMs?: number): Promise<readonly Revocation[]>;
}
