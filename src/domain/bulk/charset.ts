import { ServiceError } from '../../contract/errors.ts';

/** The charsets in which an import may arrive. */
export const charsets = ['utf-8', 'windows-1252', 'utf-16', 'utf-16le', 'utf-16be'] as const;
export type Charset = (typeof charsets)[number];

/** Other names of them, in lower case. As in browsers, ISO 8859-1 is read as its superset windows-1252. */
const aliases: Readonly<Record<Charset, readonly string[]>> = {
  'utf-8': ['utf8', 'us-ascii', 'ascii'],
  'windows-1252': ['iso-8859-1', 'iso8859-1', 'iso_8859-1', 'latin1', 'latin-1', 'l1', 'cp1252', 'x-cp1252', 'ansi'],
  'utf-16': ['utf16', 'ucs-2', 'unicode'],
  'utf-16le': ['utf16le'],
  'utf-16be': ['utf16be'],
};

const byName: ReadonlyMap<string, Charset> = new Map(
  charsets.flatMap((charset) => [charset, ...aliases[charset]].map((name) => [name, charset] as const)),
);

/** The charset of a name, whatever its case; undefined for one that is not supported. */
export function charsetNamed(name: string): Charset | undefined {
  return byName.get(name.trim().toLowerCase());
}

/** The error for a line that has bytes which its charset does not define. */
export function wrongBytes(charset: Charset | undefined, what: string): ServiceError {
  const named = 'Name the charset that the file really has, or save the file as UTF-8';
  const advice =
    charset === undefined || charset === 'utf-8'
      ? 'Name the charset of the file in the Content-Type, such as charset=windows-1252, or save the file as UTF-8'
      : charset === 'windows-1252'
        ? named
        : `The file may have been cut in the middle of a character. If not: ${named.charAt(0).toLowerCase()}${named.slice(1)}`;
  const detailedErrorMessage = `${what} has bytes that are not ${(charset ?? 'utf-8').toUpperCase()}. ${advice}.`;
  return new ServiceError('InvalidJsonInput', detailedErrorMessage, { detailedErrorMessage });
}

/** Byte order marks, and the charset that each stands for. */
const marks: readonly (readonly [Charset, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** Beginnings of bodies that are no text which an import reads, and what to do with them. */
const otherForms: readonly (readonly [bytes: readonly number[], remedy: string])[] = [
  [[0xff, 0xfe, 0, 0], 'is UTF-32, which is not supported: save the file as UTF-8'],
  [[0, 0, 0xfe, 0xff], 'is UTF-32, which is not supported: save the file as UTF-8'],
  [[0x50, 0x4b, 3, 4], 'is a ZIP archive, as workbooks of spreadsheets are (.xlsx, .ods): save the sheet as CSV UTF-8'],
  [[0xd0, 0xcf, 0x11, 0xe0], 'is a workbook of Excel (.xls): save the sheet as CSV UTF-8'],
  [[0x1f, 0x8b], 'is gzip: send it with Content-Encoding: gzip, or decompress it'],
];

/** A byte that UTF-8 never has: it stands where the charset does not define what was sent. */
const undefinedByte = Buffer.from([0xff]);

/** How many bytes of the beginning are searched for NULs. */
const sampleBytes = 256;

/**
 * The body in UTF-8, without its byte order mark. Where no charset is named, the mark of UTF-16 names it. Bytes that the
 * charset does not define become a byte that UTF-8 never has, so that the line they are in can be refused. Throws 400
 * `InvalidInput` where the beginning contradicts the charset, and for UTF-16 that nothing names. `onCharset` is told the
 * charset before the first bytes are yielded.
 */
export async function* asUtf8(
  chunks: AsyncIterable<Uint8Array>,
  named: Charset | undefined,
  onCharset?: (charset: Charset) => void,
): AsyncGenerator<Uint8Array> {
  let beginning = Buffer.alloc(0);
  let decode: ((chunk: Uint8Array, isEnd: boolean) => Uint8Array) | undefined;
  for await (const chunk of chunks) {
    if (decode) yield decode(chunk, false);
    else {
      beginning = Buffer.concat([beginning, chunk]);
      // Enough to see any mark.
      if (beginning.length < 4) continue;
      const begun = begin(beginning, named, onCharset);
      decode = begun.decode;
      yield decode(begun.rest, false);
    }
  }
  if (decode) yield decode(undefinedByte.subarray(0, 0), true);
  else if (beginning.length > 0) {
    const begun = begin(beginning, named, onCharset);
    yield begun.decode(begun.rest, true);
  }
}

function begin(beginning: Buffer, named: Charset | undefined, onCharset?: (charset: Charset) => void) {
  const isAtBegin = (bytes: readonly number[]) => bytes.every((byte, at) => beginning[at] === byte);
  const other = otherForms.find(([bytes]) => isAtBegin(bytes));
  if (other) throw new ServiceError('InvalidInput', `The body ${other[1]}.`);
  const mark = marks.find(([, bytes]) => isAtBegin(bytes));
  const charset = charsetBy(beginning, named, mark?.[0]);
  onCharset?.(charset);
  return { rest: beginning.subarray(mark?.[1].length ?? 0), decode: decoderOf(charset) };
}

/** The charset that a body has by its name and its beginning. */
function charsetBy(beginning: Buffer, named: Charset | undefined, marked: Charset | undefined): Charset {
  if (marked !== undefined) {
    const isNamed = named === undefined || named === marked || (named === 'utf-16' && marked !== 'utf-8');
    if (isNamed) return marked;
    throw contradiction(
      `The body begins with the byte order mark of ${marked.toUpperCase()}, but the Content-Type`,
      named,
    );
  }
  if (named === 'utf-16') {
    throw contradiction('The body has no byte order mark; send charset=utf-16le or charset=utf-16be. It', named);
  }
  if (named === 'utf-16le' || named === 'utf-16be') return named;
  const sample = beginning.subarray(0, sampleBytes);
  // In UTF-16, line ends and the commas between ideographs have a NUL, too. A NUL in UTF-8 is reported with its line.
  const first = sample.indexOf(0);
  const isText = named !== 'windows-1252' && beginsUtf8(sample) && countNuls(sample) < sample.length / 8;
  if (first === -1 || isText) return named ?? 'utf-8';
  const advice = 'save the file as UTF-8';
  if (sample.length > first + 2 && sample[first + 1] === 0 && sample[first + 2] === 0) {
    throw new ServiceError('InvalidInput', `The body looks like UTF-32, which is not supported: ${advice}.`);
  }
  const seen = first % 2 === 1 ? 'utf-16le' : 'utf-16be';
  const problem = 'The body looks like UTF-16 without a byte order mark';
  throw new ServiceError('InvalidInput', `${problem}: name its charset, charset=${seen}, or ${advice}.`);
}

/** True for the beginning of a text in UTF-8, cut anywhere. */
function beginsUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function countNuls(bytes: Uint8Array): number {
  return bytes.reduce((count, byte) => (byte === 0 ? count + 1 : count), 0);
}

function contradiction(problem: string, named: Charset): ServiceError {
  return new ServiceError('InvalidInput', `${problem} says charset=${named}.`);
}

/** Decodes chunk by chunk: a character may be cut between two of them. */
function decoderOf(charset: Charset): (chunk: Uint8Array, isEnd: boolean) => Uint8Array {
  if (charset === 'utf-8') return (chunk) => chunk;
  if (charset === 'windows-1252') return (chunk) => encode(fromWindows1252(chunk), undefinedInWindows);
  let open = Buffer.alloc(0);
  return (chunk, isEnd) => {
    const bytes = Buffer.concat([open, chunk]);
    let whole = bytes.length - (bytes.length % 2);
    if (charset === 'utf-16be') bytes.subarray(0, whole).swap16();
    // The first half of a pair waits for the second one.
    if (!isEnd && whole > 0 && (bytes[whole - 1]! & 0xfc) === 0xd8) whole -= 2;
    open = Buffer.from(bytes.subarray(whole));
    if (charset === 'utf-16be' && open.length > 1) open.subarray(0, 2).swap16();
    const text = encode(bytes.toString('utf16le', 0, whole), halfPair);
    return isEnd && open.length > 0 ? Buffer.concat([text, undefinedByte]) : text;
  };
}

/** Surrogates without their other half. */
const halfPair = /\p{Surrogate}/u;

/** Characters of windows-1252 from 0x80 to 0x9f; control characters fill the gaps. */
const windowsCharacters = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';
const undefinedInWindows = /[\x81\x8d\x8f\x90\x9d]/;

function fromWindows1252(chunk: Uint8Array): string {
  const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1');
  return text.replaceAll(/[\x80-\x9f]/g, (char) => windowsCharacters[char.charCodeAt(0) - 0x80]!);
}

function encode(text: string, notDefined: RegExp): Uint8Array {
  const parts = text.split(notDefined);
  if (parts.length === 1) return Buffer.from(text);
  return Buffer.concat(
    parts.flatMap((part, at) => (at === 0 ? [Buffer.from(part)] : [undefinedByte, Buffer.from(part)])),
  );
}
