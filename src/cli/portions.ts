import { randomUUID } from 'node:crypto';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { asUtf8, type Charset } from '../domain/bulk/charset.ts';
import { type Delimiter, delimiterChars, divisionOf, isSeparatorLine } from '../domain/bulk/csv/delimiter.ts';
import { RemoteError } from './remote.ts';

/** A file to be imported. */
export interface ImportedFile {
  readonly chunks: AsyncIterable<Buffer>;
  readonly isCsv: boolean;
  readonly isCompressed: boolean;
  readonly charset: Charset | undefined;
  /** The first line that is sent. */
  readonly from: number;
}

/** A line of NDJSON, or a record of CSV, in UTF-8 and with its end; the last one may have none. */
export interface FileLine {
  /** In the file, from 1, as an import counts: of CSV the header is 1, and an empty line does not count. */
  readonly number: number;
  readonly bytes: Buffer;
}

/** Lines that are sent as one request. */
export interface Portion {
  /** CSV only: the header before the lines. */
  readonly header: Buffer | undefined;
  readonly lines: readonly FileLine[];
}

/** Below what nginx accepts as one request, unless it is configured. */
const portionBytes = 1_000_000;
const portionLines = 1000;

/** Longer lines are longer than any document may be. */
const longestLine = 32 * 1024 * 1024;

const [newline, carriageReturn, quote] = [0x0a, 0x0d, 0x22];

/** Reads a file in portions. Throws `RemoteError` for a line that is too long, and what `asUtf8` throws. */
export async function* readPortions({
  chunks,
  isCsv,
  isCompressed,
  charset,
  from,
}: ImportedFile): AsyncGenerator<Portion> {
  let [number, size] = [0, 0];
  let header: Buffer | undefined;
  /** True while the header is only a `sep=` line, which does not count. */
  let isSeparator = false;
  let lines: FileLine[] = [];
  const bytes = isCompressed ? inflated(chunks) : chunks;
  for await (const line of linesOf(asUtf8(bytes, charset), isCsv)) {
    if (isCsv && isEnd(line)) continue;
    if (isSeparator) {
      header = Buffer.concat([header!, line]);
      isSeparator = false;
      continue;
    }
    number += 1;
    if (isCsv && header === undefined) {
      header = line;
      isSeparator = isSeparatorLine(line.toString());
    } else if (number >= from) {
      if (lines.length === portionLines || (lines.length > 0 && size + line.length > portionBytes)) {
        yield { header, lines };
        [lines, size] = [[], header?.length ?? 0];
      }
      lines.push({ number, bytes: line });
      size += line.length;
    }
  }
  // The service says what is wrong with a CSV that has no header.
  if (lines.length > 0 || (isCsv && number <= 1)) yield { header, lines };
}

async function* inflated(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  pipeline(chunks, gunzip, () => {});
  try {
    yield* gunzip as AsyncIterable<Buffer>;
  } catch (error) {
    throw new RemoteError(`The file is not valid gzip: ${(error as Error).message}.`);
  }
}

/**
 * Lines with their ends. A quoted cell of CSV may span lines. All records end as the first one does:
 * by LF, CR LF or CR.
 */
async function* linesOf(chunks: AsyncIterable<Uint8Array>, isCsv: boolean): AsyncGenerator<Buffer> {
  let open = Buffer.alloc(0);
  let at = 0;
  let isQuoted = false;
  let end: 'LF' | 'CRLF' | 'CR' | undefined = isCsv ? undefined : 'LF';

  /** True if a line ends with the byte; undefined if that depends on the next byte. */
  function endsHere(byte: number, next: number | undefined): boolean | undefined {
    if (byte === newline) {
      end ??= open[at - 1] === carriageReturn ? 'CRLF' : 'LF';
      return end === 'LF' || (end === 'CRLF' && open[at - 1] === carriageReturn);
    }
    if (byte !== carriageReturn) return false;
    if (end === undefined && next === undefined) return undefined;
    if (end === undefined && next !== newline) end = 'CR';
    return end === 'CR';
  }

  for await (const chunk of chunks) {
    open = Buffer.concat([open, chunk]);
    let start = 0;
    for (; at < open.length; at += 1) {
      const byte = open[at]!;
      if (isCsv && byte === quote) isQuoted = !isQuoted;
      if (isQuoted) continue;
      const ends = endsHere(byte, open[at + 1]);
      if (ends === undefined) break;
      if (!ends) continue;
      yield open.subarray(start, at + 1);
      start = at + 1;
    }
    open = open.subarray(start);
    at -= start;
    if (open.length > longestLine) throw new RemoteError('A line is longer than 32 MB, or a quote is not closed.');
  }
  if (open.length > 0) yield open;
}

/** True if there is nothing before the end of the line. */
function isEnd(line: Buffer): boolean {
  return line.every((byte) => byte === newline || byte === carriageReturn);
}

/** True if an import passes over the line of NDJSON, without a result. */
export function isBlank({ bytes }: FileLine): boolean {
  return /^[ \t]*\r?\n?$/.test(bytes.toString('latin1'));
}

/**
 * Gives lines that name no resource an id; a header of CSV gets the column. Each makes only one resource then, also where it is sent
 * again because the connection was lost before its result arrived.
 */
export interface Identify {
  readonly header: Buffer | undefined;
  readonly line: (bytes: Buffer) => Buffer;
}

/** A draft in JSON that has members, or none. */
const begin = /^\s*\{(\s*\})?/;

/** For NDJSON. Anything but an object is sent unchanged: the service says what is wrong with it. */
export const identifyJson: Identify = {
  header: undefined,
  line(bytes) {
    const text = bytes.toString();
    if (!isNameless(text)) return bytes;
    return Buffer.from(
      text.replace(begin, (_, end?: string) => `{"id":"${randomUUID()}"${end === undefined ? ',' : '}'}`),
    );
  },
};

function isNameless(text: string): boolean {
  try {
    const draft = JSON.parse(text) as unknown;
    return (
      typeof draft === 'object' && draft !== null && !Array.isArray(draft) && !('id' in draft) && !('key' in draft)
    );
  } catch {
    return false;
  }
}

/** For CSV: where the header has neither a column `id` nor one `key`, each record gets an id. */
export function identifyCsv(header: Buffer, named: Delimiter | undefined): Identify {
  const asItIs = { header, line: (bytes: Buffer) => bytes };
  try {
    const text = header.toString();
    const { delimiter, separatorLine } = divisionOf(text, named);
    const char = delimiterChars[delimiter];
    const [before, own] = [text.slice(0, separatorLine), text.slice(separatorLine)];
    if (own.split(char).some((name) => /^\s*["`]*(?:id|key)["`]*\s*(?::|$)/i.test(name))) return asItIs;
    return {
      header: Buffer.from(`${before}id${char}${own}`),
      line: (bytes) => Buffer.concat([Buffer.from(`${randomUUID()}${char}`), bytes]),
    };
  } catch {
    // The service says what is wrong with it.
    return asItIs;
  }
}
