import { createGunzip } from 'node:zlib';

/** How far an import is: by the lines that have their result, and not by the bytes that are on their way. */
export interface ImportShare {
  /** Looks at the file while it is sent, each time from its beginning. */
  watch(bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** 0–1: what is done when this line is, of all from the first line that is looked at. Lines come in ascending order. */
  through(line: number): number;
}

interface ImportedFile {
  /** In bytes, as it is sent. */
  readonly size: number;
  readonly isCsv: boolean;
  readonly isCompressed: boolean;
  /** The first line that is looked at. */
  readonly from: number;
}

/** Lines that end within the first bytes of the file. */
interface Mark {
  readonly lines: number;
  readonly bytes: number;
}

const beginning: Mark = { lines: 0, bytes: 0 };

/** Tells how far the import of a file is. Between the places where chunks end, lines count as equally long. */
export function createImportShare({ size, isCsv, isCompressed, from }: ImportedFile): ImportShare {
  /** Of what was sent: the first is before all lines that are asked for. */
  let marks: Mark[] = [beginning];
  let skipped: number | undefined;

  function bytesThrough(line: number): number {
    const at = marks.findIndex(({ lines }) => lines >= line);
    // The last line need not end.
    if (at < 0) return marks.at(-1)!.bytes;
    if (at === 0) return marks[0]!.bytes;
    marks = marks.slice(at - 1);
    const [before, behind] = marks as [Mark, Mark];
    return before.bytes + ((behind.bytes - before.bytes) * (line - before.lines)) / (behind.lines - before.lines);
  }

  return {
    async *watch(bytes) {
      marks = [beginning];
      const lines = isCompressed ? compressedLines(isCsv) : lineCounter(isCsv);
      let sent = 0;
      for await (const chunk of bytes) {
        sent += chunk.length;
        marks.push({ lines: await lines(chunk), bytes: sent });
        yield chunk;
      }
    },
    through(line) {
      skipped ??= bytesThrough(from - 1);
      return skipped < size ? (bytesThrough(line) - skipped) / (size - skipped) : 1;
    },
  };
}

/** Takes what follows, and says how many lines have ended until there. */
type LineCounter = (chunk: Uint8Array) => number | Promise<number>;

const [newline, carriageReturn, quote] = [0x0a, 0x0d, 0x22];

/** Counts as an import does: a record of a CSV goes on in the next line while it is in quotes, and an empty line is none. */
function lineCounter(isCsv: boolean): (chunk: Uint8Array) => number {
  let [lines, isQuoted, isEmpty] = [0, false, true];
  return (chunk) => {
    if (!isCsv) {
      for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) lines += 1;
      return lines;
    }
    for (const byte of chunk) {
      if (byte === quote) isQuoted = !isQuoted;
      if (byte === newline && !isQuoted) {
        if (!isEmpty) lines += 1;
        isEmpty = true;
      } else if (byte !== carriageReturn) isEmpty = false;
    }
    return lines;
  };
}

function compressedLines(isCsv: boolean): LineCounter {
  const count = lineCounter(isCsv);
  let lines = 0;
  let isDamaged = false;
  const gunzip = createGunzip().on('data', (text: Uint8Array) => {
    lines = count(text);
  });
  const { promise: damage, resolve } = Promise.withResolvers<void>();
  // What is no gzip the service refuses, and says why.
  gunzip.on('error', () => {
    isDamaged = true;
    resolve();
  });
  return async (chunk) => {
    if (isDamaged) return lines;
    const written = new Promise<void>((done) => gunzip.write(chunk, () => done()));
    await Promise.race([written, damage]);
    return lines;
  };
}
