import { createHash } from 'node:crypto';
import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import * as errors from 'jose/errors';
import { createLocalJWKSet } from 'jose/jwks/local';
import { createRemoteJWKSet, customFetch } from 'jose/jwks/remote';
import { jwtVerify } from 'jose/jwt/verify';
import { ServiceError } from '../../contract/errors.ts';
import { expandScopes, splitScopeText } from '../scopes.ts';
import { clockToleranceSeconds, invalidToken, maxTokenChars, tokenError, type VerifiedToken } from '../token.ts';
import { discover, fetchTimeoutMs } from './discovery.ts';

export type OutsideIssuer = ReturnType<typeof createOutsideIssuer>;

interface OutsideIssuerSettings {
  readonly issuer: string;
  readonly audience: string;
  /** Claim with the scopes: a text with spaces between them, or an array of texts. */
  readonly scopeClaim: string;
  readonly nowMs: () => number;
}

/** Signatures by a key pair only: with a shared secret, every verifier could also sign. */
const algorithms = [
  'ES256',
  'ES384',
  'ES512',
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'EdDSA',
  'Ed25519',
];
/** Time between fetches, after one for an unknown key and after a failed one: anyone can invent a `kid`. */
const cooldownMs = 30_000;
/** How long known keys stay valid while the issuer cannot be reached. */
const knownGoodForMs = 3_600_000;

/** The discovery document or the key set could not be fetched. */
class Unreachable extends Error {}

async function discoverJwksUri(issuer: string): Promise<string> {
  const { jwks_uri: address } = await discover(issuer).catch((cause: Error) => {
    throw new Unreachable(cause.message, { cause });
  });
  if (typeof address === 'string' && URL.canParse(address)) return address;
  throw new Unreachable(`The discovery document of ${issuer} has no address in jwks_uri.`);
}

/** True where the key set could not be read. All other errors are of the token, or of the one key that it names. */
function isOutage(error: unknown): boolean {
  const isUnreadable = error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid;
  // The error of the library for a status other than 200 or a body that is not JSON.
  const isOther = error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC';
  return error instanceof Unreachable || isUnreadable || isOther;
}

/** A time-out stays what it is: the library looks at its name. */
const fetchKeys: typeof fetch = (...request) =>
  fetch(...request).catch((cause: Error) => {
    throw cause.name === 'TimeoutError' ? cause : new Unreachable(cause.message, { cause });
  });

/** 401 for what verifying threw. A key that the library does not take, such as RSA with 1024 bits, is the issuer's fault. */
function refusalOf(error: unknown): unknown {
  if (error instanceof ServiceError) return error;
  if (error instanceof errors.JOSEError) return tokenError(error);
  const reason = error instanceof Error ? error.message : String(error);
  return invalidToken(`The issuer signed the access token with a key that cannot be used: ${reason}.`);
}

function unavailable(retryInMs: number): ServiceError {
  const seconds = String(Math.max(1, Math.ceil(retryInMs / 1000)));
  const message =
    'The keys of the outside issuer cannot be read now, so its tokens cannot be checked. Try again later.';
  return new ServiceError('OverCapacity', message, {}, { 'retry-after': seconds });
}

/**
 * Finds the issuer's keys: discovered once, fetched rarely, and not at all for a while after a failure. Known keys
 * survive failures; otherwise one forged token could have all others refused while the issuer is unreachable.
 */
function createKeyFinder({ issuer, nowMs }: OutsideIssuerSettings): JWTVerifyGetKey {
  let keySet: ReturnType<typeof open> | undefined;
  let failedAtMs = Number.NEGATIVE_INFINITY;
  let goodAtMs = Number.NEGATIVE_INFINITY;
  const open = async () => {
    const found = await discoverJwksUri(issuer);
    const times = { timeoutDuration: fetchTimeoutMs, cooldownDuration: cooldownMs };
    return createRemoteJWKSet(new URL(found), { ...times, [customFetch]: fetchKeys });
  };

  const findKnown = async (retryInMs: number, ...[header, token]: Parameters<JWTVerifyGetKey>) => {
    const known = nowMs() - goodAtMs < knownGoodForMs ? (await keySet)?.jwks() : undefined;
    if (known === undefined) throw unavailable(retryInMs);
    // The issuer may have published a new key with this name.
    return createLocalJWKSet(known)(header, token).catch((error: unknown) => {
      throw error instanceof errors.JWKSNoMatchingKey ? unavailable(retryInMs) : error;
    });
  };

  return async (header, token) => {
    const sinceFailureMs = nowMs() - failedAtMs;
    if (sinceFailureMs >= 0 && sinceFailureMs < cooldownMs) {
      return findKnown(cooldownMs - sinceFailureMs, header, token);
    }
    try {
      keySet ??= open().catch((error: unknown) => {
        keySet = undefined;
        throw error;
      });
      const key = await (await keySet)(header, token);
      goodAtMs = nowMs();
      return key;
    } catch (error) {
      if (!isOutage(error)) throw error;
      failedAtMs = nowMs();
      return findKnown(cooldownMs, header, token);
    }
  };
}

function claimedScopes(claim: unknown): readonly string[] {
  const texts = typeof claim === 'string' ? splitScopeText(claim) : Array.isArray(claim) ? claim : [];
  return texts.filter((text): text is string => typeof text === 'string' && expandScopes([text]).size > 0);
}

const scopesIn = (payload: JWTPayload, scopeClaim: string) =>
  claimedScopes(Object.hasOwn(payload, scopeClaim) ? payload[scopeClaim] : undefined);

/** Clients of the issuer get a prefix that no client of ours can have, so that neither can pass for the other. */
function clientIdOf({ client_id, azp, sub }: JWTPayload): string {
  const id = [client_id, azp, sub].find((claim) => typeof claim === 'string' && claim !== '');
  if (id === undefined) throw invalidToken('The access token names no client: one of client_id, azp or sub is needed.');
  return `oidc:${id}`;
}

function verifiedToken(text: string, payload: JWTPayload, scopeClaim: string): VerifiedToken {
  const scopes = scopesIn(payload, scopeClaim);
  const jti = payload.jti ?? createHash('sha256').update(text).digest('base64url');
  return {
    caller: { clientId: clientIdOf(payload), jti: `oidc:${jti}`, scopes: expandScopes(scopes) },
    scopes,
    issuedAtMs: (payload.iat ?? 0) * 1000,
    expiresAtMs: payload.exp! * 1000,
  };
}

/** An outside OpenID Connect issuer whose tokens are accepted (decision 29). Nothing is fetched before the first one arrives. */
export function createOutsideIssuer(settings: OutsideIssuerSettings) {
  const findKey = createKeyFinder(settings);
  const { issuer, scopeClaim } = settings;

  return {
    issuer,
    /** Throws 401 `invalid_token`, or 503 where its keys cannot be read. */
    async verify(text: string): Promise<VerifiedToken> {
      if (text.length > maxTokenChars) throw invalidToken();
      try {
        const { payload } = await jwtVerify(text, findKey, {
          algorithms,
          issuer,
          audience: settings.audience,
          requiredClaims: ['iss', 'aud', 'exp'],
          clockTolerance: clockToleranceSeconds,
          currentDate: new Date(settings.nowMs()),
        });
        return verifiedToken(text, payload, scopeClaim);
      } catch (error) {
        throw refusalOf(error);
      }
    },
    /** The scopes of this service that claims give. */
    scopesOf: (claims: JWTPayload) => scopesIn(claims, scopeClaim),
  };
}
