import { malformedParameter, ServiceError } from '../../../contract/errors.ts';
import { objectTestTypeSchema } from '../../../contract/resource.ts';
import { type Column, readHeader } from '../../../domain/bulk/csv/csv-columns.ts';
import { delimiterForm, delimiterNamed } from '../../../domain/bulk/csv/delimiter.ts';
import { exportLines, findColumns } from '../../../domain/bulk/export.ts';
import { encodePosition } from '../../../domain/history/cursor.ts';
import { parseWhere } from '../../../domain/paging.ts';
import type { DamagedResource } from '../../../domain/resource/damaged.ts';
import type { ApiRequest, HttpResponse, ParameterTable, Route } from '../../route.ts';
import { actorNamesFor } from '../actors.ts';
import type { RouteDeps } from '../all.ts';
import { acceptWeight } from '../headers.ts';
import { predicates } from '../resources/list-parameters.ts';
import { collectionPath, resourceTag } from '../resources/resource.ts';
import { ndjsonType } from './import.ts';

const csvType = 'text/csv';

/** Damaged resources that a summary names; more are counted. */
const maxNamed = 1000;

/** The number of resources, after the body: a client that finds it has all of them. */
const countTrailer = 'x-export-count';

/** Where the log of changes was when the export began. */
const eventsHeader = 'x-events-after';

const parameters: ParameterTable = {
  ...predicates,
  format: {
    type: 'string',
    words: ['ndjson', 'csv'],
    description: 'Overrides the Accept header. NDJSON is the default.',
    example: 'ndjson',
  },
  fields: {
    type: 'string',
    description:
      'The columns of CSV, separated by commas: dotted paths, as in the header of an import. Without it, or with `*`, all fields that occur; the resources are then read twice.',
    example: 'id,key,name.en',
  },
  delimiter: {
    type: 'string',
    pattern: delimiterForm,
    description: 'What separates the cells of CSV: `comma` (default), `semicolon`, `tab` or `pipe`, or the character.',
    example: 'semicolon',
  },
  bom: {
    type: 'boolean',
    default: false,
    description: 'With `true`, CSV begins with a byte order mark: without one, Excel does not read it as UTF-8.',
  },
  summary: {
    type: 'boolean',
    default: false,
    description:
      'With `true`, the last line is `["complete",n]`, where n is the number of resources. If damaged resources were left out, it is `["incomplete",n,d,[id, …]]`, with their number and the ids of up to 1,000 of them. A download without either line was cut.',
  },
  after: {
    type: 'string',
    description: 'Only resources with a greater id, to continue after an interruption.',
    example: '0197f3c2-6d10-7a53-9c41-2f6b8e0d9a11',
  },
};

/** All resources of a project, or those that match, as one download. */
export function exportRoutes(deps: RouteDeps): readonly Route[] {
  return [
    {
      operationId: 'exportResources',
      method: 'GET',
      path: `${collectionPath}/export`,
      tag: resourceTag,
      access: ['manage_test', 'view_test'],
      summary: 'Export resources',
      description:
        'Streams the resources by id, each as it is when it is read: in NDJSON one in each line, or in CSV with the columns of `fields`. An import takes both. After the last resource the trailer `X-Export-Count` has their number; a download that ends without it was cut. Proxies may drop trailers, and some cannot tell that a download was cut: with `summary=true` the last line tells it. `X-Events-After` is `after` for the events from there on: what changed while the export ran comes again, and nothing is missed.',
      query: parameters,
      responses: {
        200: {
          description: 'The resources.',
          headers: ['X-Export-Count', 'X-Events-After'],
          content: {
            [ndjsonType]: { schema: objectTestTypeSchema },
            [csvType]: { schema: { type: 'string' }, example: 'id,key,name.en\r\n0197f3c2,shoe-1,Blue shoe\r\n' },
          },
        },
      },
      errors: ['NotAcceptable'],
      handler: (request) => exportResources(deps, request),
    },
  ];
}

async function exportResources(deps: RouteDeps, request: ApiRequest): Promise<HttpResponse> {
  const { store, feeds, isLogKept } = deps;
  const { projectKey, query, draining } = request;
  const where = parseWhere(query);
  const walked = {
    store,
    projectKey,
    where,
    staged: query.get('staged') === true,
    names: actorNamesFor(deps, request),
    afterId: query.get('after') as string | undefined,
  };
  refuseOutsideCsv(request);
  if (request.method !== 'HEAD') request.occupy('exports');
  const csv = isCsv(request) ? await csvOf(request, walked) : undefined;
  // Before the first resource is read.
  const begun = isLogKept ? await feeds.begin(projectKey, 'latest') : undefined;
  let [count, damagedCount] = [0, 0];
  const damaged: DamagedResource[] = [];
  const lines = exportLines({
    ...walked,
    csv,
    onResource() {
      count += 1;
    },
    onDamaged(resource) {
      damagedCount += 1;
      if (damaged.length < maxNamed) damaged.push(resource);
    },
  });
  const type = csv ? `${csvType}; charset=utf-8; header=present` : ndjsonType;
  const isSummarised = query.get('summary') === true;
  async function* text(): AsyncGenerator<string> {
    for await (const piece of lines) {
      // A node that stops does not wait for long downloads: it cuts them, which the client notices.
      draining.throwIfAborted();
      yield piece;
    }
    const [first] = damaged;
    // The download is cut, so that the client does not take it for complete.
    if (first && !isSummarised) throw first;
    const ids = damaged.map(({ remains }) => remains.id);
    const summary = first ? ['incomplete', count, damagedCount, ids] : ['complete', count];
    // No import takes it for a resource, and CSV for a record.
    if (isSummarised) yield `${JSON.stringify(summary)}\n`;
  }
  const stream = {
    sizeBytes: undefined,
    open: text,
    trailers: { names: [countTrailer], values: () => (damagedCount > 0 ? {} : { [countTrailer]: String(count) }) },
  };
  const headers = { 'content-type': type, ...(begun && { [eventsHeader]: encodePosition(begun) }) };
  return { status: 200, headers, body: '', stream };
}

function isCsv({ query, headers }: ApiRequest): boolean {
  const format = query.get('format');
  if (format !== undefined) return format === 'csv';
  const [ndjson, csv] = [acceptWeight(headers.accept, ndjsonType), acceptWeight(headers.accept, csvType)];
  if (ndjson === 0 && csv === 0) {
    throw new ServiceError('NotAcceptable', `Accept: expected ${ndjsonType} or ${csvType}.`);
  }
  return csv > ndjson;
}

/** Throws 400 for what only CSV has. */
function refuseOutsideCsv(request: ApiRequest): void {
  if (isCsv(request)) return;
  for (const name of ['fields', 'delimiter', 'bom']) {
    if (request.query.has(name)) throw malformedParameter(name, 'only CSV has it, see format');
  }
}

/** The form of the CSV. Without `fields` it has all fields that occur, for which the resources are read once more. */
async function csvOf(request: ApiRequest, walked: Parameters<typeof findColumns>[0]) {
  const { query, method, draining } = request;
  const fields = query.get('fields') as string | undefined;
  const form = {
    delimiter: delimiterNamed((query.get('delimiter') as string | undefined) ?? 'comma')!,
    withMark: query.get('bom') === true,
  };
  if (fields !== undefined && fields !== '*') return { ...form, columns: columnsOf(fields), covers: () => true };
  if (method === 'HEAD') return { ...form, columns: [], covers: () => true };
  const signal = request.signal();
  const found = await findColumns(walked, () => {
    signal.throwIfAborted();
    draining.throwIfAborted();
  });
  return { ...form, columns: found.columns(), covers: found.covers };
}

function columnsOf(fields: string): readonly Column[] {
  // Commas inside backticks are part of a name.
  return readHeader([...fields.matchAll(/(?:^|,)((?:`[^`]*`|[^,`])*)/g)].map(([, name]) => name!));
}
