import { ServiceError } from '../../contract/errors.ts';
import type { Caller } from '../../contract/scopes.ts';
import type { Eventually } from '../../domain/ports/eventually.ts';

/** Verifies tokens: `cachedCaller` at once where the token was verified lately, else `verify`, which throws `invalid_token`. */
export interface Verifier {
  readonly verify: (token: string) => Promise<Caller>;
  readonly cachedCaller: (token: string) => Caller | undefined;
}

/** RFC 6750 §2.1. */
const tokenForm = /^[A-Za-z0-9._~+/-]+=*$/;

/** Nothing about the credentials was wrong, there were none: the challenge has no error code (RFC 6750 §3.1). */
function missingToken(): ServiceError {
  const message = 'This endpoint requires an access token. You can get one from the token endpoint.';
  return new ServiceError('invalid_token', message, {}, { 'www-authenticate': 'Bearer' });
}

/**
 * The caller, by the Authorization header alone: a token in the query or in the body is not looked at.
 * Throws or rejects with `ServiceError` `invalid_token` (401).
 */
export function authenticate(authorization: string | undefined, verifier: Verifier): Eventually<Caller> {
  if (authorization === undefined) throw missingToken();
  const token = authorization.startsWith('Bearer ') ? authorization.slice(7).trim() : bearerToken(authorization);
  return verifier.cachedCaller(token) ?? verifyNew(token, verifier);
}

/** The scheme in another spelling (RFC 9110 §11.1: case-insensitive). */
function bearerToken(authorization: string): string {
  const [, token] = /^bearer +(.*)$/i.exec(authorization) ?? [];
  if (token === undefined) throw missingToken();
  return token;
}

function verifyNew(token: string, { verify }: Verifier): Promise<Caller> {
  if (!tokenForm.test(token)) throw new ServiceError('invalid_token', 'The access token is malformed.');
  return verify(token);
}

/**
 * Requires one of the scopes for the project; the scopes of a caller hold what they imply already. 403 whether or not
 * the project exists. Throws `ServiceError` `insufficient_scope`.
 */
export function requireScope(caller: Caller, accepted: readonly string[], projectKey: string): void {
  for (const name of accepted) if (caller.scopes.has(`${name}:${projectKey}`)) return;
  const missing = accepted.map((name) => `${name}:${projectKey}`);
  throw new ServiceError(
    'insufficient_scope',
    `Insufficient scope. One of the following scopes is missing: ${missing.join(', ')}.`,
    {},
    { 'www-authenticate': `Bearer error="insufficient_scope", scope="${missing.join(' ')}"` },
  );
}
