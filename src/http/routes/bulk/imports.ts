import { PassThrough, pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { DraftKind } from '../../../contract/bulk.ts';
import { ServiceError } from '../../../contract/errors.ts';
import { asUtf8, type Charset } from '../../../domain/bulk/charset.ts';
import type { Delimiter } from '../../../domain/bulk/delimiter.ts';
import { runImport } from '../../../domain/bulk/import.ts';
import type { SourceNotes } from '../../../domain/bulk/import-results.ts';
import { createPace } from '../../../domain/bulk/pace.ts';
import { readNdjson } from '../../../domain/bulk/read-lines.ts';
import { isoOf } from '../../../domain/instant.ts';
import type { ResourceStore } from '../../../domain/ports/resource-store.ts';
import type { WriteContext } from '../../../domain/resource/write/decision.ts';
import { readCsv } from './csv-lines.ts';

/** The options of an import request. */
export interface ImportTask {
  readonly projectKey: string;
  readonly isCsv: boolean;
  readonly isCompressed: boolean;
  /** Undefined where the request names none. */
  readonly charset: Charset | undefined;
  /** The delimiter of CSV, or undefined. */
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

/** The imports of a process. */
export interface Imports {
  /**
   * Takes the body of an import. Rejects with what refuses it before the response begins: the beginning of the body, such as
   * its charset or the header of a CSV. The function that it resolves to runs the import and returns its results.
   */
  prepare(task: ImportTask, body: AsyncIterable<Uint8Array>): Promise<() => Readable>;
}

export interface ImportsDeps {
  readonly store: ResourceStore;
  readonly isDraining: () => boolean;
  /** How many requests of callers have begun. */
  readonly requests: () => number;
  readonly nowMs: () => number;
  readonly newId: () => string;
}

/** Results that wait for the client to read them. An import with more of them ends. */
const maxUnreadBytes = 8 * 1024 * 1024;

/** Imports run on the thread of requests, in turns of a millisecond (domain/turns.ts). */
export function createImports({ store, isDraining, requests, nowMs, newId }: ImportsDeps): Imports {
  const pace = createPace(requests);

  return {
    async prepare({ isCsv, isCompressed, charset, delimiter, maxLineBytes, context, ...options }, body) {
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
          pace,
          notes,
          contextOf: () => ({ ...context, newId, nowIso: isoOf(nowMs()), cause: 'import' }),
          stopReason() {
            // Nothing sends this message: the client has gone.
            if (results.destroyed) return new ServiceError('ResponseNotRead', 'The client has disconnected.');
            if (!isDraining()) return undefined;
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
    },
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
