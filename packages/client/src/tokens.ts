import type { AccessToken } from '../dist/api-types.js';
import { ServiceError } from './errors.ts';
import { bodyOf } from './json.ts';
import type { Received, Sender } from './send.ts';

/** Supplies the access token of requests. */
export interface TokenSource {
  /** The token; one request for all callers that wait. */
  get(): Promise<string>;
  /** Forgets a token that was refused, unless there is a newer one already. */
  drop(token: string): void;
}

/** The id and secret of an API client. Not for browsers: whoever sees the page sees the secret. */
export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
  /** With spaces between several. Default: all scopes of the client. The administrator's client must name one. */
  readonly scope?: string;
}

/** An API client as the API returns it on creation. */
export interface CreatedClient {
  readonly id: string;
  readonly secret: string;
  readonly scope?: string;
}

/** A token, and from when on another one is asked for; 0: each time. */
interface Issued {
  readonly token: string;
  readonly renewAtMs: number;
}

/** A tenth of the lifetime before the end, at most a minute: enough for the requests that use it until then. */
const renewalOf = (endMs: number, lifetimeMs: number) => endMs - Math.min(60_000, lifetimeMs / 10);

/**
 * Tokens of a function of the caller. A JWT is used until shortly before the `exp` that it has, any other token for one request: the
 * function knows how long it holds.
 */
export function tokensOf(get: () => string | Promise<string>): TokenSource {
  return shareTokens(async () => {
    const token = await get();
    const { exp, iat } = claimsOf(token);
    const now = Date.now();
    if (typeof exp !== 'number') return { token, renewAtMs: 0 };
    return { token, renewAtMs: renewalOf(exp * 1000, typeof iat === 'number' ? (exp - iat) * 1000 : exp * 1000 - now) };
  });
}

function claimsOf(token: string): { readonly exp?: unknown; readonly iat?: unknown } {
  try {
    const part = token.split('.')[1] ?? '';
    return (JSON.parse(atob(part.replaceAll('-', '+').replaceAll('_', '/'))) as object | null) ?? {};
  } catch {
    return {};
  }
}

/** Tokens of an API client. */
export function requestTokens(send: Sender, baseUrl: string, credentials: Credentials | CreatedClient): TokenSource {
  const { scope } = credentials;
  const [id, secret] =
    'clientId' in credentials ? [credentials.clientId, credentials.clientSecret] : [credentials.id, credentials.secret];
  if (typeof id !== 'string' || typeof secret !== 'string')
    throw new TypeError('credentials: expected clientId and clientSecret.');
  return shareTokens(async () => {
    const form = new URLSearchParams({ grant_type: 'client_credentials', ...(scope !== undefined && { scope }) });
    const bytes = new TextEncoder().encode(`${id}:${secret}`);
    const authorization = `Basic ${btoa(String.fromCharCode(...bytes))}`;
    const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
    const sentAtMs = Date.now();
    const response = await send(`${baseUrl}/oauth/token`, {
      method: 'POST',
      headers,
      body: form.toString(),
      isRepeatable: true,
    });
    const { access_token, expires_in } = tokenOf(response, scope);
    if (typeof access_token !== 'string') throw new ServiceError('The response has no token.', { status: 200 });
    return { token: access_token, renewAtMs: renewalOf(sentAtMs + expires_in * 1000, expires_in * 1000) };
  });
}

function tokenOf(response: Received, scope: string | undefined): AccessToken {
  try {
    return bodyOf(response) as AccessToken;
  } catch (error) {
    if (scope === undefined && error instanceof ServiceError && error.status === 400)
      error.message += ' Set credentials.scope of the client.';
    throw error;
  }
}

/** Each token is used until it is to be renewed or was refused; one request for all callers that wait. */
function shareTokens(request: () => Promise<Issued>): TokenSource {
  let current: Promise<Issued> | undefined;
  let issued: Issued | undefined;

  return {
    async get() {
      if (issued !== undefined && Date.now() >= issued.renewAtMs) current = undefined;
      if (current === undefined) {
        issued = undefined;
        const requested = request();
        current = requested;
        requested.then(
          (found) => {
            if (current === requested) issued = found;
          },
          () => {
            if (current === requested) current = undefined;
          },
        );
      }
      return (await current).token;
    },
    drop(token) {
      if (token === issued?.token) current = undefined;
    },
  };
}
