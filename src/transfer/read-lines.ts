import { ExportFileError } from './file-format.ts';

/** A line without its end; `whole` is false if the file ended before the line did. */
export interface FileLine {
  readonly bytes: Uint8Array;
  readonly whole: boolean;
}

/** Enough for two projections of the largest size that the settings allow, escaped. */
const longestLine = 96 * 1024 * 1024;

const newline = 0x0a;

/** Splits a stream of bytes into lines. Throws `ExportFileError` at a line too long for any record, to bound memory. */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<FileLine> {
  let open: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      const rest = chunk.subarray(from, end);
      yield { bytes: open.length === 0 ? rest : Buffer.concat([...open, rest]), whole: true };
      open = [];
      length = 0;
      from = end + 1;
    }
    const begun = chunk.subarray(from);
    length += begun.length;
    if (length > longestLine) throw new ExportFileError('the line is longer than any record; this is not an export');
    if (begun.length > 0) open.push(begun);
  }
  if (open.length > 0) yield { bytes: Buffer.concat(open), whole: false };
}
