import { isUtf8 } from 'node:buffer';
import { ServiceError } from '../../contract/errors.ts';
import { checkDraft, type Draft } from '../../contract/resource.ts';
import { parseJsonBytes } from '../json/parse.ts';
import { turnOver } from '../turns.ts';
import { type Charset, wrongBytes } from './charset.ts';
import type { ImportLine } from './import.ts';
import { linesOf } from './lines.ts';

export interface LineOptions {
  /** Longer lines are refused, so that they need no memory. */
  readonly maxLineBytes: number;
  /** The first line to read, from 1; earlier lines are skipped. */
  readonly from: number;
  /** In which the body was sent, for messages; undefined before its first bytes. */
  readonly charset?: () => Charset | undefined;
}

const carriageReturn = 0x0d;

/**
 * Reads drafts in NDJSON: one in each line, in UTF-8. Lines of nothing but spaces are passed over. Yields the lines of a
 * chunk when it has arrived.
 */
export async function* readNdjson(
  chunks: AsyncIterable<Uint8Array>,
  { maxLineBytes, from, charset }: LineOptions,
): AsyncGenerator<readonly ImportLine[]> {
  function read(bytes: Uint8Array): Draft | ServiceError {
    return isUtf8(bytes) ? draftOf(() => parseJsonBytes(bytes)) : wrongBytes(charset?.(), 'The line');
  }

  for await (const portion of linesOf(chunks, maxLineBytes)) {
    const lines: ImportLine[] = [];
    for (const { number: line, bytes } of portion) {
      if (line < from) continue;
      const text = bytes?.at(-1) === carriageReturn ? bytes.subarray(0, -1) : bytes;
      if (!text) lines.push({ line, draft: tooLong(maxLineBytes), size: 0 });
      else if (!isBlank(text)) lines.push({ line, draft: read(text), size: text.length });
      const over = turnOver();
      if (over) await over;
    }
    yield lines;
  }
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
