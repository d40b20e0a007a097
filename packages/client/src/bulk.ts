import type { ImportLine, ImportSummary } from '../dist/api-types.js';
import { errorOf, InvalidRequestError, ServiceError } from './errors.ts';
import { parseJson, stringifyJson } from './json.ts';
import type { Predicate } from './predicate.ts';
import { type QueryValue, queryOf } from './request.ts';
import type { Draft, Resource } from './resources.ts';
import { listQuery } from './search.ts';
import { chunksOf, type LineReader } from './stream.ts';

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

/** Makes the function that imports resources of a project. */
export function createImport({ read, recover }: LineReader) {
  /** Imports some lines, again and again where the connection is lost. Returns false if the import is to end. */
  async function* send(
    lines: readonly string[],
    offset: number,
    query: string,
    { stopOnError, results, signal }: ImportOptions,
  ): AsyncGenerator<ImportLine, boolean> {
    let done = 0;
    for (let failures = 0; done < lines.length; ) {
      const before = done;
      let problem: ServiceError | undefined;
      try {
        const headers = { 'content-type': 'application/x-ndjson' };
        const body = lines.slice(before).join('\n');
        let summary: ImportSummary | undefined;
        let answered = 0;
        for await (const result of read({ method: 'POST', path: `/resource/import?${query}`, headers, body }, signal)) {
          if (!isLine(result)) {
            summary = result as ImportSummary;
            continue;
          }
          answered += 1;
          done = before + result.line;
          failures = 0;
          yield { ...result, line: offset + done };
          if (stopOnError && result.status === 'refused') return false;
        }
        if (summary === undefined) throw new TypeError('The response was cut.');
        done = summary.complete ? lines.length : before + (summary.resumeAt ?? 1) - 1;
        if (!summary.complete) throw errorOf(503, summary.error, undefined);
        // The service passes over lines of spaces.
        const sent = lines.slice(before).filter((line) => line.trim() !== '').length;
        if (summary.lines !== sent || (results !== 'refused' && answered !== sent)) {
          const counts = `${sent} lines were sent, the service has read ${summary.lines} and answered ${answered}`;
          const facts = { status: 200, code: 'IncompleteImport' };
          problem = new ServiceError(`The import is not complete: ${counts}.`, facts);
        }
      } catch (error) {
        failures = done > before ? 1 : failures + 1;
        await recover(error, failures, signal);
      }
      if (problem) throw problem;
    }
    return true;
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
export function createExport({ read, recover }: LineReader) {
  async function* exported<T>(
    { after: first, signal, ...others }: ExportOptions,
    onResponse: (response: Response) => void,
  ): AsyncGenerator<Resource<T>> {
    let after = first;
    for (let failures = 0; ; ) {
      let summary: readonly unknown[] | undefined;
      try {
        const query = queryOf({ ...listQuery(others), after, summary: true });
        for await (const resource of read({ method: 'GET', path: `/resource/export?${query}` }, signal, onResponse)) {
          // The last line, ["complete", n], or ["incomplete", n, d, [id, …]] where damaged resources were left out.
          if (Array.isArray(resource)) {
            summary = resource;
            break;
          }
          yield resource as Resource<T>;
          after = (resource as Resource).id;
          failures = 0;
        }
        if (!summary) throw new TypeError('The download was cut.');
      } catch (error) {
        failures += 1;
        await recover(error, failures, signal);
      }
      if (summary?.[0] === 'complete') return;
      if (summary) {
        const [, , count, ids] = summary as [string, number, number, string[]];
        const message = `${count} damaged resources were left out of the export: ${ids.join(', ')}.`;
        throw new ServiceError(message, { status: 200, code: 'DataCorruption' });
      }
    }
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
