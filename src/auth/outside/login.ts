import type { ClientAuth, Configuration } from 'openid-client';
import { clockToleranceSeconds } from '../token.ts';
import { fetchTimeoutMs } from './discovery.ts';
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

export type OutsideLogin = ReturnType<typeof createOutsideLogin>;

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

/** Loaded with the first login. */
const library = () => import('openid-client');

const failed = (message: string, cause?: unknown) => new OutsideLoginError('failed', message, cause);

/** RFC 8707: only an absolute URI can be requested as a resource. */
const resourceOf = (audience: string) => (URL.canParse(audience) ? { resource: audience } : undefined);

async function configure({ issuer, clientId, clientSecret }: OutsideLoginSettings): Promise<Configuration> {
  const { ClientSecretBasic, ClientSecretPost, None, ...client } = await library();
  /** The secret is in a header, unless the issuer takes it in the body alone. */
  const authenticate: ClientAuth = (server, ...others) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server;
    const isInBody = methods.includes('client_secret_post') && !methods.includes('client_secret_basic');
    if (clientSecret === undefined) None()(server, ...others);
    else (isInBody ? ClientSecretPost : ClientSecretBasic)(clientSecret)(server, ...others);
  };
  const address = new URL(issuer.issuer);
  const metadata = { [client.clockTolerance]: clockToleranceSeconds };
  return client.discovery(address, clientId, metadata, authenticate, {
    timeout: fetchTimeoutMs / 1000,
    // Signatures are checked: the issuer may be reached without TLS.
    execute: [
      client.enableNonRepudiationChecks,
      ...(address.protocol === 'http:' ? [client.allowInsecureRequests] : []),
    ],
  });
}

/**
 * Logs people in by an outside OpenID Connect issuer: the authorization code flow with PKCE (RFC 7636), state and nonce. Nothing is
 * fetched before the first login.
 */
export function createOutsideLogin(settings: OutsideLoginSettings) {
  const { issuer, audience, scope } = settings;
  let configuration: Promise<Configuration> | undefined;

  /** Discovered once; after a failure again. */
  async function known(): Promise<Configuration> {
    configuration ??= configure(settings);
    try {
      return await configuration;
    } catch (error) {
      configuration = undefined;
      throw failed('The issuer cannot be reached, or its discovery document cannot be used.', error);
    }
  }

  /** The rights: of the ID token where its claim has any, else of the access token. */
  async function scopesOf(claims: Parameters<OutsideIssuer['scopesOf']>[0], accessToken: string) {
    const own = issuer.scopesOf(claims);
    if (own.length > 0) return own;
    // One that is not a token for this service says nothing about rights here.
    const verified = await issuer.verify(accessToken).catch(() => undefined);
    return verified?.scopes ?? [];
  }

  /** Exchanges the code that the browser brings back for tokens. */
  async function tokensOf(address: URL, [state, nonce, verifier]: readonly string[]) {
    const { AuthorizationResponseError, authorizationCodeGrant } = await library();
    if (address.searchParams.get('state') !== state) {
      throw new OutsideLoginError('expired', 'The answer belongs to another login, or to none of this browser.');
    }
    const checks = { expectedState: state!, expectedNonce: nonce!, pkceCodeVerifier: verifier! };
    return authorizationCodeGrant(await known(), address, checks, resourceOf(audience)).catch((error: unknown) => {
      if (error instanceof AuthorizationResponseError) {
        throw new OutsideLoginError('refused', `The issuer answered ${error.error.slice(0, 100)}.`);
      }
      throw failed('The issuer did not exchange the code for an ID token of this login.', error);
    });
  }

  return {
    /**
     * The address to send the browser to, and what that browser must keep until it returns: a text of letters, digits, `-`,
     * `_` and dots. Throws `OutsideLoginError`.
     */
    async begin(redirectUri: string): Promise<{ readonly address: string; readonly kept: string }> {
      const client = await library();
      const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()];
      const { href: address } = client.buildAuthorizationUrl(await known(), {
        ...{ redirect_uri: redirectUri, scope, state, nonce, code_challenge_method: 'S256' },
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        // The name that some issuers have for what RFC 8707 calls resource.
        audience,
        ...resourceOf(audience),
      });
      return { address, kept: [state, nonce, verifier].join('.') };
    },
    /**
     * Whom the issuer says to have logged in: `oidc:` and the subject, which it gives to nobody else, the name as people know
     * it, and at least one scope. `kept`: of `begin`, in the same browser. Throws `OutsideLoginError`.
     */
    async end(answer: URLSearchParams, kept: string | undefined, redirectUri: string) {
      const secrets = kept?.split('.') ?? [];
      if (secrets.length !== 3 || secrets.includes('')) {
        throw new OutsideLoginError('expired', 'This browser has not started a login, or did so too long ago.');
      }
      const tokens = await tokensOf(new URL(`?${answer}`, redirectUri), secrets);
      const claims = tokens.claims()!;
      const scopes = await scopesOf(claims, tokens.access_token);
      if (scopes.length === 0) {
        throw new OutsideLoginError('no-rights', `The issuer gives ${claims.sub} no scope of this service.`);
      }
      const names = [claims.name, claims.preferred_username, claims.email, claims.sub];
      const name = names.find((one): one is string => typeof one === 'string' && one.trim() !== '')!;
      return { id: `oidc:${claims.sub}`, name: name.slice(0, 100), scopes };
    },
  };
}
