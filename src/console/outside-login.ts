import { type OutsideLogin, OutsideLoginError } from '../auth/outside/login.ts';
import { type ApiRequest, anyParameter, type HttpResponse, type Route } from '../http/route.ts';
import { noStore } from '../http/routes/json.ts';
import { createCookie, isHttps, sessionCookie } from './cookie.ts';
import type { ConsoleDeps } from './session-routes.ts';

/** Below the path of sessions, which is not the name of a room: no page has this address. */
const beginPath = '/console/session/login';
const endPath = `${beginPath}/callback`;
/** How long people may take at the issuer. */
const loginSeconds = 600;
/** Browsers keep cookies of 4096 bytes, with their names and attributes. */
const maxSessionChars = 3800;

/** Sends people to the outside issuer, and takes them back (decision 147). */
export function outsideLoginRoutes(deps: ConsoleDeps, login: OutsideLogin): readonly Route[] {
  const { sessions, servicePath, sessionSeconds, log, nowMs } = deps;
  // The issuer leads back here from its own site, with which a strict cookie would not be sent.
  const keptOf = (request: ApiRequest) =>
    createCookie('grs-console-login', {
      path: servicePath + beginPath,
      sameSite: 'Lax',
      isSecure: isHttps(deps, request),
    });
  const shared = {
    method: 'GET',
    tag: 'Console',
    undocumented: true,
    access: 'public',
    responses: { 303: { description: 'The address is in `Location`.' } },
  } as const;

  // The issuer accepts the addresses only that it was told: a wrong Host ends there.
  const redirectUri = (request: ApiRequest) => {
    const scheme = isHttps(deps, request) ? 'https' : 'http';
    return (deps.publicAddress ?? `${scheme}://${request.headers.host ?? ''}${servicePath}`) + endPath;
  };

  const goTo = (location: string, headers: Readonly<Record<string, string>> = {}): HttpResponse => ({
    ...{ status: 303, body: '' },
    headers: { location, 'referrer-policy': 'no-referrer', ...noStore, ...headers },
  });

  function explain(error: unknown): HttpResponse {
    if (!(error instanceof OutsideLoginError)) throw error;
    const { problem, message, cause } = error;
    log.write('warn', 'console-login-failed', { problem, message, ...(cause !== undefined && { error: cause }) });
    return goTo(`${servicePath}/console#login=${problem}`);
  }

  return [
    {
      ...shared,
      operationId: 'beginOutsideLogin',
      path: beginPath,
      summary: 'Log in by the outside issuer',
      async handler(request) {
        try {
          const begun = await login.begin(redirectUri(request));
          return goTo(begun.address, keptOf(request).set(begun.kept, loginSeconds));
        } catch (error) {
          return explain(error);
        }
      },
    },
    {
      ...shared,
      operationId: 'endOutsideLogin',
      path: endPath,
      // The issuer may add parameters of its own.
      query: anyParameter,
      summary: 'Return from the outside issuer',
      async handler(request) {
        const { headers, url } = request;
        try {
          const answer = new URL(url, 'http://localhost').searchParams;
          const identity = await login.end(answer, keptOf(request).read(headers.cookie), redirectUri(request));
          const begun = await sessions.begin({ ...identity, endsAtMs: nowMs() + sessionSeconds * 1000 });
          if (begun.length > maxSessionChars) {
            throw new OutsideLoginError('no-rights', 'The issuer gives more scopes than a cookie can hold.');
          }
          return goTo(`${servicePath}/console#login=done`, sessionCookie(deps, request).set(begun, sessionSeconds));
        } catch (error) {
          return explain(error);
        }
      },
    },
  ];
}
