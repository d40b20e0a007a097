/** A line of a file, without its end. */
export interface Line {
  /** From 1. */
  readonly number: number;
  /** Undefined where the line is too long. */
  readonly bytes: Uint8Array | undefined;
  /** False if the file ended before the line did. */
  readonly isWhole: boolean;
}

const newline = 0x0a;

/** The lines of a file in portions, as they arrive. Of one with more than `maxBytes` nothing is kept in memory. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<readonly Line[]> {
  let number = 1;
  let open: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    const lines: Line[] = [];
    for (let start = 0; start < chunk.length; ) {
      const end = chunk.indexOf(newline, start);
      const part = chunk.subarray(start, end < 0 ? undefined : end);
      if (length <= maxBytes && length + part.length > maxBytes) {
        lines.push({ number, bytes: undefined, isWhole: end >= 0 });
        open = [];
      }
      length += part.length;
      if (length <= maxBytes) open.push(part);
      if (end < 0) break;
      if (length <= maxBytes) lines.push({ number, bytes: joined(open), isWhole: true });
      [number, open, length, start] = [number + 1, [], 0, end + 1];
    }
    yield lines;
  }
  if (open.length > 0) yield [{ number, bytes: joined(open), isWhole: false }];
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
}
