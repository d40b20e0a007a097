import { ServiceError } from '../contract/errors.ts';
import type { Caller } from '../contract/scopes.ts';
import type { ApiClient, ClientStore } from '../domain/ports/client-store.ts';
import { type Log, noLog } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { clientIdOfKey, verifyPublishableKey } from './clients/publishable-keys.ts';
import { createCursors } from './cursors.ts';
import { createKeyRing } from './keys.ts';
import type { OutsideIssuer } from './outside/issuer.ts';
import { claimedIssuer, signToken, verifyOwnToken } from './own-token.ts';
import { clockSkewSeconds, clockToleranceSeconds, invalidToken, tokensOutliveMs, type VerifiedToken } from './token.ts';
import { TokenUpkeep } from './token-upkeep.ts';
import { createRevocations, createTokenCache, jtiOf } from './token-validity.ts';

/** The target of a revocation: one token, or a login with all its tokens, by its id. */
type RevocableToken = { readonly caller: Pick<Caller, 'jti'> } & Pick<VerifiedToken, 'expiresAtMs'>;

export type TokenService = ReturnType<typeof createTokenService>;

export interface TokenServiceDeps {
  readonly clients: ClientStore;
  /** Fixed text; never made from a request. */
  readonly issuer: string;
  readonly tokenLifetimeSeconds: number;
  readonly keyRotationDays: number;
  readonly nowMs: () => number;
  /** Milliseconds since any point in time, by a clock that is never set. */
  readonly monotonicMs?: () => number;
  readonly newId: () => string;
  readonly outside?: OutsideIssuer;
  readonly log?: Log;
  readonly metrics?: Metrics;
  /** Called when a client gets a token, and when one of its tokens is verified and was not in the minute before. */
  readonly onUse?: (clientId: string) => void;
}

const revocationMarginMs = (clockSkewSeconds + 60) * 1000;

/**
 * Issues, verifies and revokes access tokens, over the clients, keys and revocations of a store (decision 29). `start` before
 * anything else.
 */
export function createTokenService(deps: TokenServiceDeps) {
  const { clients, issuer, tokenLifetimeSeconds, nowMs, newId, outside } = deps;
  const steadyMs = createSteadyClock(nowMs, deps.monotonicMs ?? (() => performance.now()));
  const keys = createKeyRing(deps);
  const revocations = createRevocations(nowMs);
  const cache = createTokenCache(revocations, nowMs, deps.metrics);
  // The clock is read on each poll too, so that it has seen every moment before a step.
  const upkeep = new TokenUpkeep({
    clients,
    keys,
    revocations,
    nowMs,
    onPoll: steadyMs,
    onInvalid: cache.clear,
    log: deps.log ?? noLog,
  });

  async function verifyUncached(text: string): Promise<VerifiedToken> {
    const isKey = clientIdOfKey(text) !== undefined;
    const byOutside = outside !== undefined && claimedIssuer(text) === outside.issuer && outside.issuer !== issuer;
    const verifyToken = () =>
      byOutside ? outside.verify(text) : verifyOwnToken(text, { issuer, keys, nowMs, steadyMs });
    const token = await (isKey ? verifyPublishableKey(clients, text) : verifyToken());
    if (revocations.isRevoked(token.caller)) {
      throw invalidToken('The access token has been revoked.');
    }
    return token;
  }

  return {
    issuer,
    /**
     * The scopes must have been granted by `grantScopes`. With `loginId` the token is one of many that end together, when
     * that id is revoked.
     */
    async issue(client: Pick<ApiClient, 'id'>, scopes: readonly string[], loginId?: string) {
      steadyMs();
      const issuedAtSeconds = Math.floor(nowMs() / 1000);
      const expiresAtSeconds = issuedAtSeconds + tokenLifetimeSeconds;
      deps.onUse?.(client.id);
      const claims = { clientId: client.id, scopes, jti: jtiOf(newId(), loginId), issuedAtSeconds, expiresAtSeconds };
      return { accessToken: await signToken(claims, issuer, keys), expiresInSeconds: tokenLifetimeSeconds, scopes };
    },
    cached: cache.get,
    isRevoked: revocations.isRevoked,
    /** The caller of a valid token. Throws 401 `invalid_token`, or 503 where an outside issuer's keys cannot be read. */
    async verify(text: string): Promise<Caller> {
      const known = cache.get(text);
      if (known) return known;
      const generation = keys.generation;
      const { caller: verified, issuedAtMs, expiresAtMs } = await verifyUncached(text);
      deps.onUse?.(verified.clientId);
      const now = nowMs();
      const isSteady = issuedAtMs > now + clockSkewSeconds * 1000;
      const untilMs = isSteady ? now + expiresAtMs - steadyMs() : expiresAtMs;
      const caller = { ...verified, expiresAtMs: untilMs + clockToleranceSeconds * 1000 };
      if (keys.generation === generation) cache.put(text, caller, now, untilMs);
      return caller;
    },
    /** A valid token of this service, or with `any` of the outside issuer as well; undefined for any other text, such as a publishable key. Throws 503 as `verify`. */
    async inspect(text: string, from: 'own' | 'any' = 'own'): Promise<VerifiedToken | undefined> {
      if (clientIdOfKey(text) !== undefined) return undefined;
      if (from === 'own' && claimedIssuer(text) !== issuer) return undefined;
      try {
        return await verifyUncached(text);
      } catch (error) {
        if (error instanceof ServiceError && error.status < 500) return undefined;
        throw error;
      }
    },
    /** Refuses the token from now on: here at once, in other processes within a second. */
    async revoke({ caller, expiresAtMs }: RevocableToken): Promise<void> {
      const revokedAtMs = nowMs();
      // A margin, because a token is accepted after its expiry where clocks differ or are set back.
      const revocation = {
        kind: 'jti',
        subject: caller.jti,
        revokedAtMs,
        expiresAtMs: expiresAtMs + revocationMarginMs,
      } as const;
      revocations.add(revocation);
      await clients.revoke(revocation);
    },
    /** Deletes a client and refuses its tokens. Returns false if the client does not exist. */
    async deleteClient(clientId: string): Promise<boolean> {
      const revokedAtMs = nowMs();
      const expiresAtMs = revokedAtMs + tokensOutliveMs;
      const revocation = { kind: 'client', subject: clientId, revokedAtMs, expiresAtMs } as const;
      const deleted = await clients.deleteClient(clientId, revocation);
      if (deleted) revocations.add(revocation);
      return deleted;
    },
    jwks: keys.jwks,
    /** Signed with secrets that are derived from the keys of tokens. */
    cursors: createCursors(keys.cursorSecrets),
    /** Loads keys (creates the first one) and revocations, then keeps them current. */
    start: () => upkeep.start(),
    close: () => upkeep.close(),
  };
}

/**
 * A clock that never goes back: the greatest time of day that was seen, and what has passed since by a clock that nobody
 * sets. Call it now and then, so that it has seen the time before a step.
 */
function createSteadyClock(nowMs: () => number, monotonicMs: () => number): () => number {
  let offsetMs = Number.NEGATIVE_INFINITY;
  return () => {
    const passedMs = monotonicMs();
    offsetMs = Math.max(offsetMs, nowMs() - passedMs);
    return passedMs + offsetMs;
  };
}
