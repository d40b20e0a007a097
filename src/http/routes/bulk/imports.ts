import { PassThrough, pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ServiceError } from '../../../contract/errors.ts';
import { asUtf8, type Charset } from '../../../domain/bulk/charset.ts';
import type { Delimiter } from '../../../domain/bulk/csv/delimiter.ts';
import { type ImportOptions, runImport } from '../../../domain/bulk/import.ts';
import type { SourceNotes } from '../../../domain/bulk/import-results.ts';
import { readNdjson } from '../../../domain/bulk/read-lines.ts';
import { isoOf } from '../../../domain/instant.ts';
import type { WriteContext } from '../../../domain/resource/write/decision.ts';
import type { RouteDeps } from '../all.ts';
import { readCsv } from './csv-lines.ts';

/** The options of an import request. */
export interface ImportTask
  extends Pick<
    ImportOptions,
    'projectKey' | 'from' | 'mode' | 'checksVersions' | 'dryRun' | 'stopOnError' | 'refusedOnly'
  > {
  readonly isCsv: boolean;
  readonly isCompressed: boolean;
  /** Undefined where the request names none. */
  readonly charset: Charset | undefined;
  /** The delimiter of CSV, or undefined. */
  readonly delimiter: Delimiter | undefined;
  readonly maxLineBytes: number;
  readonly draining: AbortSignal;
  readonly context: Omit<WriteContext, 'nowIso' | 'newId' | 'cause'>;
}

type ImportsDeps = Pick<RouteDeps, 'store' | 'pace' | 'nowMs' | 'newId'> & Partial<Pick<RouteDeps, 'gate'>>;

/** Results that wait for the client to read them. An import with more of them ends. */
const maxUnreadBytes = 8 * 1024 * 1024;

/**
 * Makes the function that takes the body of an import, for all imports of a process. It rejects with what refuses the body before
 * the response begins: its charset, or the header of a CSV. The function that it resolves to runs the import, on the thread of
 * requests in turns of a millisecond (domain/turns.ts), and returns its results.
 */
export function createImports({ store, gate, pace, nowMs, newId }: ImportsDeps) {
  return async (task: ImportTask, body: AsyncIterable<Uint8Array>): Promise<() => Readable> => {
    const { isCsv, isCompressed, charset, delimiter, maxLineBytes, context, draining, ...options } = task;
    let seen: Charset | undefined;
    const bytes = asUtf8(isCompressed ? inflated(body) : body, charset, (found) => {
      seen = found;
    });
    const lineOptions = { maxLineBytes, from: options.from, charset: () => seen };
    const notes: SourceNotes = { mixedColumns: [] };
    const source = isCsv ? readCsv(bytes, { ...lineOptions, delimiter, notes }) : readNdjson(bytes, lineOptions);
    const lines = startingWith(await source.next(), source);
    return () => {
      const results = new PassThrough({ writableHighWaterMark: maxUnreadBytes, readableHighWaterMark: 65_536 });
      pace.add();
      runImport(lines, {
        ...options,
        store,
        gate,
        pace,
        notes,
        contextOf: () => ({ ...context, newId, nowIso: isoOf(nowMs()), cause: 'import' }),
        stopReason() {
          // Nothing sends this message: the client has gone.
          if (results.destroyed) return new ServiceError('ResponseNotRead', 'The client has disconnected.');
          if (!draining.aborted) return undefined;
          return new ServiceError('OverCapacity', 'The service is shutting down. Continue from `resumeAt`.');
        },
        write: (texts) => texts.length === 0 || results.write(`${texts.join('\n')}\n`),
      })
        .finally(pace.remove)
        .then(
          () => results.end(),
          (error: unknown) => results.destroy(error as Error),
        );
      return results;
    };
  };
}

/** The iteration, of which the first step was already taken. */
async function* startingWith<T>(first: IteratorResult<T>, rest: AsyncGenerator<T>): AsyncGenerator<T> {
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
