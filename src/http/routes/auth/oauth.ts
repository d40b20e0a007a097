import { authenticateClient, readCredentials } from '../../../auth/credentials.ts';
import { type Parameters, parseParameters, requireParameter } from '../../../auth/parameters.ts';
import { grantScopes, mayInspect, mayRevoke } from '../../../auth/scopes.ts';
import type { VerifiedToken } from '../../../auth/token.ts';
import { ServiceError } from '../../../contract/errors.ts';
import { list, object, optionally } from '../../../contract/json.ts';
import { scopeNames, serviceScope } from '../../../contract/scopes.ts';
import type { ApiClient } from '../../../domain/ports/client-store.ts';
import type { HttpResponse, ParameterTable, Route, RouteBody, Schema } from '../../route.ts';
import type { RouteDeps } from '../all.ts';
import { answer, jsonResponse, noStore } from '../json.ts';

const publicFor5Minutes = { 'cache-control': 'public, max-age=300' };
const text = { type: 'string' };
const seconds = { type: 'integer', format: 'int64', description: 'In seconds since 1970.' };
const shared = { method: 'POST', tag: 'Tokens', access: 'client' } as const;
const discovery = { method: 'GET', tag: 'Tokens', access: 'public' } as const;
const tokenExample = 'eyJhbGciOiJFUzI1NiJ9…';
const authentication =
  'Authenticate with HTTP Basic, or with `client_id` and `client_secret` in the form. The other parameters can also be sent in the query.';

function form(
  title: string,
  properties: Schema,
  optional: Schema,
  example: Readonly<Record<string, string>>,
): RouteBody {
  const credentials = { client_id: text, client_secret: { ...text, format: 'password' } };
  return {
    kind: 'form',
    contentTypes: ['application/x-www-form-urlencoded'],
    // Some clients send a JSON content type with an empty body, and the parameters in the query.
    toleratedTypes: ['application/json'],
    required: true,
    schema: object(title, { ...properties, ...optionally({ ...optional, ...credentials }) }),
    example,
    maxBytes: 16_384,
  };
}

/**
 * What the query may have instead of the form. It is not in the document: a parameter in both is refused (RFC 6749 §3.2), and
 * a token in an address gets into the logs of proxies. A form may also have unknown parameters, which RFC 6749 §3.2 has
 * ignored. The handler reads the query, and refuses a secret in it.
 */
function inQuery(...names: readonly string[]): ParameterTable {
  const parameter = { type: 'string', description: 'Instead of the one in the form.', ignored: true } as const;
  return Object.fromEntries([...names, 'client_id', 'client_secret'].map((name) => [name, parameter]));
}

/** A handler that authenticates the client first. Its error responses must not be cached either (RFC 6749 §5.1). */
function authenticated(
  { clients, nowMs }: RouteDeps,
  handle: (client: ApiClient, parameters: Parameters) => Promise<HttpResponse>,
): Route['handler'] {
  return async ({ url, headers, bytes, loginLimit }) => {
    try {
      const parameters = parseParameters(url, headers['content-type'], bytes);
      const credentials = readCredentials(headers.authorization, parameters);
      return await handle(await authenticateClient(clients, credentials, loginLimit, nowMs()), parameters);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      throw new ServiceError(error.code, error.message, error.details, { ...noStore, ...error.headers });
    }
  };
}

function tokenRoute(deps: RouteDeps): Route {
  return {
    ...shared,
    operationId: 'issueToken',
    path: '/oauth/token',
    summary: 'Get an access token with client credentials',
    description: `${authentication} Without \`scope\` the token has all scopes of the client.`,
    query: inQuery('grant_type', 'scope'),
    body: form(
      'TokenRequest',
      { grant_type: { ...text, enum: ['client_credentials'] } },
      { scope: { ...text, description: 'Scopes with spaces between them. Default: all scopes of the client.' } },
      { grant_type: 'client_credentials', scope: 'manage_test:my-shop view_test:my-shop' },
    ),
    responses: {
      200: answer(
        'The access token, its lifetime in seconds and its scopes.',
        object('AccessToken', {
          access_token: text,
          token_type: { ...text, const: 'Bearer' },
          expires_in: { type: 'integer', description: 'In seconds.' },
          scope: text,
        }),
        { access_token: tokenExample, token_type: 'Bearer', expires_in: 3600, scope: 'view_test:my-shop' },
      ),
    },
    errors: ['invalid_request', 'unsupported_grant_type', 'invalid_scope', 'DataCorruption'],
    handler: authenticated(deps, async (client, parameters) => {
      const grantType = requireParameter(parameters, 'grant_type');
      if (grantType !== 'client_credentials') {
        const shown = grantType.slice(0, 64);
        const message = `Invalid parameter: grant_type: Invalid grant type: ${shown}. It must be client_credentials.`;
        throw new ServiceError('unsupported_grant_type', message);
      }
      const issued = await deps.tokens.issue(client, grantScopes(client, parameters.get('scope')));
      return jsonResponse(200, {
        access_token: issued.accessToken,
        token_type: 'Bearer',
        expires_in: issued.expiresInSeconds,
        scope: issued.scopes.join(' '),
      });
    }),
  };
}

/** RFC 7662 §2.2. Times are in seconds. */
function introspection({ caller, scopes, issuedAtMs, expiresAtMs }: VerifiedToken, issuer: string): object {
  return {
    active: true,
    scope: scopes.join(' '),
    client_id: caller.clientId,
    token_type: 'Bearer',
    exp: expiresAtMs / 1000,
    iat: issuedAtMs / 1000,
    sub: caller.clientId,
    aud: issuer,
    iss: issuer,
    jti: caller.jti,
  };
}

function introspectRoute(deps: RouteDeps): Route {
  const { tokens } = deps;
  return {
    ...shared,
    operationId: 'introspectToken',
    path: '/oauth/introspect',
    summary: 'Introspect a token (RFC 7662)',
    description: `${authentication} A token of another project is reported as inactive.`,
    query: inQuery('token', 'token_type_hint'),
    body: form(
      'IntrospectionRequest',
      { token: { ...text, minLength: 1 } },
      { token_type_hint: text },
      { token: tokenExample },
    ),
    responses: {
      200: answer(
        'The state of the token: its scopes, client and expiry, or only that it is not active.',
        object('Introspection', {
          active: { type: 'boolean' },
          'scope?': text,
          'client_id?': text,
          'token_type?': text,
          'exp?': seconds,
          'iat?': seconds,
          'sub?': text,
          'aud?': text,
          'iss?': text,
        }),
        { active: false },
      ),
    },
    errors: ['invalid_request', 'DataCorruption'],
    handler: authenticated(deps, async (client, parameters) => {
      const token = await tokens.inspect(requireParameter(parameters, 'token'));
      const visible = token !== undefined && mayInspect(client, token);
      return jsonResponse(200, visible ? introspection(token, tokens.issuer) : { active: false });
    }),
  };
}

function revokeRoute(deps: RouteDeps): Route {
  return {
    ...shared,
    operationId: 'revokeToken',
    path: '/oauth/token/revoke',
    summary: 'Revoke a token (RFC 7009)',
    description: `${authentication} A token that is unknown or belongs to another client is ignored; the response is the same. A token of the outside issuer can be revoked by the administrator; it is then refused by this service until it expires.`,
    query: inQuery('token', 'token_type_hint'),
    body: form(
      'RevocationRequest',
      { token: { ...text, minLength: 1 } },
      { token_type_hint: text },
      { token: tokenExample },
    ),
    responses: { 200: answer('The token is revoked, or was never valid.', { type: 'object' }, {}) },
    errors: ['invalid_request', 'unsupported_token_type', 'DataCorruption'],
    handler: authenticated(deps, async (client, parameters) => {
      const token = await deps.tokens.inspect(requireParameter(parameters, 'token'), 'any');
      if (token?.caller.jti.startsWith('oidc:') && client.projectKey !== undefined) throw ofOutsideIssuer();
      if (token !== undefined && mayRevoke(client, token)) await deps.tokens.revoke(token);
      return jsonResponse(200, {});
    }),
  };
}

/** RFC 7009 §2.2.1: otherwise the client would believe that the token is revoked. */
function ofOutsideIssuer(): ServiceError {
  const message = 'The token is of the outside issuer: only the administrator can revoke it here; or revoke it there.';
  return new ServiceError('unsupported_token_type', message);
}

/** RFC 8414 §2. */
function metadataOf(issuer: string): object {
  const methods = ['client_secret_basic', 'client_secret_post'];
  return {
    issuer,
    token_endpoint: `${issuer}/oauth/token`,
    introspection_endpoint: `${issuer}/oauth/introspect`,
    revocation_endpoint: `${issuer}/oauth/token/revoke`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    // A scope is one of these names, a colon and a project key; that of the service is its name alone.
    scopes_supported: [...scopeNames, serviceScope],
    response_types_supported: [],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: methods,
    introspection_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_methods_supported: methods,
  };
}

function metadataRoute({ tokens: { issuer } }: RouteDeps): Route {
  const metadata = metadataOf(issuer);
  return {
    ...discovery,
    operationId: 'getAuthorizationServerMetadata',
    path: '/.well-known/oauth-authorization-server',
    summary: 'Get the metadata of the authorization server (RFC 8414)',
    responses: {
      200: answer(
        'The metadata.',
        object('ServerMetadata', { issuer: text, token_endpoint: text, jwks_uri: text }),
        metadataOf('https://api.eu-central-1.aws.example.com'),
      ),
    },
    handler: () => jsonResponse(200, metadata, publicFor5Minutes),
  };
}

function jwksRoute({ tokens }: RouteDeps): Route {
  const key = { kty: 'EC', crv: 'P-256', x: '…', y: '…', kid: '…', use: 'sig', alg: 'ES256' };
  return {
    ...discovery,
    operationId: 'getSigningKeys',
    path: '/.well-known/jwks.json',
    summary: 'Get the public keys that tokens are signed with (RFC 7517)',
    responses: {
      200: answer(
        'The key set. A new key is published a day before the first token is signed with it.',
        object('JsonWebKeySet', { keys: list({ type: 'object', additionalProperties: true }) }),
        { keys: [key] },
      ),
    },
    handler: () => jsonResponse(200, tokens.jwks(), publicFor5Minutes),
  };
}

/** The token endpoints and the documents that describe them (decision 29). */
export function oauthRoutes(deps: RouteDeps): readonly Route[] {
  return [tokenRoute(deps), introspectRoute(deps), revokeRoute(deps), metadataRoute(deps), jwksRoute(deps)];
}
