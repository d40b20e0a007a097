import { join } from 'node:path';
import { type DraftKind, draftKinds, importLineSchema, importSummarySchema } from '../../../contract/bulk.ts';
import { malformedParameter, ServiceError } from '../../../contract/errors.ts';
import { type Charset, charsetNamed, charsets } from '../../../domain/bulk/charset.ts';
import { delimiterForm, delimiterNamed } from '../../../domain/bulk/csv/delimiter.ts';
import { charsetParameter, isGzip } from '../../request/body.ts';
import type { ApiRequest, HttpResponse, ParameterTable, Route } from '../../route.ts';
import type { RouteDeps } from '../all.ts';
import { externalUserHeader } from '../headers.ts';
import { collectionPath, resourceTag, writeOf } from '../resources/resource.ts';
import { holdResults } from './held-results.ts';
import { createImports, type ImportTask } from './imports.ts';

export const ndjsonType = 'application/x-ndjson';

/** A line may exceed the limit of a document by this factor: it has spaces, escapes and the fields of the service. */
const lineFactor = 2;

const parameters: ParameterTable = {
  mode: {
    type: 'string',
    default: 'merge',
    words: draftKinds,
    description:
      'What a line does to a resource that exists: `merge` merges into it (as PATCH), `replace` replaces the top-level fields that the line has (as POST), `overwrite` replaces all of them (as PUT), `create` refuses the line, unless it leaves the resource as it is.',
  },
  versions: {
    type: 'string',
    default: 'ignore',
    words: ['ignore', 'check'],
    description:
      'With `check`, the `version` of a line must be the current one unless the line changes nothing; 0 or none for a new resource.',
  },
  dryRun: {
    type: 'boolean',
    default: false,
    description:
      'With `true`, every line is checked and nothing is written. Lines are checked independently of each other, but for unique values and references of types, which see what lines before would make.',
  },
  stopOnError: {
    type: 'boolean',
    default: false,
    description: 'With `true`, the import stops at the first refused line.',
  },
  results: {
    type: 'string',
    default: 'all',
    words: ['all', 'refused'],
    description: 'With `refused`, only the lines that were refused are reported, and the summary.',
  },
  stream: {
    type: 'boolean',
    default: false,
    description:
      'With `true`, results are sent while the body arrives, on a connection that ends with the response. Use it only without a proxy: most proxies stop sending a request once its response has started.',
  },
  delimiter: {
    type: 'string',
    pattern: delimiterForm,
    description:
      'What separates the cells of a CSV: `comma`, `semicolon`, `tab` or `pipe`, or the character itself. Without it a first line such as `sep=;` names it, else comma, semicolon and tab are recognised by the header.',
    example: 'semicolon',
  },
  from: {
    type: 'integer',
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 1,
    description: 'The first line to import: `resumeAt` of an import that was not complete.',
  },
};

const example = [
  { line: 1, status: 'created', id: '0197f3c2-6d10-7a53-9c41-2f6b8e0d9a11', key: 'shoe-1', version: 1 },
  { complete: true, lines: 1, created: 1, updated: 0, unchanged: 0, refused: 0 },
];

/** Many drafts in one request, reported line by line. */
export function importRoutes(deps: RouteDeps): readonly Route[] {
  const prepare = createImports(deps);
  return [
    {
      operationId: 'importResources',
      method: 'POST',
      path: `${collectionPath}/import`,
      tag: resourceTag,
      access: ['manage_test'],
      summary: 'Import resources',
      description:
        'Takes drafts, one in each line (NDJSON), or CSV whose header names the fields. They are written in groups while the body arrives, and each line gets a result; a line that is refused does not stop the others. The response begins when the body has arrived, and its last line is a summary. To resume after an interruption, send the same again: what is there already is `unchanged`.',
      query: parameters,
      headers: [externalUserHeader],
      body: {
        kind: 'stream',
        isBulk: true,
        contentTypes: [ndjsonType, 'text/csv'],
        required: true,
        schema: {
          type: 'string',
          description: `Drafts, one in each line; or CSV with a header. In UTF-8, or in the \`charset\` that the Content-Type names: ${charsets.join(', ')}.`,
        },
        example: '{"key":"shoe-1","name":{"en":"Blue shoe"}}\n',
      },
      responses: {
        200: {
          description: 'A line for each result, and the summary as the last one.',
          content: {
            [ndjsonType]: {
              schema: { title: 'ImportResult', oneOf: [importLineSchema, importSummarySchema] },
              example: example[0],
            },
          },
        },
      },
      errors: ['RequestTimeout', 'ResponseNotRead'],
      handler: (request) => importResources(deps, prepare, request),
    },
  ];
}

async function importResources(
  deps: RouteDeps,
  prepare: ReturnType<typeof createImports>,
  request: ApiRequest,
): Promise<HttpResponse> {
  const { query, headers } = request;
  const { projectKey, context } = writeOf(request, deps);
  const { nowIso, newId, ...author } = context;
  const isCsv = /^\s*text\/csv\b/i.test(headers['content-type'] ?? '');
  const delimiter = query.get('delimiter') as string | undefined;
  if (delimiter !== undefined && !isCsv) throw malformedParameter('delimiter', 'only CSV has one; send text/csv');
  const task: ImportTask = {
    projectKey,
    isCsv,
    delimiter: delimiter === undefined ? undefined : delimiterNamed(delimiter),
    isCompressed: isGzip(headers['content-encoding'] ?? ''),
    charset: charsetOf(headers['content-type'] ?? ''),
    maxLineBytes: lineFactor * deps.maxDocumentBytes,
    draining: request.draining,
    from: (query.get('from') as number | undefined) ?? 1,
    mode: (query.get('mode') as DraftKind | undefined) ?? 'merge',
    checksVersions: query.get('versions') === 'check',
    dryRun: query.get('dryRun') === true,
    stopOnError: query.get('stopOnError') === true,
    refusedOnly: query.get('results') === 'refused',
    context: author,
  };
  request.occupy('imports');
  const open = await prepare(task, request.stream!);
  const type = { 'content-type': ndjsonType };
  if (query.get('stream') === true) {
    // The import may end before its body does; the rest of the body stays unread.
    return { status: 200, headers: { ...type, connection: 'close' }, body: '', stream: { sizeBytes: undefined, open } };
  }
  const ended = AbortSignal.any([request.signal(), request.tokenEnded()]);
  const stream = await holdResults(open(), join(deps.config.dataDir, 'tmp'), ended);
  return { status: 200, headers: type, body: '', stream };
}

/** The charset that the request names. Throws 415 for one that is not supported. */
function charsetOf(contentType: string): Charset | undefined {
  const name = charsetParameter(contentType);
  if (name === undefined) return undefined;
  const charset = charsetNamed(name);
  if (charset !== undefined) return charset;
  const expected = `expected one of ${charsets.join(', ')}`;
  throw new ServiceError('UnsupportedMediaType', `charset=${name} is not supported: ${expected}.`);
}
