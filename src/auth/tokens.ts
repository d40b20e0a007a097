import type { JWK } from 'jose';
import type { Caller } from '../contract/caller.ts';
import { ServiceError } from '../contract/errors.ts';
import type { ApiClient, ClientStore } from '../domain/ports/client-store.ts';
import { createKeyRing } from './keys.ts';
import { tokensOutliveMs } from './lifetime.ts';
import type { OutsideIssuer } from './outside-issuer.ts';
import { claimedIssuer, signToken, verifyOwnToken } from './own-token.ts';
import { createRevocations } from './revocations.ts';
import { createTokenCache } from './token-cache.ts';
import { invalidToken, type VerifiedToken } from './verified-token.ts';

export interface IssuedToken {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
  readonly scopes: readonly string[];
}

/** Issues, verifies and revokes access tokens. `start` before anything else. */
export interface TokenService {
  readonly issuer: string;
  /** The scopes must have been granted by `grantScopes`. */
  issue(client: ApiClient, scopes: readonly string[]): Promise<IssuedToken>;
  /** The caller of a token that was verified in the last minute and is not revoked; costs less than a microsecond. */
  cached(tokenText: string, atMs?: number): Caller | undefined;
  /** The caller of a good token. Throws 401 `invalid_token`, or 503 where an outside issuer's keys cannot be read. */
  verify(tokenText: string): Promise<Caller>;
  /** A good token of this service; undefined for everything else. */
  inspect(tokenText: string): Promise<VerifiedToken | undefined>;
  /** Refuses the token from now on: here at once, in other processes within a second. */
  revoke(token: VerifiedToken): Promise<void>;
  /** Deletes a client and refuses its tokens. False if there is none. */
  deleteClient(clientId: string): Promise<boolean>;
  jwks(): { readonly keys: readonly JWK[] };
  /** Loads keys (makes the first one) and revocations, then keeps them current. */
  start(): Promise<void>;
  close(): void;
}

export interface TokenServiceDeps {
  readonly clients: ClientStore;
  /** Fixed text; never made from a request. */
  readonly issuer: string;
  readonly tokenLifetimeSeconds: number;
  readonly keyRotationDays: number;
  readonly nowMs: () => number;
  readonly newId: () => string;
  readonly outside?: OutsideIssuer;
  /** Hears why a background reload failed; the next one is half a second later. */
  readonly onFault?: (error: unknown) => void;
}

const pollMs = 500;
/** Each so many polls (a minute) everything is read again, each so many (an hour) keys rotate and old rows go. */
const pollsPerFullReload = 120;
const pollsPerRotation = 7200;

/** Makes the token service over the clients, keys and revocations of a store (decision 29). */
export function createTokenService(deps: TokenServiceDeps): TokenService {
  const { clients, issuer, tokenLifetimeSeconds, nowMs, newId, outside } = deps;
  const keys = createKeyRing(deps);
  const revocations = createRevocations();
  const cache = createTokenCache(revocations);
  let timer: NodeJS.Timeout | undefined;
  let polls = 0;
  /** What is due stays so until it was done: a store that is away for a moment puts off nothing by an hour. */
  const due = { fullReload: false, rotation: false };

  async function poll(): Promise<void> {
    polls += 1;
    due.fullReload ||= polls % pollsPerFullReload === 0;
    due.rotation ||= polls % pollsPerRotation === 0;
    await revocations.reload(clients, nowMs(), due.fullReload);
    due.fullReload = false;
    if (!due.rotation) return keys.reload();
    await clients.deleteExpired(nowMs());
    await keys.rotate();
    due.rotation = false;
  }

  function schedule(): void {
    timer = setTimeout(async () => {
      const scheduled = timer;
      const fault = await poll().then(
        () => undefined,
        (error: unknown) => ({ error }),
      );
      // Closed meanwhile: the store is too, so that a fault is no news.
      if (timer !== scheduled) return;
      if (fault) deps.onFault?.(fault.error);
      schedule();
    }, pollMs).unref();
  }

  async function verifyUncached(text: string): Promise<VerifiedToken> {
    const byOutside = outside !== undefined && claimedIssuer(text) === outside.issuer && outside.issuer !== issuer;
    const token = await (byOutside ? outside.verify(text) : verifyOwnToken(text, { issuer, keys, nowMs }));
    if (revocations.isRevoked(token.caller.jti, token.caller.clientId)) {
      throw invalidToken('The access token has been revoked.');
    }
    return token;
  }

  return {
    issuer,
    async issue(client, scopes) {
      const issuedAtSeconds = Math.floor(nowMs() / 1000);
      const expiresAtSeconds = issuedAtSeconds + tokenLifetimeSeconds;
      const claims = { clientId: client.id, scopes, jti: newId(), issuedAtSeconds, expiresAtSeconds };
      return { accessToken: await signToken(claims, issuer, keys), expiresInSeconds: tokenLifetimeSeconds, scopes };
    },
    cached: (text, atMs = nowMs()) => cache.get(text, atMs),
    async verify(text) {
      const known = cache.get(text, nowMs());
      if (known) return known;
      const { caller, expiresAtMs } = await verifyUncached(text);
      cache.put(text, caller, nowMs(), expiresAtMs);
      return caller;
    },
    async inspect(text) {
      if (claimedIssuer(text) !== issuer) return undefined;
      try {
        return await verifyUncached(text);
      } catch (error) {
        if (error instanceof ServiceError) return undefined;
        throw error;
      }
    },
    async revoke({ caller, expiresAtMs }) {
      const revokedAtMs = nowMs();
      // A margin, because a token is good for some seconds after its expiry where clocks differ.
      const revocation = { kind: 'jti', subject: caller.jti, revokedAtMs, expiresAtMs: expiresAtMs + 60_000 } as const;
      revocations.add(revocation);
      await clients.revoke(revocation);
    },
    async deleteClient(clientId) {
      const revokedAtMs = nowMs();
      const expiresAtMs = revokedAtMs + tokensOutliveMs;
      const revocation = { kind: 'client', subject: clientId, revokedAtMs, expiresAtMs } as const;
      const deleted = await clients.deleteClient(clientId, revocation);
      if (deleted) revocations.add(revocation);
      return deleted;
    },
    jwks: keys.jwks,
    async start() {
      await keys.rotate();
      await revocations.reload(clients, nowMs(), true);
      schedule();
    },
    close() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
