import { readFileSync } from 'node:fs';
import { type OpenApiInfo, openApiDocument } from '../../openapi/document.ts';
import { type StaticFile, sendStaticFile, staticFile } from '../../response/static-file.ts';
import { anyParameter, type Route } from '../../route.ts';
import { answer } from '../json.ts';

/** The page loads everything from this origin, and text from the document must not become markup. */
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

const shared = { method: 'GET', tag: 'Documentation', access: 'public' } as const;

/** The files of the page: where each is served, and its media type. The page itself has two addresses. */
const pageFiles = [
  ['getDocs', '/docs', 'index.html', 'text/html'],
  ['getDocsFolder', '/docs/', 'index.html', 'text/html'],
  ['getDocsTrying', '/docs/try.js', 'try.js', 'text/javascript'],
  ['getDocsStyle', '/docs/docs.css', 'docs.css', 'text/css'],
  ['getDocsScript', '/docs/docs.js', 'docs.js', 'text/javascript'],
] as const;

/**
 * The OpenAPI document of the given routes and of these, and the page that shows it (decision 32). The document is made
 * by the first request, the page at the start.
 */
export function docsRoutes(described: readonly Route[], info: OpenApiInfo, servicePath = ''): readonly Route[] {
  let document: StaticFile | undefined;
  const own: readonly Route[] = [
    {
      ...shared,
      operationId: 'getOpenApi',
      path: '/openapi.json',
      summary: 'Get the OpenAPI document',
      description: 'The OpenAPI 3.1 document of all endpoints.',
      responses: {
        200: answer('The document.', { type: 'object', additionalProperties: true }, undefined, ['ETag']),
        304: { description: 'The cached document is current.', headers: ['ETag'] },
      },
      handler(request) {
        document ??= staticFile(JSON.stringify(openApiDocument([...described, ...own], info)));
        return sendStaticFile(request, document);
      },
    },
    ...pageFiles.map((file) => pageRoute(servicePath, file)),
  ];
  return own;
}

function pageRoute(servicePath: string, [operationId, path, file, type]: (typeof pageFiles)[number]): Route {
  const text = readFileSync(new URL(`../../docs-page/${file}`, import.meta.url), 'utf8');
  const isPage = type === 'text/html';
  // The page names its files and the document from `/` on, as it is at /docs and at /docs/.
  const placed = isPage ? text.replaceAll(/(href|src)="\//g, `$1="${servicePath}/`) : text;
  const content = staticFile(placed, {
    'content-type': `${type}; charset=utf-8`,
    'content-security-policy': pagePolicy,
    'referrer-policy': 'no-referrer',
  });
  return {
    ...shared,
    operationId,
    path,
    summary: 'Get a file of the documentation page',
    undocumented: true,
    ...(isPage && { query: anyParameter }),
    responses: { 200: { description: 'The file.' } },
    handler: (request) => sendStaticFile(request, content),
  };
}
