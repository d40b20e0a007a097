import {
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  jwtVerify,
  type ProtectedHeaderParameters,
  SignJWT,
} from 'jose';
import { algorithm, type KeyRing } from './keys.ts';
import { clockToleranceSeconds, maxTokenLifetimeSeconds } from './lifetime.ts';
import { expandScopes, splitScopeText } from './scopes.ts';
import { expiredToken, invalidToken, type VerifiedToken } from './verified-token.ts';

/** Longer texts are refused before anything is decoded. */
export const maxTokenChars = 8192;

const typ = 'at+jwt';
/** Beside `kid` ours have just these; `crit`, `jwk`, `jku`, `x5u`, `zip` and the like are for other people's tokens. */
const headerNames: ReadonlySet<string> = new Set(['alg', 'typ']);
const compactForm = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

export interface TokenClaims {
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
 * True for the one spelling of a token. Padding, and the unused bits of the last letter of the signature, would give
 * many texts for one token: what is kept by text (caches, logs) must not be fooled by them.
 */
function isCanonical(text: string): boolean {
  const signature = text.slice(text.lastIndexOf('.') + 1);
  return compactForm.test(text) && Buffer.from(signature, 'base64url').toString('base64url') === signature;
}

/** The issuer that a token names, unchecked: only good to choose who verifies it. Undefined for any other text. */
export function claimedIssuer(text: string): string | undefined {
  if (text.length > maxTokenChars || !isCanonical(text)) return undefined;
  try {
    return decodeJwt(text).iss;
  } catch {
    return undefined;
  }
}

/** The named claims as texts; 401 where one is none. */
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

/** Verifies a token of this service: everything that RFC 9068 demands, strictly. Throws 401 `invalid_token`. */
export async function verifyOwnToken(
  text: string,
  deps: { readonly issuer: string; readonly keys: KeyRing; readonly nowMs: () => number },
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
      currentDate: new Date(deps.nowMs()),
    });
    return verifiedToken(payload);
  } catch (error) {
    throw tokenRefusal(error);
  }
}

/** What jose refuses is a bad token and so 401; what else is thrown goes on as it is. */
export function tokenRefusal(error: unknown): unknown {
  if (error instanceof errors.JWTExpired) return expiredToken();
  return error instanceof errors.JOSEError ? invalidToken() : error;
}
