import { MoveFileError } from './file-format.ts';

/** A line without its end; `whole` is false where the file ended before the line did. */
export interface FileLine {
  readonly bytes: Uint8Array;
  readonly whole: boolean;
}

/** Two projections at the largest size that a setting allows, escaped, fit. */
const longestLine = 96 * 1024 * 1024;

const newline = 0x0a;

/** Splits a stream of bytes into lines. Throws `MoveFileError` at a line that no writer made, so that it fits memory. */
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
    if (length > longestLine) throw new MoveFileError('the line is longer than any record; this is no export');
    if (begun.length > 0) open.push(begun);
  }
  if (open.length > 0) yield { bytes: Buffer.concat(open), whole: false };
}
