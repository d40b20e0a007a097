import { PassThrough, pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { DraftKind } from '../../../contract/bulk.ts';
import { ServiceError } from '../../../contract/errors.ts';
import { asUtf8, type Charset } from '../../../domain/bulk/charset.ts';
import type { Delimiter } from '../../../domain/bulk/delimiter.ts';
import { type ImportOptions, runImport } from '../../../domain/bulk/import.ts';
import type { SourceNotes } from '../../../domain/bulk/import-results.ts';
import { readNdjson } from '../../../domain/bulk/read-lines.ts';
import { isoOf } from '../../../domain/instant.ts';
import type { WriteContext } from '../../../domain/resource/write/decision.ts';
import { readCsv } from './csv-lines.ts';

/** What a request asks of an import, as plain data: it runs on the thread of requests or in one of its own. */
export interface ImportTask {
  readonly projectKey: string;
  readonly isCsv: boolean;
  readonly isCompressed: boolean;
  /** Undefined where the request names none. */
  readonly charset: Charset | undefined;
  /** Of CSV; undefined where the request names none. */
  readonly delimiter: Delimiter | undefined;
  readonly maxLineBytes: number;
  readonly from: number;
  readonly mode: DraftKind;
  readonly checksVersions: boolean;
  readonly dryRun: boolean;
  readonly stopOnError: boolean;
  readonly refusedOnly: boolean;
  readonly context: Omit<WriteContext, 'nowIso' | 'newId' | 'cause'>;
}

/** What an import has from where it runs. */
export interface ImportWorld extends Pick<ImportOptions, 'store' | 'stopReason' | 'write' | 'pace'> {
  readonly nowMs: () => number;
  readonly newId: () => string;
}

/**
 * Prepares an import. Rejects with what refuses it before the response begins: the beginning of the body, such as its
 * charset or the header of a CSV. The function that it resolves to runs the import; it rejects if the body does.
 */
export async function prepareImport(
  task: ImportTask,
  body: AsyncIterable<Uint8Array>,
  { nowMs, newId, ...world }: ImportWorld,
): Promise<() => Promise<void>> {
  const { isCsv, isCompressed, charset, delimiter, maxLineBytes, context, ...asked } = task;
  let seen: Charset | undefined;
  const bytes = asUtf8(isCompressed ? inflated(body) : body, charset, (found) => {
    seen = found;
  });
  const lineOptions = { maxLineBytes, from: task.from, charset: () => seen };
  const notes: SourceNotes = { mixedColumns: [] };
  const source = isCsv ? readCsv(bytes, { ...lineOptions, delimiter, notes }) : readNdjson(bytes, lineOptions);
  const lines = begun(await source.next(), source);
  const contextOf = () => ({ ...context, newId, nowIso: isoOf(nowMs()), cause: 'import' as const });
  return () => runImport(lines, { ...asked, ...world, contextOf, notes });
}

/** The iteration with its first step already made. */
async function* begun<T>(first: IteratorResult<T>, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}

async function* inflated(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  let failure: unknown;
  pipeline(chunks, gunzip, (error) => {
    failure = error;
  });
  try {
    yield* gunzip as AsyncIterable<Uint8Array>;
  } catch (error) {
    if (!String((error as NodeJS.ErrnoException).code).startsWith('Z_')) throw failure ?? error;
    throw new ServiceError('InvalidInput', 'Content-Encoding: the body is not valid gzip.');
  }
}

/** Results that wait for the client to read them. */
const maxUnreadBytes = 8 * 1024 * 1024;

/** The results of an import on their way to the client. `write` returns false where too many wait for it to read them. */
export function createResults(): PassThrough {
  return new PassThrough({ writableHighWaterMark: maxUnreadBytes, readableHighWaterMark: 65_536 });
}
