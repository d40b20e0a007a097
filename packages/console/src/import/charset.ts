/** Encodings of files, by their names for `TextDecoder`. */
export const charsets = ['utf-8', 'windows-1252', 'utf-16le', 'utf-16be'] as const;
export type Charset = (typeof charsets)[number];

/** A line has bytes that the charset does not define. */
export class WrongCharset extends Error {
  override readonly name = 'WrongCharset';
  /** In the file, from 1. */
  readonly line: number;

  constructor(line: number) {
    super(`line ${line} is in another charset`);
    this.line = line;
  }
}

/** The charset that the beginning of a file suggests; the person may choose another. */
export function guessCharset(beginning: Uint8Array): Charset {
  const [first, second] = beginning;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  // No text in another charset has a NUL.
  const nul = beginning.indexOf(0);
  if (nul >= 0) return nul % 2 === 0 ? 'utf-16be' : 'utf-16le';
  try {
    // The last character may be cut.
    new TextDecoder('utf-8', { fatal: true }).decode(beginning, { stream: true });
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

/** The kind of a file that is not text; undefined for text. */
export function otherForm([first, second, third, fourth]: Uint8Array): 'isWorkbook' | 'isGzip' | 'isUtf32' | undefined {
  if ((first === 0x50 && second === 0x4b) || (first === 0xd0 && second === 0xcf)) return 'isWorkbook';
  if (first === 0x1f && second === 0x8b) return 'isGzip';
  const isLittle = first === 0xff && second === 0xfe && third === 0 && fourth === 0;
  return isLittle || (first === 0 && second === 0) ? 'isUtf32' : undefined;
}

const newline = 0x0a;

/** Reads a file piece by piece as text, up to and including the end of a line. Throws `WrongCharset`. */
export async function* piecesOf(
  file: Blob,
  charset: Charset,
): AsyncGenerator<{ readonly text: string; readonly endBytes: number; readonly isEnd: boolean }> {
  const decoder = new TextDecoder(charset, { fatal: true });
  let endBytes = 0;
  let lines = 0;

  function decode(bytes: Uint8Array, isEnd: boolean): string {
    try {
      const text = decoder.decode(bytes, { stream: !isEnd });
      lines += text.split('\n').length - 1;
      return text;
    } catch {
      throw new WrongCharset(lines + 1);
    }
  }

  for await (const chunk of file.stream() as unknown as AsyncIterable<Uint8Array<ArrayBuffer>>) {
    endBytes += chunk.length;
    let text = '';
    // Line by line, so that it is known which one cannot be read.
    for (let start = 0, end = 0; start < chunk.length; start = end) {
      end = chunk.indexOf(newline, start) + 1 || chunk.length;
      text += decode(chunk.subarray(start, end), false);
    }
    yield { text, endBytes, isEnd: false };
  }
  yield { text: decode(new Uint8Array(0), true), endBytes, isEnd: true };
}
