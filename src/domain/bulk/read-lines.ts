import { isUtf8 } from 'node:buffer';
import { ServiceError } from '../../contract/errors.ts';
import { checkDraft, type Draft } from '../../contract/resource.ts';
import { parseJsonBytes } from '../json/parse.ts';
import { turnOver } from '../turns.ts';
import { type Charset, wrongBytes } from './charset.ts';
import type { ImportLine } from './import.ts';

export interface LineOptions {
  /** Longer lines are refused, so that they need no memory. */
  readonly maxLineBytes: number;
  /** The first line to read, from 1; earlier lines are skipped. */
  readonly from: number;
  /** In which the body was sent, for messages; undefined before its first bytes. */
  readonly charset?: () => Charset | undefined;
}

const newline = 0x0a;
const carriageReturn = 0x0d;

/**
 * Reads drafts in NDJSON: one in each line, in UTF-8. Lines of nothing but spaces are passed over. Yields the lines of a
 * chunk when it has arrived.
 */
export async function* readNdjson(
  chunks: AsyncIterable<Uint8Array>,
  { maxLineBytes, from, charset }: LineOptions,
): AsyncGenerator<readonly ImportLine[]> {
  let open: Uint8Array[] = [];
  let length = 0;
  let number = 1;

  function end(rest: Uint8Array): ImportLine | undefined {
    length += rest.length;
    const line = number;
    number += 1;
    const size = length;
    const bytes = open.length === 0 ? rest : Buffer.concat([...open, rest]);
    open = [];
    length = 0;
    if (line < from) return undefined;
    if (size > maxLineBytes) return { line, draft: tooLong(maxLineBytes), size: 0 };
    const end = bytes.at(-1) === carriageReturn ? bytes.subarray(0, -1) : bytes;
    return isBlank(end) ? undefined : { line, draft: read(end), size };
  }

  function read(bytes: Uint8Array): Draft | ServiceError {
    return isUtf8(bytes) ? draftOf(() => parseJsonBytes(bytes)) : wrongBytes(charset?.(), 'The line');
  }

  for await (const chunk of chunks) {
    const lines: ImportLine[] = [];
    let start = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, start)) {
      const line = end(chunk.subarray(start, at));
      if (line) lines.push(line);
      start = at + 1;
      const over = turnOver();
      if (over) await over;
    }
    length += chunk.length - start;
    // Lines that are skipped or too long need no memory.
    if (length > maxLineBytes || number < from) open = [];
    else if (start < chunk.length) open.push(chunk.subarray(start));
    yield lines;
  }
  const last = length > 0 ? end(new Uint8Array(0)) : undefined;
  if (last) yield [last];
}

/** The draft that is read, or the error of its line. */
export function draftOf(read: () => Parameters<typeof checkDraft>[0]): Draft | ServiceError {
  try {
    return checkDraft(read());
  } catch (error) {
    if (error instanceof ServiceError) return aboutLine(error);
    throw error;
  }
}

/** Words an error for a line, as `checkDraft` speaks of a body. */
function aboutLine(error: ServiceError): ServiceError {
  const { code, message, details } = error;
  const { detailedErrorMessage: detail } = details;
  if (code !== 'InvalidJsonInput' || typeof detail !== 'string') return error;
  const own = detail.replace(/^body: /, '').replace(/(^|\()line 1, (?=column \d+\)?:)/, '$1');
  const problem = message.startsWith('Malformed') ? 'The line is not a valid draft' : 'The line is not valid JSON';
  // Many files are one array of all drafts.
  const form = own === 'expected an object' ? ', one in each line' : '';
  return new ServiceError(code, `${problem}: ${own.replace(/\.$/, '')}${form}.`, {
    ...details,
    detailedErrorMessage: own,
  });
}

function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09);
}

function tooLong(maxLineBytes: number): ServiceError {
  return new ServiceError('ResourceSizeLimitExceeded', `The line is longer than ${maxLineBytes} bytes.`);
}
