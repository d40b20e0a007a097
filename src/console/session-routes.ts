import { authenticateClient } from '../auth/credentials.ts';
import type { OutsideLogin } from '../auth/outside/login.ts';
import { ServiceError } from '../contract/errors.ts';
import { type JsonValue, object } from '../contract/json.ts';
import { isProjectKey } from '../contract/scopes.ts';
import type { ClientStore } from '../domain/ports/client-store.ts';
import type { ApiRequest, HttpResponse, Route } from '../http/route.ts';
import { jsonBody, jsonResponse } from '../http/routes/json.ts';
import type { Log } from '../telemetry/log.ts';
import { sessionCookie } from './cookie.ts';
import { type Sessions, viewSession } from './session.ts';

/** The parts of the service that the routes of the console use. */
export interface ConsoleDeps {
  readonly clients: ClientStore;
  readonly sessions: Sessions;
  readonly nowMs: () => number;
  readonly log: Log;
  /** True where the settings say that clients reach the service by https. */
  readonly isSecure: boolean;
  /** The path under which a proxy serves the service; mostly empty. */
  readonly servicePath: string;
  /** The address that browsers reach the service by; undefined: the host that the request names. */
  readonly publicAddress: string | undefined;
  readonly sessionSeconds: number;
  /** Undefined where no outside issuer logs people in. */
  readonly outside: { readonly login: OutsideLogin; readonly issuer: string } | undefined;
}

const text = { type: 'string', maxLength: 1024 };

/** A challenge that asks for Basic, as the token endpoint's does, makes browsers open a dialog of their own over the page. */
function withoutDialog(error: unknown): never {
  if (!(error instanceof ServiceError) || error.status !== 401) throw error;
  throw new ServiceError(error.code, error.message, error.details, { ...error.headers, 'www-authenticate': 'Bearer' });
}

/** Logging in, going on, and logging out. */
export function sessionRoutes(deps: ConsoleDeps): readonly Route[] {
  const { clients, sessions, nowMs, sessionSeconds } = deps;
  const operation = {
    tag: 'Console',
    undocumented: true,
    path: '/console/session',
    access: 'client',
    responses: { 200: { description: 'Done.' } },
  } as const;
  async function begin(request: ApiRequest): Promise<HttpResponse> {
    const { json, loginLimit } = request;
    const { code, clientId, clientSecret } = textsOf(json);
    const client =
      code === undefined
        ? await authenticateClient(
            clients,
            [{ clientId: clientId ?? '', secret: clientSecret ?? '' }],
            loginLimit,
            nowMs(),
          ).catch(withoutDialog)
        : sessions.redeemCode(code);
    return jsonResponse(
      201,
      viewSession(client),
      sessionCookie(deps, request).set(await sessions.begin(client), sessionSeconds),
    );
  }

  async function renew(request: ApiRequest): Promise<HttpResponse> {
    const { json, headers } = request;
    const cookie = sessionCookie(deps, request);
    const { projectKey, scope } = textsOf(json);
    const sent = cookie.read(headers.cookie);
    // The page asks once whether there is a session: no is an answer, not an error.
    if (sent === undefined && projectKey === undefined) return jsonResponse(200, null);
    if (projectKey !== undefined && !isProjectKey(projectKey)) {
      throw new ServiceError('InvalidInput', 'projectKey: expected 1 to 64 of the characters A–Z, a–z, 0–9, _ and -');
    }
    const wanted = scope === 'service' ? scope : projectKey === undefined ? undefined : { projectKey };
    const { visitor, session, token } = await sessions.renew(sent, wanted);
    const body = { ...viewSession(visitor), ...(token && { token }) };
    return jsonResponse(200, body, cookie.set(session, sessionSeconds));
  }

  return [
    {
      ...operation,
      operationId: 'beginConsoleSession',
      method: 'POST',
      summary: 'Log in to the console',
      body: jsonBody(object('ConsoleLogin', { 'code?': text, 'clientId?': text, 'clientSecret?': text })),
      errors: ['invalid_token'],
      handler: (request) => fromPage(request, begin),
    },
    {
      ...operation,
      operationId: 'renewConsoleSession',
      method: 'PUT',
      summary: 'Renew the session, with an access token for a project or the service where one is named',
      body: jsonBody(object('ConsoleProject', { 'projectKey?': text, 'scope?': { const: 'service' } })),
      errors: ['invalid_token', 'insufficient_scope'],
      handler: (request) => fromPage(request, renew),
    },
    {
      ...operation,
      operationId: 'endConsoleSession',
      method: 'DELETE',
      summary: 'Log out',
      handler: (request) =>
        fromPage(request, async ({ headers }) => {
          const cookie = sessionCookie(deps, request);
          await sessions.end(cookie.read(headers.cookie));
          return { status: 204, body: '', headers: cookie.set('', 0) };
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
