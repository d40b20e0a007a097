import { randomBytes } from 'node:crypto';
import { ServiceError } from '../contract/errors.ts';
import { sendStaticFile } from '../http/response/static-file.ts';
import { anyParameter, type HttpResponse, type Route } from '../http/route.ts';
import { noStore } from '../http/routes/json.ts';
import { BundleMissing, createBundle } from './bundle.ts';
import { outsideLoginRoutes } from './outside-login.ts';
import { type ConsoleDeps, sessionRoutes } from './session-routes.ts';

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
export function startRoute(location: string): Route {
  return {
    ...shared,
    operationId: 'getStart',
    method: 'GET',
    path: '/',
    summary: 'Redirect to the console, or to the documentation',
    access: 'public',
    query: anyParameter,
    responses: { 303: { description: 'The address is in `Location`.' } },
    handler: () => ({ status: 303, body: '', headers: { location, ...noStore } }),
  };
}

/** The routes of the console: the page at every path that has no file, its files, and its sessions. */
export function consoleRoutes(deps: ConsoleDeps): readonly Route[] {
  const bundle = createBundle();
  const { outside } = deps;
  const outsideHost = outside && new URL(outside.issuer).host;

  async function sendPage(): Promise<HttpResponse> {
    const nonce = randomBytes(16).toString('base64');
    return {
      status: 200,
      body: (await bundled(bundle)).page(nonce, deps.servicePath, outsideHost),
      headers: pageHeaders(nonce),
    };
  }

  const page = (operationId: string, path: string): Route => ({
    ...shared,
    operationId,
    method: 'GET',
    path,
    summary: 'Get the page of the console',
    access: 'public',
    query: anyParameter,
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
        return sendStaticFile(request, asset);
      },
    },
    ...sessionRoutes(deps),
    ...(outside ? outsideLoginRoutes(deps, outside.login) : []),
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
