import type { IncomingMessage } from 'node:http';
import { clientIdOfKey } from '../../auth/clients/publishable-keys.ts';
import { ServiceError } from '../../contract/errors.ts';
import { type Caller, serviceScope } from '../../contract/scopes.ts';
import type { Eventually } from '../../domain/ports/eventually.ts';
import { addressGroup } from './address.ts';

/**
 * Verifies tokens. `cachedCaller` returns at once if the token was verified recently; `verify` throws `invalid_token`.
 * `isRevoked`: whether the token has expired or was revoked since then.
 */
export interface Verifier {
  readonly verify: (token: string) => Promise<Caller>;
  readonly cachedCaller: (token: string) => Caller | undefined;
  readonly isRevoked: (caller: Caller) => boolean;
}

/** What decides about the callers of requests. */
interface AuthContext {
  readonly verifier: Verifier;
  readonly remoteAddress: (request: IncomingMessage) => string;
  /** Counts a publishable key by what it is limited by, or throws 429. */
  readonly takeKeyToken: ((key: string) => void) | undefined;
}

/** RFC 6750 §2.1. */
const tokenForm = /^[A-Za-z0-9._~+/-]+=*$/;

/** The request has no credentials, so the challenge has no error code (RFC 6750 §3.1). */
function missingToken(): ServiceError {
  const message = 'This endpoint requires an access token. You can get one from the token endpoint.';
  return new ServiceError('invalid_token', message, {}, { 'www-authenticate': 'Bearer' });
}

/**
 * The caller named by the Authorization header. A token in the query or in the body is ignored.
 * Throws or rejects with `ServiceError` `invalid_token` (401), or throws 429.
 */
export function authenticate(request: IncomingMessage, context: AuthContext): Eventually<Caller> {
  const { verifier } = context;
  const { authorization } = request.headers;
  if (authorization === undefined) throw missingToken();
  const token = authorization.startsWith('Bearer ') ? authorization.slice(7).trim() : bearerToken(authorization);
  const cached = verifier.cachedCaller(token);
  if (cached !== undefined) return cached;
  if (!tokenForm.test(token)) throw new ServiceError('invalid_token', 'The access token is malformed.');
  // Each of these is looked up in the store: an address has a rate for all that it sends, whatever they claim to be.
  if (clientIdOfKey(token) !== undefined) context.takeKeyToken?.(addressOf(request, context));
  return verifier.verify(token);
}

/**
 * Admits a request with a publishable key, of which visitors have one rate for each address. Throws 429, and 403 where a page of
 * another origin than those of the key sends it. Without an origin it comes from no page.
 */
export function admitPage(
  request: IncomingMessage,
  context: AuthContext,
  clientId: string,
  origins: ReadonlySet<string>,
): void {
  context.takeKeyToken?.(`${clientId}\n${addressOf(request, context)}`);
  const { origin } = request.headers;
  if (origin === undefined || origins.has(origin)) return;
  const message = `Pages of ${origin.slice(0, 128)} may not use this publishable key. Use one of an API client that has this origin in origins.`;
  throw new ServiceError(
    'insufficient_scope',
    message,
    {},
    { 'www-authenticate': 'Bearer error="insufficient_scope"' },
  );
}

function addressOf(request: IncomingMessage, { remoteAddress }: AuthContext): string {
  return addressGroup(remoteAddress(request));
}

/** The scheme is case-insensitive (RFC 9110 §11.1). */
function bearerToken(authorization: string): string {
  const [, token] = /^bearer +(.*)$/i.exec(authorization) ?? [];
  if (token === undefined) throw missingToken();
  return token;
}

/**
 * Requires one of the scopes for the project, or with `orPublished` view_published: true if nothing else admits the caller. The
 * scopes of a caller already include those that they imply. Throws `ServiceError` `insufficient_scope` (403), whether or
 * not the project exists.
 */
export function requireScope(
  caller: Caller,
  accepted: readonly string[],
  projectKey: string,
  orPublished = false,
): boolean {
  for (const name of accepted) if (caller.scopes.has(`${name}:${projectKey}`)) return false;
  if (orPublished && caller.scopes.has(`view_published:${projectKey}`)) return true;
  throw insufficientScope(accepted.map((name) => `${name}:${projectKey}`));
}

/** Requires the scope of the service as a whole (decision 145). Throws as `requireScope`. */
export function requireServiceScope(caller: Caller): void {
  if (!caller.scopes.has(serviceScope)) throw insufficientScope([serviceScope]);
}

/** 403 that names the scopes of which one is needed. */
export function insufficientScope(missing: readonly string[]): ServiceError {
  return new ServiceError(
    'insufficient_scope',
    `Insufficient scope. One of the following scopes is missing: ${missing.join(', ')}.`,
    {},
    { 'www-authenticate': `Bearer error="insufficient_scope", scope="${missing.join(' ')}"` },
  );
}
