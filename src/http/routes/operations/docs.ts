import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type OpenApiInfo, openApiDocument } from '../../openapi/document.ts';
import type { ApiRequest, HttpResponse, Route } from '../../route.ts';

/** Everything the page uses comes from this origin; nothing may be written into it by a stored text. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const common = { method: 'GET', tag: 'Documentation', access: 'public' } as const;

/**
 * The OpenAPI document of the given routes and of its own, and the page that shows it (decision 32).
 * Texts are prepared here, once.
 */
export function docsRoutes(described: readonly Route[], info: OpenApiInfo): readonly Route[] {
  // The document describes the route that serves it, so it is made after the routes.
  const document = lazy(() => ready(JSON.stringify(openApiDocument(all, info))));
  const own: readonly Route[] = [
    {
      ...common,
      operationId: 'getOpenApi',
      path: '/openapi.json',
      summary: 'This description.',
      description: 'The OpenAPI 3.1 document of all endpoints.',
      responses: {
        200: {
          description: 'The document.',
          headers: ['ETag'],
          content: { 'application/json': { schema: { type: 'object' } } },
        },
        304: { description: 'The If-None-Match of the request names the present document.', headers: ['ETag'] },
      },
      handler: (request) => answer(request, document(), {}),
    },
    page('getDocs', '/docs', 'index.html', 'text/html', 'This description, to read.'),
    page('getDocsStyle', '/docs/docs.css', 'docs.css', 'text/css', 'The style of the page.'),
    page('getDocsScript', '/docs/docs.js', 'docs.js', 'text/javascript', 'The script of the page.'),
  ];
  const all = [...described, ...own];
  return own;
}

interface Text {
  readonly body: string;
  readonly etag: string;
}

function ready(body: string): Text {
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
}

function lazy<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function page(operationId: string, path: string, file: string, type: string, summary: string): Route {
  const text = ready(readFileSync(new URL(`../../docs-page/${file}`, import.meta.url), 'utf8'));
  const headers = { 'content-security-policy': pagePolicy, 'referrer-policy': 'no-referrer' };
  return {
    ...common,
    operationId,
    path,
    summary,
    responses: { 200: { description: 'The file.', content: { [type]: { schema: { type: 'string' } } } } },
    handler: (request) => ({ ...answer(request, text, headers), contentType: `${type}; charset=utf-8` }),
  };
}

function answer(request: ApiRequest, { body, etag }: Text, headers: Readonly<Record<string, string>>): HttpResponse {
  const isKnown = request.headers['if-none-match']?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
  return { status: isKnown ? 304 : 200, body: isKnown ? '' : body, headers: { ...headers, etag } };
}
