import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { type Remote, RemoteError, sendTo } from './remote.ts';

/** A line of the response of an import. */
export interface ImportedLine {
  readonly line: number;
  readonly status: 'created' | 'updated' | 'unchanged' | 'refused';
}

/** The last line of it. */
interface Summary {
  readonly complete: boolean;
  readonly resumeAt?: number;
  readonly error?: { readonly message: string; readonly errors: readonly { readonly code: string }[] };
}

export interface UploadOptions {
  readonly remote: Remote;
  readonly project: string;
  /** Undefined: standard input, which can be sent once only. */
  readonly file: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Parameters of the import, without `from`. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly from: number;
  /** Called for each result, with its text. */
  readonly onLine: (line: ImportedLine, text: string) => void;
  /** Looks at the bytes that are sent, in each request from the beginning of the file. */
  readonly watch: (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;
  /** Called before the import goes on after an interruption. */
  readonly onResume: (why: string, line: number) => void;
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

/**
 * Sends a file to an import, and goes on where it was interrupted. Resolves when every line has its result. Throws
 * `RemoteError`.
 */
export async function upload(options: UploadOptions): Promise<void> {
  let next = options.from;
  for (let attempts = 1; ; attempts += 1) {
    const before = next;
    const ended = await attempt(options, next, (line) => {
      next = line + 1;
    });
    if (ended === undefined) return;
    if (next > before) attempts = 0;
    next = ended.resumeAt ?? next;
    // A service that was never there is not waited for.
    const hasBegun = next > options.from || ended.resumeAt !== undefined;
    if (!ended.isPassing || !hasBegun || options.file === undefined || attempts >= maxIdleAttempts) {
      throw new RemoteError(`${ended.why} To go on: --from ${next}`);
    }
    options.onResume(ended.why, next);
    await new Promise((resolve) => setTimeout(resolve, Math.min(longestPauseMs, 250 * 2 ** attempts)));
  }
}

interface Ended {
  readonly why: string;
  readonly isPassing: boolean;
  readonly resumeAt?: number | undefined;
}

/** One request: undefined if it was complete. */
async function attempt(
  options: UploadOptions,
  from: number,
  onLine: (line: number) => void,
): Promise<Ended | undefined> {
  const { remote, project, parameters, file } = options;
  const query = new URLSearchParams({ ...parameters, from: String(from) });
  const address = `${remote.baseUrl}/${project}/resource/import?${query}`;
  const bytes = file === undefined ? process.stdin : createReadStream(file, { highWaterMark: 256 * 1024 });
  let summary: Summary | undefined;
  try {
    const headers = { ...options.headers, authorization: `Bearer ${await remote.token()}` };
    const response = await sendTo(address, { method: 'POST', headers }, options.watch(bytes));
    for await (const text of createInterface({ input: response, crlfDelay: Number.POSITIVE_INFINITY })) {
      const line = JSON.parse(text);
      if ('complete' in line) summary = line;
      else {
        options.onLine(line, text);
        onLine(line.line);
      }
    }
  } catch (error) {
    // A refusal by the service will be the same the next time, unless it has no capacity.
    const message = error instanceof Error ? error.message : String(error);
    return { why: `${message}.`, isPassing: !/^4\d\d: |gave no token for [^:]*(?::[^:]*)?: 4\d\d /.test(message) };
  } finally {
    if (file !== undefined) bytes.destroy();
  }
  if (summary === undefined) return { why: 'The connection was lost.', isPassing: true };
  if (summary.complete) return undefined;
  const code = summary.error?.errors[0]?.code ?? '';
  return { why: summary.error?.message ?? '', isPassing: passing.has(code), resumeAt: summary.resumeAt };
}
