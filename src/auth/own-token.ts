import type { JWTPayload, ProtectedHeaderParameters } from 'jose';
import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { decodeJwt } from 'jose/jwt/decode';
import { SignJWT } from 'jose/jwt/sign';
import { jwtVerify } from 'jose/jwt/verify';
import { algorithm, type KeyRing } from './keys.ts';
import { expandScopes, splitScopeText } from './scopes.ts';
import {
  clockSkewSeconds,
  clockToleranceSeconds,
  invalidToken,
  maxTokenChars,
  maxTokenLifetimeSeconds,
  tokenError,
  type VerifiedToken,
} from './token.ts';

const typ = 'at+jwt';
/** Our tokens have these header fields and `kid`. Any other, such as `crit`, `jwk`, `jku`, `x5u` or `zip`, is refused. */
const headerNames: ReadonlySet<string> = new Set(['alg', 'typ']);
const compactForm = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

interface TokenClaims {
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly jti: string;
  readonly issuedAtSeconds: number;
  readonly expiresAtSeconds: number;
}

/** Signs an access token in the form of RFC 9068. Its audience is the service itself, named by its issuer. */
export function signToken(claims: TokenClaims, issuer: string, keys: KeyRing): Promise<string> {
  const { kid, privateKey } = keys.signer();
  return new SignJWT({ client_id: claims.clientId, scope: claims.scopes.join(' ') })
    .setProtectedHeader({ alg: algorithm, typ, kid })
    .setIssuer(issuer)
    .setAudience(issuer)
    .setSubject(claims.clientId)
    .setJti(claims.jti)
    .setIssuedAt(claims.issuedAtSeconds)
    .setExpirationTime(claims.expiresAtSeconds)
    .sign(privateKey);
}

/**
 * True for the canonical text of a token. Padding, and the unused bits of the last letter of the signature, would give
 * one token many texts, which would confuse whatever uses the text as a key (caches, logs).
 */
function isCanonical(text: string): boolean {
  const signature = text.slice(text.lastIndexOf('.') + 1);
  return compactForm.test(text) && Buffer.from(signature, 'base64url').toString('base64url') === signature;
}

/** The issuer that a token names, unverified: use it only to choose the verifier. Undefined for any other text. */
export function claimedIssuer(text: string): string | undefined {
  if (text.length > maxTokenChars || !isCanonical(text)) return undefined;
  try {
    return decodeJwt(text).iss;
  } catch {
    return undefined;
  }
}

/** The named claims as texts; 401 where one is not a text. */
function texts<const N extends string>(payload: JWTPayload, ...names: readonly N[]): Readonly<Record<N, string>> {
  for (const name of names) if (typeof payload[name] !== 'string' || payload[name] === '') throw invalidToken();
  return payload as Readonly<Record<N, string>>;
}

function verifiedToken(payload: JWTPayload): VerifiedToken {
  const { jti, client_id, scope } = texts(payload, 'jti', 'client_id', 'scope', 'sub');
  const scopes = splitScopeText(scope);
  return {
    caller: { clientId: client_id, jti, scopes: expandScopes(scopes) },
    scopes,
    issuedAtMs: payload.iat! * 1000,
    expiresAtMs: payload.exp! * 1000,
  };
}

function decodeHeader(text: string): ProtectedHeaderParameters {
  try {
    return decodeProtectedHeader(text);
  } catch {
    throw invalidToken();
  }
}

/**
 * The time by which a token is judged. One that was issued in the future was issued before the clock was set back: within
 * the allowed skew it is valid, and a greater step does not matter to tokens of this process, as its steady clock knows
 * when they expire.
 */
function judgedAtMs(
  issuedAtSeconds: unknown,
  { nowMs, steadyMs }: { readonly nowMs: () => number; readonly steadyMs: () => number },
): number {
  const now = nowMs();
  const steady = steadyMs();
  if (typeof issuedAtSeconds !== 'number' || issuedAtSeconds * 1000 <= now) return now;
  return issuedAtSeconds * 1000 <= now + clockSkewSeconds * 1000 ? issuedAtSeconds * 1000 : steady;
}

/** Verifies a token of this service against all of RFC 9068. Throws 401 `invalid_token`. */
export async function verifyOwnToken(
  text: string,
  deps: {
    readonly issuer: string;
    readonly keys: KeyRing;
    readonly nowMs: () => number;
    /** Never goes back; see `createSteadyClock`. */
    readonly steadyMs: () => number;
  },
): Promise<VerifiedToken> {
  if (text.length > maxTokenChars || !isCanonical(text)) throw invalidToken();
  try {
    const { kid, ...header } = decodeHeader(text);
    const key = typeof kid === 'string' ? deps.keys.publicKey(kid) : undefined;
    if (!key || !Object.keys(header).every((name) => headerNames.has(name))) throw invalidToken();
    const { payload } = await jwtVerify(text, key, {
      algorithms: [algorithm],
      typ,
      issuer: deps.issuer,
      audience: deps.issuer,
      requiredClaims: ['iss', 'aud', 'sub', 'exp', 'iat', 'jti', 'client_id', 'scope'],
      maxTokenAge: maxTokenLifetimeSeconds,
      clockTolerance: clockToleranceSeconds,
      currentDate: new Date(judgedAtMs(decodeJwt(text).iat, deps)),
    });
    return verifiedToken(payload);
  } catch (error) {
    throw tokenError(error);
  }
}
