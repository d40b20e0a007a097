import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { discover, fetchTimeoutMs } from './discovery.ts';
import type { OutsideIssuer } from './issuer.ts';

/** Why a login by an outside issuer did not succeed; a word for an address, and nothing that the issuer wrote. */
export type OutsideLoginProblem = 'expired' | 'failed' | 'no-rights' | 'refused';

export class OutsideLoginError extends Error {
  override readonly name = 'OutsideLoginError';
  readonly problem: OutsideLoginProblem;
  constructor(problem: OutsideLoginProblem, message: string, cause?: unknown) {
    super(message, { cause });
    this.problem = problem;
  }
}

/** Whom an issuer has logged in. */
export interface OutsideIdentity {
  /** `oidc:` and the subject, which the issuer never gives to somebody else. */
  readonly id: string;
  /** As people know them. */
  readonly name: string;
  /** `name:projectKey`, never empty. */
  readonly scopes: readonly string[];
}

/** Logs people in by an outside OpenID Connect issuer: the authorization code flow with PKCE (RFC 7636), state and nonce. */
export interface OutsideLogin {
  /**
   * The address to send the browser to, and what that browser must keep until it returns: a text of letters, digits, `-`,
   * `_` and dots. Throws `OutsideLoginError`.
   */
  begin(redirectUri: string): Promise<{ readonly address: string; readonly kept: string }>;
  /** Whom the issuer says to have logged in. `kept`: of `begin`, in the same browser. Throws `OutsideLoginError`. */
  end(answer: URLSearchParams, kept: string | undefined, redirectUri: string): Promise<OutsideIdentity>;
}

export interface OutsideLoginSettings {
  readonly issuer: OutsideIssuer;
  readonly clientId: string;
  /** Undefined for a public client. */
  readonly clientSecret: string | undefined;
  /** The requested scopes, separated by spaces; they include `openid`. */
  readonly scope: string;
  /** The API that the access token is asked for. */
  readonly audience: string;
}

interface Endpoints {
  readonly authorization: string;
  readonly token: string;
  /** True if the secret is sent in the body, not in a header. */
  readonly postsSecret: boolean;
}

const random = () => randomBytes(32).toString('base64url');
const failed = (message: string, cause?: unknown) => new OutsideLoginError('failed', message, cause);

async function findEndpoints(issuer: string): Promise<Endpoints> {
  const document = await discover(issuer);
  const { authorization_endpoint: authorization, token_endpoint: token } = document;
  if (typeof authorization !== 'string' || typeof token !== 'string') {
    throw new Error(`The discovery document of ${issuer} names no authorization_endpoint or no token_endpoint.`);
  }
  const methods = document.token_endpoint_auth_methods_supported;
  const postsSecret =
    Array.isArray(methods) && methods.includes('client_secret_post') && !methods.includes('client_secret_basic');
  return { authorization, token, postsSecret };
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Checks what the browser brings back (RFC 6749 §4.1.2, RFC 9207). Returns the code. */
function codeOf(answer: URLSearchParams, state: string, issuer: string): string {
  if (!isEqual(answer.get('state') ?? '', state)) {
    throw new OutsideLoginError('expired', 'The answer belongs to another login, or to none of this browser.');
  }
  if ((answer.get('iss') ?? issuer) !== issuer) throw failed('The answer is of another issuer.');
  const error = answer.get('error');
  if (error !== null) throw new OutsideLoginError('refused', `The issuer answered ${error.slice(0, 100)}.`);
  const code = answer.get('code');
  if (code === null) throw failed('The answer has no code.');
  return code;
}

interface TokenAnswer {
  readonly id_token?: unknown;
  readonly access_token?: unknown;
  readonly error?: unknown;
}

/** RFC 8707: only an absolute URI can be requested as a resource. */
function resourceOf(audience: string): string | undefined {
  return URL.canParse(audience) ? audience : undefined;
}

/** Exchanges the code of a login for tokens (RFC 6749 §4.1.3). */
async function exchange(
  { token: address, postsSecret }: Endpoints,
  { clientId, clientSecret, audience }: OutsideLoginSettings,
  login: { readonly code: string; readonly verifier: string; readonly redirectUri: string },
): Promise<TokenAnswer> {
  const { code, verifier, redirectUri } = login;
  const resource = resourceOf(audience);
  const body = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: redirectUri });
  body.set('code_verifier', verifier);
  if (resource !== undefined) body.set('resource', resource);
  const headers: Record<string, string> = { accept: 'application/json' };
  if (clientSecret === undefined || postsSecret) {
    body.set('client_id', clientId);
    if (clientSecret !== undefined) body.set('client_secret', clientSecret);
  } else {
    // RFC 6749 §2.3.1: both parts are form-encoded before they are joined.
    const pair = [clientId, clientSecret].map(encodeURIComponent).join(':');
    headers.authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
  }
  try {
    const signal = AbortSignal.timeout(fetchTimeoutMs);
    const response = await fetch(address, { method: 'POST', body, headers, redirect: 'error', signal });
    const answer = (await response.json()) as TokenAnswer | null;
    if (response.ok && answer !== null) return answer;
    throw failed(`The issuer refused the code: ${response.status} ${String(answer?.error).slice(0, 100)}.`);
  } catch (error) {
    throw error instanceof OutsideLoginError ? error : failed('The issuer did not exchange the code.', error);
  }
}

/** Makes the login of a client of the issuer. Nothing is fetched before the first one. */
export function createOutsideLogin(settings: OutsideLoginSettings): OutsideLogin {
  const { issuer, clientId, audience } = settings;
  let endpoints: Promise<Endpoints> | undefined;

  /** Discovered once; after a failure again. */
  async function known(): Promise<Endpoints> {
    endpoints ??= findEndpoints(issuer.issuer);
    try {
      return await endpoints;
    } catch (error) {
      endpoints = undefined;
      throw failed('The issuer cannot be reached, or its discovery document cannot be used.', error);
    }
  }

  /** The rights: of the ID token where its claim has any, else of the access token. */
  async function scopesOf(claims: Parameters<OutsideIssuer['scopesOf']>[0], accessToken: unknown) {
    const own = issuer.scopesOf(claims);
    if (own.length > 0) return own;
    if (typeof accessToken !== 'string') return [];
    // One that is not a token for this service says nothing about rights here.
    const verified = await issuer.verify(accessToken).catch(() => undefined);
    return verified?.scopes ?? [];
  }

  return {
    async begin(redirectUri) {
      const { authorization } = await known();
      const [state, nonce, verifier] = [random(), random(), random()];
      const address = new URL(authorization);
      const asked = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: settings.scope,
        state,
        nonce,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        // The name that some issuers have for what RFC 8707 calls resource.
        audience,
        resource: resourceOf(audience),
      };
      for (const [name, value] of Object.entries(asked)) {
        if (value !== undefined) address.searchParams.set(name, value);
      }
      return { address: address.href, kept: [state, nonce, verifier].join('.') };
    },
    async end(answer, kept, redirectUri) {
      const [state = '', nonce = '', verifier = ''] = kept?.split('.') ?? [];
      if (state === '' || nonce === '' || verifier === '') {
        throw new OutsideLoginError('expired', 'This browser has not started a login, or did so too long ago.');
      }
      const code = codeOf(answer, state, issuer.issuer);
      const tokens = await exchange(await known(), settings, { code, verifier, redirectUri });
      const { id_token: idToken, access_token: accessToken } = tokens;
      if (typeof idToken !== 'string') throw failed('The issuer sent no ID token.');
      const claims = await issuer.verifyIdToken(idToken, clientId).catch((error: unknown) => {
        throw failed('The ID token is not valid.', error);
      });
      if (typeof claims.nonce !== 'string' || !isEqual(claims.nonce, nonce)) {
        throw failed('The ID token belongs to another login.');
      }
      const scopes = await scopesOf(claims, accessToken);
      if (scopes.length === 0) {
        throw new OutsideLoginError('no-rights', `The issuer gives ${claims.sub} no scope of this service.`);
      }
      const names = [claims.name, claims.preferred_username, claims.email, claims.sub];
      const name = names.find((one): one is string => typeof one === 'string' && one.trim() !== '')!;
      return { id: `oidc:${claims.sub}`, name: name.slice(0, 100), scopes };
    },
  };
}
