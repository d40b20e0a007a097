import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair } from 'jose';
// @ts-expect-error: the package has no types of its own.
import Provider from 'oidc-provider';

/** An OpenID Connect provider on this machine, which logs in whoever names themselves. */
export interface OutsideProvider extends AsyncDisposable {
  readonly issuer: string;
  /** What it says about people: their name, and their scopes by the claim `rights`. */
  readonly people: Map<string, { readonly name: string; readonly rights: readonly string[] }>;
  /** Registers the console: a public client with the one address to return to. */
  register(redirectUri: string): void;
}

export const clientId = 'console';

/** Starts a real provider. It must be told the console's address before the first login. */
export async function startOutsideProvider(): Promise<OutsideProvider> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const people: OutsideProvider['people'] = new Map();
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'test' };
  return {
    issuer,
    people,
    register(redirectUri) {
      const provider = new Provider(issuer, {
        jwks: { keys: [key] },
        clients: [
          {
            client_id: clientId,
            redirect_uris: [redirectUri],
            response_types: ['code'],
            grant_types: ['authorization_code'],
            token_endpoint_auth_method: 'none',
          },
        ],
        pkce: { required: () => true },
        scopes: ['openid', 'profile'],
        claims: { openid: ['sub', 'rights'], profile: ['name'] },
        conformIdTokenClaims: false,
        cookies: { keys: ['a secret for tests only'] },
        features: {
          devInteractions: { enabled: true },
          resourceIndicators: {
            enabled: true,
            getResourceServerInfo: () => ({ scope: '', audience: 'grs', accessTokenFormat: 'jwt' }),
          },
        },
        findAccount: (_context: unknown, sub: string) => ({
          accountId: sub,
          claims: () => ({ sub, ...people.get(sub) }),
        }),
      });
      server.on('request', provider.callback());
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
