import { randomBytes } from 'node:crypto';
import { authenticateClient } from '../auth/credentials.ts';
import { ServiceError } from '../contract/errors.ts';
import type { JsonValue } from '../contract/json.ts';
import { isProjectKey } from '../contract/scopes.ts';
import type { ClientStore } from '../domain/ports/client-store.ts';
import type { ApiRequest, HttpResponse, Route } from '../http/route.ts';
import { jsonBody, jsonResponse, noStore, objectSchema } from '../http/routes/json.ts';
import { type Asset, BundleMissing, createBundle } from './bundle.ts';
import { type Sessions, viewSession } from './session.ts';

export interface ConsoleDeps {
  readonly clients: ClientStore;
  readonly sessions: Sessions;
  readonly nowMs: () => number;
  /** True where clients reach the service by https: the cookie is then sent by https only. */
  readonly isSecure: boolean;
  readonly sessionSeconds: number;
}

const cookieName = 'grs-console';

/** Everything comes from this origin, no text can become markup, and nobody can frame the page. */
const pageHeaders = (nonce: string) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  ...noStore,
});

const shared = { tag: 'Console', undocumented: true } as const;

/** Leads from `/` to where people begin. */
export function startRoute(location: '/console' | '/docs'): Route {
  return {
    ...shared,
    operationId: 'getStart',
    method: 'GET',
    path: '/',
    summary: 'Go to where people begin',
    access: 'public',
    responses: { 303: { description: 'The address is in `Location`.' } },
    handler: () => ({ status: 303, body: '', headers: { location, ...noStore } }),
  };
}

/** The routes of the console: the page at every path that has no file, its files, and its sessions. */
export function consoleRoutes(deps: ConsoleDeps): readonly Route[] {
  const bundle = createBundle();

  async function sendPage(): Promise<HttpResponse> {
    const nonce = randomBytes(16).toString('base64');
    return { status: 200, body: (await bundled(bundle)).page(nonce), headers: pageHeaders(nonce) };
  }

  const page = (operationId: string, path: string): Route => ({
    ...shared,
    operationId,
    method: 'GET',
    path,
    summary: 'Get the page of the console',
    access: 'public',
    responses: { 200: { description: 'The page.' } },
    handler: sendPage,
  });

  return [
    page('getConsole', '/console'),
    page('getConsolePath', '/console/*'),
    {
      ...shared,
      operationId: 'getConsoleFile',
      method: 'GET',
      path: '/console/assets/:file',
      summary: 'Get a file of the console',
      access: 'public',
      responses: { 200: { description: 'The file.' } },
      async handler(request) {
        const asset = (await bundled(bundle)).assets.get(request.params.file!);
        if (!asset) throw new ServiceError('ResourceNotFound', 'The console has no such file. Reload the page.');
        return send(request, asset, { 'cache-control': 'public, max-age=31536000, immutable' });
      },
    },
    ...sessionRoutes(deps),
  ];
}

async function bundled<T>(bundle: () => Promise<T>): Promise<T> {
  try {
    return await bundle();
  } catch (error) {
    if (error instanceof BundleMissing) throw new ServiceError('NotImplemented', error.message);
    throw error;
  }
}

function send(
  { headers }: ApiRequest,
  { bytes, contentType, etag }: Asset,
  more: Readonly<Record<string, string>>,
): HttpResponse {
  if (headers['if-none-match']?.includes(etag)) return { status: 304, body: '', headers: { etag } };
  return { status: 200, body: bytes, headers: { 'content-type': contentType, etag, ...more } };
}

const text = { type: 'string', maxLength: 1024 };

function sessionRoutes({ clients, sessions, nowMs, isSecure, sessionSeconds }: ConsoleDeps): readonly Route[] {
  const path = '/console/session';
  const operation = { ...shared, path, access: 'client', responses: { 200: { description: 'Done.' } } } as const;

  function cookie(value: string, maxAgeSeconds: number): Readonly<Record<string, string>> {
    const attributes = `Path=${path}; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}${isSecure ? '; Secure' : ''}`;
    return { 'set-cookie': `${cookieName}=${value}; ${attributes}` };
  }

  async function begin({ json, loginLimit }: ApiRequest): Promise<HttpResponse> {
    const { code, clientId, clientSecret } = textsOf(json);
    const client =
      code === undefined
        ? await authenticateClient(
            clients,
            [{ clientId: clientId ?? '', secret: clientSecret ?? '' }],
            loginLimit,
            nowMs(),
          )
        : sessions.redeemCode(code);
    return jsonResponse(201, viewSession(client), cookie(await sessions.begin(client), sessionSeconds));
  }

  return [
    {
      ...operation,
      operationId: 'beginConsoleSession',
      method: 'POST',
      summary: 'Log in to the console',
      body: jsonBody(objectSchema('ConsoleLogin', {}, { code: text, clientId: text, clientSecret: text })),
      errors: ['invalid_client', 'invalid_token'],
      handler: (request) => fromPage(request, begin),
    },
    {
      ...operation,
      operationId: 'renewConsoleSession',
      method: 'PUT',
      summary: 'Renew the session, with an access token for a project where one is named',
      body: jsonBody(objectSchema('ConsoleProject', {}, { projectKey: text })),
      errors: ['invalid_token', 'insufficient_scope'],
      handler: (request) =>
        fromPage(request, async ({ json, headers }) => {
          const { projectKey } = textsOf(json);
          const session = cookieOf(headers.cookie);
          // The page asks once whether there is a session: no is an answer, not an error.
          if (session === undefined && projectKey === undefined) return jsonResponse(200, null);
          const client = await sessions.clientOf(session);
          const renewed = cookie(await sessions.begin(client), sessionSeconds);
          if (projectKey === undefined) return jsonResponse(200, viewSession(client), renewed);
          if (!isProjectKey(projectKey)) {
            throw new ServiceError(
              'InvalidInput',
              'projectKey: 1 to 64 of the characters A–Z, a–z, 0–9, _ and - expected',
            );
          }
          return jsonResponse(
            200,
            { ...viewSession(client), token: await sessions.issue(client, projectKey) },
            renewed,
          );
        }),
    },
    {
      ...operation,
      operationId: 'endConsoleSession',
      method: 'DELETE',
      summary: 'Log out',
      handler: (request) =>
        fromPage(request, async ({ headers }) => {
          await sessions.end(cookieOf(headers.cookie));
          return { status: 204, body: '', headers: cookie('', 0) };
        }),
    },
  ];
}

/** Only the page itself may use the cookie: a page of another port of this host has it sent along, too. */
async function fromPage(request: ApiRequest, handle: (request: ApiRequest) => Promise<HttpResponse>) {
  if (request.headers['sec-fetch-site'] !== 'same-origin') {
    throw new ServiceError('insufficient_scope', 'Sessions are for the page of the console only. Use /oauth/token.');
  }
  return handle(request);
}

function textsOf(json: JsonValue | undefined): Readonly<Record<string, string | undefined>> {
  const entries = typeof json === 'object' && json !== null ? Object.entries(json) : [];
  return Object.fromEntries(entries.filter(([, value]) => typeof value === 'string'));
}

function cookieOf(header: string | undefined): string | undefined {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim().split('='));
  return pairs.find(([name]) => name === cookieName)?.[1];
}
