import type { Client, ImportLine } from '#client';
import type { Delimiter } from '../domain/bulk/csv/delimiter.ts';
import { linesOf } from '../domain/bulk/lines.ts';
import { notesInFile } from './import-notes.ts';
import { type FileLine, identifyCsv, identifyJson, isBlank, type Portion } from './portions.ts';
import { RemoteError, sendTo } from './remote.ts';

/** Notes of the service about a file. */
export interface ImportNotes {
  readonly delimiter?: string | undefined;
  readonly mixedColumns?: readonly MixedColumn[] | undefined;
}

/** A column with values of several types, and the first line of each. */
interface MixedColumn {
  readonly column: string;
  readonly firstLines: Readonly<Record<string, number>>;
}

/** The last line of it. */
interface Summary extends ImportNotes {
  readonly complete: boolean;
  readonly lines: number;
  readonly resumeAt?: number;
  readonly error?: { readonly message: string; readonly errors: readonly { readonly code: string }[] };
}

export interface UploadOptions {
  readonly client: Client;
  readonly portions: AsyncIterable<Portion>;
  /** What a CSV is divided by, if that was named; undefined for NDJSON and for what its header says. */
  readonly delimiter: Delimiter | undefined;
  readonly contentType: string;
  /** Parameters of the import. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Called for each result, with its number in the file: with its text, and with what was sent. */
  readonly onLine: (line: ImportLine, text: string, sent: Sent) => void;
  /** Called for each portion, or part of one, that the service has read. */
  readonly onNotes: (notes: ImportNotes) => void;
  /** Called before the import continues after an interruption. */
  readonly onResume: (why: string, line: number) => void;
}

/** The subject of a result. */
export interface Sent {
  readonly portion: Portion;
  readonly bytes: Buffer;
}

/** Reasons that pass by themselves. */
const passing: ReadonlySet<string> = new Set([
  'OverCapacity',
  'RequestTimeout',
  'ResponseNotRead',
  'InsufficientStorage',
]);

/** Interruptions in a row without a line in between. */
const maxIdleAttempts = 8;
const longestPauseMs = 10_000;

/** The address was never reached: this is not waited for. */
const unreachable = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/;

/**
 * Sends portions one after the other, each again where it was interrupted. Resolves when every line has its result. Throws
 * `RemoteError`.
 */
export async function upload(options: UploadOptions): Promise<void> {
  let wasReached = false;
  let first: number | undefined;
  for await (const portion of options.portions) {
    const { header, line } = portion.header ? identifyCsv(portion.header, options.delimiter) : identifyJson;
    // The same at each attempt.
    const sent = { header, lines: portion.lines.map(({ bytes }) => line(bytes)) };
    let done = 0;
    first ??= portion.lines[0]?.number;
    for (let attempts = 1; ; attempts += 1) {
      const before = done;
      const ended = await attempt(options, portion, sent, before, (count) => {
        done = count;
      });
      if (ended === undefined) break;
      if (done > before) attempts = 0;
      done = ended.done ?? done;
      wasReached ||= done > 0 || !unreachable.test(ended.why);
      const next = portion.lines[done]?.number ?? (portion.lines.at(-1)?.number ?? 0) + 1;
      if (!ended.isPassing || !wasReached || attempts >= maxIdleAttempts) {
        // Where the service refused the file itself, the same lines would be refused again.
        const isWrong = /^400: /.test(ended.why);
        const where = next === first || portion.lines.length === 0 ? '.' : `: --from ${next}`;
        const nothing = where === '.' ? 'Nothing was imported. ' : '';
        const what = isWrong ? 'Correct the file, and import it again' : where === '.' ? 'Try again' : 'To continue';
        throw new RemoteError(`${ended.why} ${nothing}${what}${where}`);
      }
      options.onResume(ended.why, next);
      await new Promise((resolve) => setTimeout(resolve, Math.min(longestPauseMs, 250 * 2 ** attempts)));
    }
    wasReached = true;
  }
}

/** The whole lines of a response. */
async function* textsOf(response: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  for await (const lines of linesOf(response, Number.POSITIVE_INFINITY))
    for (const { bytes, isWhole } of lines) if (isWhole) yield Buffer.from(bytes!).toString();
}

interface Ended {
  readonly why: string;
  readonly isPassing: boolean;
  /** Lines of the portion that are done. */
  readonly done?: number | undefined;
}

/** One request with the lines of a portion behind those that are done: undefined if it was complete. */
async function attempt(
  options: UploadOptions,
  portion: Portion,
  sentOf: { readonly header: Buffer | undefined; readonly lines: readonly Buffer[] },
  before: number,
  onDone: (lines: number) => void,
): Promise<Ended | undefined> {
  const { client, parameters, contentType } = options;
  const { header } = sentOf;
  const lines = portion.lines.slice(before);
  /** The place among the lines that a number in the response names. */
  const placeOf = (line: number) => line - (header === undefined ? 1 : 2);
  const path = `/resource/import?${new URLSearchParams(parameters)}`;
  const body = Buffer.concat([...(header ? [header] : []), ...sentOf.lines.slice(before)]);
  let summary: Summary | undefined;
  let answered = 0;
  try {
    const response = await sendTo(client, { method: 'POST', path, headers: { 'content-type': contentType }, body });
    for await (const text of textsOf(response)) {
      const result = JSON.parse(text);
      if ('complete' in result) {
        summary = result;
        continue;
      }
      const place = placeOf(result.line);
      const { number, bytes } = lines[place] as FileLine;
      answered += 1;
      options.onLine({ ...result, line: number }, text.replace(/^\{"line":\d+/, `{"line":${number}`), {
        portion,
        bytes,
      });
      onDone(before + place + 1);
    }
  } catch (error) {
    // A refusal by the service will be the same the next time, unless it has no capacity.
    const message = error instanceof Error ? error.message : String(error);
    const isRefused = /^4(?!29)\d\d: /.test(message);
    return { why: `${message.replace(/\.$/, '')}.`, isPassing: !isRefused };
  }
  if (summary === undefined) return { why: 'The connection was lost.', isPassing: true };
  options.onNotes(notesInFile(summary, (line) => lines[placeOf(line)]?.number ?? line));
  if (!summary.complete) {
    const code = summary.error?.errors[0]?.code ?? '';
    const done = before + placeOf(summary.resumeAt ?? 1);
    return { why: summary.error?.message ?? '', isPassing: passing.has(code), done: Math.max(before, done) };
  }
  const sent = header ? lines.length : lines.filter((line) => !isBlank(line)).length;
  if (answered === sent && summary.lines === sent) return undefined;
  const counts = `${sent} lines were sent, the service has read ${summary.lines} and answered ${answered}`;
  return { why: `The import is not complete: ${counts}. A proxy may have cut the request.`, isPassing: false };
}
