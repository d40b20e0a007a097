import type { AccessToken } from './api-types.ts';
import { ServiceError } from './errors.ts';
import { bodyOf } from './json.ts';
import type { Sender } from './send.ts';

/** What a request needs to be let in. */
export interface TokenSource {
  /** The token; one request for all callers that wait. */
  get(): Promise<string>;
  /** Forgets a token that was refused, unless there is a newer one already. */
  drop(token: string): void;
}

/** Of one API client. Not for browsers: whoever sees the page sees the secret. */
export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
  /** With spaces between several. Default: all scopes of the client. */
  readonly scope?: string;
}

/** Tokens of a function of the caller, which has its own way to get and keep them. */
export function tokensOf(get: () => string | Promise<string>): TokenSource {
  return { get: async () => get(), drop() {} };
}

/** Tokens of an API client, each used until shortly before it expires. */
export function requestTokens(send: Sender, baseUrl: string, credentials: Credentials): TokenSource {
  let current: Promise<string> | undefined;
  let value: string | undefined;
  let renewAtMs = Number.POSITIVE_INFINITY;

  async function request(): Promise<string> {
    const { clientId, clientSecret, scope } = credentials;
    const form = new URLSearchParams({ grant_type: 'client_credentials', ...(scope !== undefined && { scope }) });
    const bytes = new TextEncoder().encode(`${clientId}:${clientSecret}`);
    const authorization = `Basic ${btoa(String.fromCharCode(...bytes))}`;
    const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
    const sentAtMs = Date.now();
    const response = await send(`${baseUrl}/oauth/token`, {
      method: 'POST',
      headers,
      body: form.toString(),
      isRepeatable: true,
    });
    const { access_token, expires_in } = bodyOf(response) as AccessToken;
    if (typeof access_token !== 'string') throw new ServiceError('The response has no token.', { status: 200 });
    // A tenth of the lifetime, at most a minute: enough for the requests that use it until then.
    renewAtMs = sentAtMs + expires_in * 1000 - Math.min(60_000, expires_in * 100);
    value = access_token;
    return access_token;
  }

  return {
    get() {
      if (current !== undefined && Date.now() < renewAtMs) return current;
      renewAtMs = Number.POSITIVE_INFINITY;
      const requested = request();
      current = requested;
      requested.catch(() => {
        if (current === requested) current = undefined;
      });
      return requested;
    },
    drop(token) {
      if (token === value) current = undefined;
    },
  };
}
