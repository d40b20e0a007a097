import type { Eventually } from './eventually.ts';

/** A client of the token endpoint. Times are ms since the epoch. */
export interface ApiClient {
  /** Unique over all projects; begins with the project key and a dot, except the admin client. */
  readonly id: string;
  /** Undefined for the admin client, which may request any scope of any project (decision 30). */
  readonly projectKey: string | undefined;
  readonly name: string;
  readonly scopes: readonly string[];
  /** Digest of the secret, never the secret; empty without one. */
  readonly secretHash: string;
  /** Instead of a secret: the key that pages of these origins send, which is no secret. */
  readonly publishable?: { readonly key: string; readonly origins: readonly string[] };
  /** The digest of the secret before the last rotation, and until when (ms since the epoch) it is accepted. */
  readonly previous?: { readonly secretHash: string; readonly untilMs: number };
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

/** The result of reading the revocations. */
export interface RevocationList {
  readonly revocations: readonly Revocation[];
  /** How many rows are damaged. Which tokens these refuse is not known. */
  readonly damaged: number;
}

/**
 * Stores API clients, signing keys and revocations. Writes are durable before they resolve. A row that is damaged grants
 * nothing and refuses nothing by what it says (decision 88).
 */
export interface ClientStore {
  /** Throws `DataCorruption` for a damaged one. */
  getClient(id: string): Eventually<ApiClient | undefined>;
  /** Clients of the project by id, at most `limit`, from `afterId` on, exclusive. Throws `DataCorruption` for a damaged one. */
  listClients(projectKey: string, limit: number, afterId?: string): Promise<readonly ApiClient[]>;
  /** False if the id is taken. */
  createClient(client: ApiClient): Promise<boolean>;
  /** Replaces the client if it still equals `before`. Returns false if it has changed or is gone. */
  replaceClient(before: ApiClient, after: ApiClient): Promise<boolean>;
  /** Deletes the client, also a damaged one, and revokes its tokens in one commit. Returns false if it does not exist. */
  deleteClient(id: string, revocation: Revocation): Promise<boolean>;
  /** The intact ones. */
  listSigningKeys(): Promise<readonly SigningKey[]>;
  /**
   * Adds a key. False, and nothing is added, if there is an intact one with the same `activeFromMs` or a later one. Deletes
   * damaged ones.
   */
  addSigningKey(key: SigningKey): Promise<boolean>;
  /**
   * If a revocation is damaged: replaces all signing keys by this one and deletes the damaged revocations, in one commit.
   * Returns false, and does nothing, if none is.
   */
  replaceSigningKeys(key: SigningKey): Promise<boolean>;
  /** Deletes keys and revocations that expired before `nowMs`, and damaged keys, but no damaged revocation. */
  deleteExpired(nowMs: number): Promise<void>;
  revoke(revocation: Revocation): Promise<void>;
  /** Revocations not expired at `nowMs`; with `sinceMs` only of tokens revoked at or after it. Without it every row is checked. */
  listRevocations(nowMs: number, sinceMs?: number): Promise<RevocationList>;
}
