import { type Call, pathOf } from '../api/client.ts';
import { openStream } from '../app/session.ts';
import type { FileSink } from '../browser/file-sink.ts';
import type { ListRequest } from '../model/pages.ts';

export type Format = 'ndjson' | 'csv';

/** Ids of a request: more are too long for an address. */
const idsAtOnce = 100;
export const contentTypes = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const;

/** The predicates of the requests that an export takes, one after the other. */
function predicatesOf(where: string, ids: readonly string[] | undefined): readonly string[] {
  if (ids === undefined) return [where];
  const portions = Array.from({ length: Math.ceil(ids.length / idsAtOnce) }, (_, at) =>
    ids.slice(at * idsAtOnce, (at + 1) * idsAtOnce),
  );
  return portions.map((some) => `id in (${some.map((id) => JSON.stringify(id)).join(', ')})`);
}

/** Everything behind the first line: an export in several requests has one header. */
function withoutHeader(chunk: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return chunk.slice(chunk.indexOf(10) + 1);
}

const summaryForm = /^\[(?:"complete",\d+|"incomplete",\d+,\d+,\[.*\])\]\n$/;

/** Resources that could not be read, and are not in the file. */
export interface LeftOut {
  readonly count: number;
  /** The ids of the first ones. */
  readonly ids: readonly string[];
}

/**
 * What stands before the last line, which says that the download has come to its end, and what it lacks. Throws where there is no
 * such line.
 */
async function* withoutSummary(
  chunks: AsyncIterable<Uint8Array<ArrayBuffer>>,
  onLeftOut: (leftOut: LeftOut) => void,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let last = new Uint8Array(0);
  for await (const chunk of chunks) {
    const bytes = new Uint8Array(last.length + chunk.length);
    bytes.set(last);
    bytes.set(chunk, last.length);
    const end = bytes.lastIndexOf(10, -2) + 1;
    if (end > 0) yield bytes.slice(0, end);
    last = bytes.slice(end);
  }
  const line = new TextDecoder().decode(last);
  if (!summaryForm.test(line)) throw new Error('The connection was lost before the end. Try again.');
  const [kind, , count, ids] = JSON.parse(line) as [string, number, number, string[]];
  if (kind === 'incomplete') onLeftOut({ count, ids });
}

export interface ExportOptions {
  readonly request: ListRequest;
  /** Only these; undefined for all that match. */
  readonly ids: readonly string[] | undefined;
  readonly format: Format;
  /** The columns of CSV, with commas between them; empty for all. */
  readonly fields: string;
}

/** The requests of an export, one after the other. */
export function exportCalls({ request, ids, format, fields }: ExportOptions): readonly Call[] {
  const path = pathOf(request.projectKey, 'resource', 'export');
  const named = fields.trim().replace(/,$/, '');
  return predicatesOf(request.where, ids).map((predicate) => {
    const query = new URLSearchParams({ format });
    if (predicate !== '') query.set('where', predicate);
    if (request.staged) query.set('staged', 'true');
    // Spreadsheets read UTF-8 by its byte order mark.
    if (format === 'csv') query.set('bom', 'true');
    if (format === 'csv' && named !== '') query.set('fields', named);
    return { path, query };
  });
}

/**
 * Writes an export into a file, as the service streams it. `onBytes` gets the size so far. Returns the resources that are
 * not in it.
 */
export async function writeExport(
  options: ExportOptions,
  sink: FileSink,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<LeftOut> {
  const calls = exportCalls(options);
  const isCsv = options.format === 'csv';
  // Each request would have the columns of its own resources.
  if (isCsv && options.fields.trim() === '' && calls.length > 1)
    throw new Error('Name the columns: a selection of this size is read in several requests.');
  let size = 0;
  let leftOut: LeftOut = { count: 0, ids: [] };
  for (const [at, request] of calls.entries()) {
    let isFirst = true;
    request.query?.set('summary', 'true');
    const { body } = await openStream(options.request.projectKey, { ...request, signal });
    const chunks = body as unknown as AsyncIterable<Uint8Array<ArrayBuffer>>;
    for await (const chunk of withoutSummary(chunks, ({ count, ids }) => {
      leftOut = { count: leftOut.count + count, ids: [...leftOut.ids, ...ids] };
    })) {
      const own = at > 0 && isFirst && isCsv ? withoutHeader(chunk) : chunk;
      isFirst = false;
      await sink.write(own);
      size += own.length;
      onBytes(size);
    }
  }
  await sink.close();
  onBytes(size);
  return leftOut;
}
