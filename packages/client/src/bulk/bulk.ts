import type { ByPredicateLine, ByPredicateSummary, ImportLine, ImportSummary } from '../../dist/api-types.js';
import { errorOf, InvalidRequestError, ServiceError } from '../errors.ts';
import { parseJson, stringifyJson } from '../json.ts';
import type { Predicate } from '../predicate.ts';
import { type QueryValue, queryOf } from '../request.ts';
import type { Draft, Resource } from '../resources.ts';
import { listQuery } from '../search.ts';
import { chunksOf, type LineReader, type StreamCall } from '../stream.ts';
import type { ByPredicate, ByPredicateOptions, ByPredicateResults } from './by-predicate.ts';

export interface ImportOptions {
  /** How a draft changes an existing resource. Default: `merge`; `create` refuses it. */
  readonly mode?: 'create' | 'merge' | 'replace' | 'overwrite';
  /** `check`: a `version` in a draft must be the current one. Default: `ignore`. */
  readonly versions?: 'check' | 'ignore';
  /** Every draft is checked, nothing is written. */
  readonly dryRun?: boolean;
  /** Ends at the first draft that is refused: nothing after it is written. */
  readonly stopOnError?: boolean;
  /** `refused`: only these have results. Default: all. */
  readonly results?: 'all' | 'refused';
  readonly signal?: AbortSignal;
}

/** Drafts, or lines of JSON: as texts, as bytes, or as a file that a user chose. */
export type ImportSource<T> =
  | Iterable<Draft<T> | string>
  | AsyncIterable<Draft<T> | string>
  | ReadableStream<Uint8Array>
  | Blob;

export interface ExportOptions {
  /** If there are several, all must hold. */
  readonly where?: Predicate | string | readonly (Predicate | string)[];
  /** Values of the input variables of predicates that are texts: `:name`. */
  readonly variables?: Readonly<Record<string, QueryValue>>;
  readonly staged?: boolean;
  /** Begins behind this id. */
  readonly after?: string;
  readonly signal?: AbortSignal;
}

/** The resources by id. It can be iterated once. */
export interface Export<T> extends AsyncIterable<Resource<T>> {
  /** From the first resource on: what is `after` for the events that follow. Undefined where no log of changes is kept. */
  readonly eventsAfter: string | undefined;
}

/** Limits of one request: small enough to resend, and below the default body limit of nginx. */
const portionLines = 500;
const portionBytes = 1_000_000;
const encoder = new TextEncoder();
/** In UTF-8, with the end of the line. */
const bytesOf = (line: string) => encoder.encode(line).length + 1;

/** Attempts something again and again where the connection is lost; `progress` tells that an attempt got on. */
async function* persistently<I, R>(
  { recover }: LineReader,
  signal: AbortSignal | undefined,
  attempt: (progress: () => void) => AsyncGenerator<I, R>,
): AsyncGenerator<I, R> {
  for (let failures = 0; ; ) {
    try {
      return yield* attempt(() => {
        failures = 0;
      });
    } catch (error) {
      failures += 1;
      await recover(error, failures, signal);
    }
  }
}

/** Makes the function that imports resources of a project. */
export function createImport(reader: LineReader) {
  /** Imports some lines. Returns false if the import is to end. */
  function send(
    lines: readonly string[],
    offset: number,
    query: string,
    { stopOnError, results, signal }: ImportOptions,
  ): AsyncGenerator<ImportLine, boolean> {
    let done = 0;
    return persistently(reader, signal, async function* (progress) {
      const before = done;
      if (before >= lines.length) return true;
      const headers = { 'content-type': 'application/x-ndjson' };
      const body = lines.slice(before).join('\n');
      let summary: ImportSummary | undefined;
      let answered = 0;
      const call = { method: 'POST', path: `/resource/import?${query}`, headers, body } as const;
      for await (const result of reader.read(call, signal)) {
        if (!isLine(result)) {
          summary = result as ImportSummary;
          continue;
        }
        answered += 1;
        done = before + result.line;
        progress();
        yield { ...result, line: offset + done };
        if (stopOnError && result.status === 'refused') return false;
      }
      if (summary === undefined) throw new TypeError('The response was cut.');
      done = summary.complete ? lines.length : before + (summary.resumeAt ?? 1) - 1;
      if (done > before) progress();
      if (!summary.complete) throw errorOf(503, summary.error, undefined);
      // The service passes over lines of spaces.
      const sent = lines.slice(before).filter((line) => line.trim() !== '').length;
      if (summary.lines === sent && (results === 'refused' || answered === sent)) return true;
      const counts = `${sent} lines were sent, the service has read ${summary.lines} and answered ${answered}`;
      throw new ServiceError(`The import is not complete: ${counts}.`, { status: 200, code: 'IncompleteImport' });
    });
  }

  async function* importResources<T>(source: ImportSource<T>, options: ImportOptions = {}): AsyncGenerator<ImportLine> {
    const { signal, ...parameters } = options;
    const query = queryOf({ ...parameters });
    let [offset, size] = [0, 0];
    let lines: string[] = [];
    for await (const item of itemsOf(source)) {
      const line = lineOf(item);
      const length = bytesOf(line);
      if (lines.length === portionLines || (lines.length > 0 && size + length > portionBytes)) {
        if (!(yield* send(lines, offset, query, options))) return;
        offset += lines.length;
        [lines, size] = [[], 0];
      }
      lines.push(line);
      size += length;
    }
    yield* send(lines, offset, query, options);
  }

  return importResources;
}

/** Makes the function that exports the resources of a project. */
export function createExport(reader: LineReader) {
  async function* exported<T>(
    { after: first, signal, ...others }: ExportOptions,
    onResponse: (response: Response) => void,
  ): AsyncGenerator<Resource<T>> {
    let after = first;
    yield* persistently(reader, signal, async function* (progress) {
      const path = `/resource/export?${queryOf({ ...listQuery(others), after, summary: true })}`;
      for await (const resource of reader.read({ method: 'GET', path }, signal, onResponse)) {
        if (!Array.isArray(resource)) {
          yield resource as Resource<T>;
          after = (resource as Resource).id;
          progress();
          continue;
        }
        // The last line, ["complete", n], or ["incomplete", n, d, [id, …]] where damaged resources were left out.
        const [state, , count, ids] = resource as [string, number, number, string[]];
        if (state === 'complete') return;
        const message = `${count} damaged resources were left out of the export: ${ids.join(', ')}.`;
        throw new ServiceError(message, { status: 200, code: 'DataCorruption' });
      }
      throw new TypeError('The download was cut.');
    });
  }

  function exportResources<T>(options: ExportOptions = {}): Export<T> {
    let eventsAfter: string | undefined;
    // A resumed export keeps the position of its first response.
    const onResponse = ({ headers }: Response) => {
      eventsAfter ??= headers.get('x-events-after') ?? undefined;
    };
    const resources = exported<T>(options, onResponse);
    return {
      get eventsAfter() {
        return eventsAfter;
      },
      [Symbol.asyncIterator]: () => resources,
    };
  }

  return exportResources;
}

/** Makes the functions that change all resources of a project that match. */
export function createByPredicate<A>(reader: LineReader): ByPredicate<A> {
  async function* change(
    body: object,
    { expect, user, signal, ...parameters }: ByPredicateOptions = {},
  ): ByPredicateResults {
    // A repeat reports what was done, and continues behind that.
    const headers: Record<string, string> = { 'idempotency-key': crypto.randomUUID() };
    if (user !== undefined) headers['x-external-user-id'] = user;
    const call: StreamCall = {
      method: 'POST',
      path: `/resource/by-predicate?${queryOf({ ...parameters })}`,
      headers: { 'content-type': 'application/json', ...headers },
      body: stringifyJson({ ...body, expect }),
    };
    let done = 0;
    return yield* persistently(reader, signal, async function* (progress) {
      let answered = 0;
      for await (const result of reader.read(call, signal)) {
        const { complete, error } = result as ByPredicateSummary;
        if (complete === undefined) {
          answered += 1;
          if (answered <= done) continue;
          done = answered;
          progress();
          yield result as ByPredicateLine;
        } else if (error) throw errorOf(503, error, undefined);
        else return result as ByPredicateSummary;
      }
      throw new TypeError('The response was cut.');
    });
  }

  return {
    updateWhere: (where, actions, options) => change({ where: String(where), actions }, options),
    deleteWhere: (where, options) => change({ where: String(where), delete: true }, options),
  };
}

function isLine(result: unknown): result is ImportLine {
  return 'line' in (result as object);
}

/**
 * A draft as a line. One that names no resource gets an id, so that the line makes only one resource if it has to be sent
 * again. Any other text is sent as it is: the service refuses what is no draft.
 */
function lineOf(item: unknown): string {
  let draft = item;
  if (typeof item === 'string') {
    try {
      draft = parseJson(item);
    } catch {
      // The service says what is wrong with it.
    }
  }
  if (isDraft(draft) && (draft.id ?? draft.key) == null) return stringifyJson({ ...draft, id: crypto.randomUUID() });
  return typeof item === 'string' ? item.replace(/[\r\n]/g, ' ') : stringifyJson(item);
}

function isDraft(item: unknown): item is { readonly id?: unknown; readonly key?: unknown } {
  return typeof item === 'object' && item !== null && !Array.isArray(item);
}

async function* itemsOf(source: ImportSource<unknown>): AsyncGenerator<unknown> {
  if (source instanceof Blob) yield* givenLines(source.stream());
  else if (source instanceof ReadableStream) yield* givenLines(source);
  else yield* source;
}

const newline = 0x0a;

/**
 * The lines of bytes that a caller gives, without those that are empty. Throws `InvalidRequestError` at the first line that
 * is not UTF-8: decoded in spite of that, two keys could become one.
 */
async function* givenLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let open: Uint8Array[] = [];
  let number = 0;
  let decoded = '';

  function lineOf(end: Uint8Array): string {
    number += 1;
    try {
      for (const part of open) decoded += decoder.decode(part, { stream: true });
      return decoded + decoder.decode(end);
    } catch (cause) {
      const advice = "Decode it first, such as with new TextDecoderStream('windows-1252'), or save it as UTF-8.";
      const facts = { status: 0, code: 'InvalidInput' };
      throw new InvalidRequestError(`Line ${number} has bytes that are not UTF-8. ${advice}`, facts, { cause });
    } finally {
      [open, decoded] = [[], ''];
    }
  }

  for await (const value of chunksOf(stream)) {
    let start = 0;
    for (let at = value.indexOf(newline); at >= 0; at = value.indexOf(newline, start)) {
      const line = lineOf(value.subarray(start, at));
      if (line !== '') yield line;
      start = at + 1;
    }
    if (start < value.length) open.push(value.subarray(start));
  }
  const last = open.length > 0 ? lineOf(new Uint8Array(0)) : '';
  if (last !== '') yield last;
}
