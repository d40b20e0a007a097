import { authenticateClient, readCredentials } from '../../../auth/credentials.ts';
import { type Parameters, parseParameters, requireParameter } from '../../../auth/parameters.ts';
import { grantScopes, mayInspect, mayRevoke } from '../../../auth/scopes.ts';
import type { VerifiedToken } from '../../../auth/token.ts';
import type { TokenService } from '../../../auth/tokens.ts';
import { ServiceError } from '../../../contract/errors.ts';
import { scopeNames } from '../../../contract/scopes.ts';
import type { ApiClient, ClientStore } from '../../../domain/ports/client-store.ts';
import type { ApiRequest, HttpResponse, Route, RouteBody, Schema } from '../../route.ts';

export interface OauthDeps {
  readonly clients: ClientStore;
  readonly tokens: TokenService;
}

const noStore = { 'cache-control': 'no-store' };
const publicFor5Minutes = { 'cache-control': 'public, max-age=300' };
const text = { type: 'string' };
const tag = 'Tokens';
const authentication =
  'The client authenticates with HTTP Basic, or with `client_id` and `client_secret` in the form. The other parameters may also stand in the query.';

function json(value: unknown, headers: Readonly<Record<string, string>> = noStore): HttpResponse {
  return { status: 200, body: JSON.stringify(value), headers };
}

function form(properties: Schema, example: Readonly<Record<string, string>>): RouteBody {
  const credentials = { client_id: text, client_secret: { ...text, format: 'password' } };
  return {
    kind: 'form',
    // Some clients send a JSON content type with an empty body, and the parameters in the query.
    contentTypes: ['application/x-www-form-urlencoded', 'application/json'],
    required: false,
    schema: { type: 'object', properties: { ...properties, ...credentials } },
    example,
    maxBytes: 16_384,
  };
}

function ok(description: string, properties: Schema, example: unknown): Route['responses'] {
  return { 200: { description, content: { 'application/json': { schema: { type: 'object', properties }, example } } } };
}

/** Error answers of these endpoints must not be kept either (RFC 6749 §5.1). */
async function uncached(handle: () => Promise<HttpResponse>): Promise<HttpResponse> {
  try {
    return await handle();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    throw new ServiceError(error.code, error.message, error.details, { ...noStore, ...error.headers });
  }
}

/** A handler that begins with the authentication of the client. */
function authenticated(
  { clients }: OauthDeps,
  handle: (client: ApiClient, parameters: Parameters) => Promise<HttpResponse>,
): Route['handler'] {
  return ({ url, headers, bytes }: ApiRequest) =>
    uncached(async () => {
      const parameters = parseParameters(url, headers['content-type'], bytes);
      const credentials = readCredentials(headers.authorization, parameters);
      return handle(await authenticateClient(clients, credentials), parameters);
    });
}

function tokenRoute(deps: OauthDeps): Route {
  return {
    operationId: 'issueToken',
    method: 'POST',
    path: '/oauth/token',
    tag,
    summary: 'Get an access token with client credentials.',
    description: `${authentication} Without \`scope\` the token gets all scopes of the client.`,
    access: 'client',
    body: form(
      { grant_type: { enum: ['client_credentials'] }, scope: text },
      { grant_type: 'client_credentials', scope: 'manage_test:my-shop view_test:my-shop' },
    ),
    responses: ok(
      'The token, and what it is good for.',
      { access_token: text, token_type: { const: 'Bearer' }, expires_in: { type: 'integer' }, scope: text },
      { access_token: 'eyJhbGciOiJFUzI1NiJ9…', token_type: 'Bearer', expires_in: 3600, scope: 'view_test:my-shop' },
    ),
    errors: ['invalid_request', 'invalid_client', 'unsupported_grant_type', 'invalid_scope', 'TooManyRequests'],
    handler: authenticated(deps, async (client, parameters) => {
      const grantType = requireParameter(parameters, 'grant_type');
      if (grantType !== 'client_credentials') {
        const message = `Invalid parameter: grant_type: Invalid grant type: ${grantType.slice(0, 64)}`;
        throw new ServiceError('unsupported_grant_type', message);
      }
      const issued = await deps.tokens.issue(client, grantScopes(client, parameters.get('scope')));
      return json({
        access_token: issued.accessToken,
        token_type: 'Bearer',
        expires_in: issued.expiresInSeconds,
        scope: issued.scopes.join(' '),
      });
    }),
  };
}

/** RFC 7662 §2.2; times in seconds. */
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

function introspectRoute(deps: OauthDeps): Route {
  const { tokens } = deps;
  return {
    operationId: 'introspectToken',
    method: 'POST',
    path: '/oauth/introspect',
    tag,
    summary: 'Ask whether a token is good (RFC 7662).',
    description: `${authentication} A token of another project is answered like one that does not exist.`,
    access: 'client',
    body: form({ token: text }, { token: 'eyJhbGciOiJFUzI1NiJ9…' }),
    responses: ok(
      'What the token is good for, or just that it is not active.',
      { active: { type: 'boolean' }, scope: text, client_id: text, exp: { type: 'integer' }, iat: { type: 'integer' } },
      { active: false },
    ),
    errors: ['invalid_request', 'invalid_client', 'TooManyRequests'],
    handler: authenticated(deps, async (client, parameters) => {
      const token = await tokens.inspect(requireParameter(parameters, 'token'));
      const visible = token !== undefined && mayInspect(client, token);
      return json(visible ? introspection(token, tokens.issuer) : { active: false });
    }),
  };
}

function revokeRoute(deps: OauthDeps): Route {
  return {
    operationId: 'revokeToken',
    method: 'POST',
    path: '/oauth/token/revoke',
    tag,
    summary: 'Revoke a token of the client (RFC 7009).',
    description: `${authentication} A token that is unknown, or another client's, is left alone and answered alike.`,
    access: 'client',
    body: form({ token: text, token_type_hint: text }, { token: 'eyJhbGciOiJFUzI1NiJ9…' }),
    responses: ok('The token is no longer good, or never was.', {}, {}),
    errors: ['invalid_request', 'invalid_client', 'TooManyRequests'],
    handler: authenticated(deps, async (client, parameters) => {
      const token = await deps.tokens.inspect(requireParameter(parameters, 'token'));
      if (token !== undefined && mayRevoke(client, token)) await deps.tokens.revoke(token);
      return json({});
    }),
  };
}

function metadataRoute({ tokens: { issuer } }: OauthDeps): Route {
  const methods = ['client_secret_basic', 'client_secret_post'];
  const metadata = {
    issuer,
    token_endpoint: `${issuer}/oauth/token`,
    introspection_endpoint: `${issuer}/oauth/introspect`,
    revocation_endpoint: `${issuer}/oauth/token/revoke`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    // Scopes are these names with `:` and a project key.
    scopes_supported: scopeNames,
    response_types_supported: [],
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: methods,
    introspection_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_methods_supported: methods,
  };
  return {
    operationId: 'getAuthorizationServerMetadata',
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    tag,
    summary: 'Where the token endpoints are, and what they take (RFC 8414).',
    access: 'public',
    responses: ok('The metadata.', { issuer: text, token_endpoint: text, jwks_uri: text }, metadata),
    handler: () => json(metadata, publicFor5Minutes),
  };
}

function jwksRoute({ tokens }: OauthDeps): Route {
  return {
    operationId: 'getSigningKeys',
    method: 'GET',
    path: '/.well-known/jwks.json',
    tag,
    summary: 'The public keys that tokens are signed with (RFC 7517).',
    access: 'public',
    responses: ok(
      'The key set; the next key is in it a day before it signs.',
      { keys: { type: 'array' } },
      {
        keys: [{ kty: 'EC', crv: 'P-256', x: '…', y: '…', kid: '…', use: 'sig', alg: 'ES256' }],
      },
    ),
    handler: () => json(tokens.jwks(), publicFor5Minutes),
  };
}

/** The token endpoints and the documents that describe them (decision 29). */
export function oauthRoutes(deps: OauthDeps): readonly Route[] {
  return [tokenRoute, introspectRoute, revokeRoute, metadataRoute, jwksRoute].map((route) => route(deps));
}
