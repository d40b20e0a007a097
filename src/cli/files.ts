import { createReadStream, createWriteStream, fstatSync, openSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { UsageError } from './command.ts';

/** The file of `--in`, or standard input. Throws `UsageError`. */
export function openSource(file: string | undefined) {
  const fd = file === undefined ? process.stdin.fd : openFile(file);
  const stat = fstatSync(fd);
  if (stat.isDirectory()) throw new UsageError(`--in: ${file} is a folder; expected a file`);
  const total = stat.isFile() ? stat.size : 0;
  // Standard input has its own kind of stream: a pending read of a pipe by the file system would delay the exit.
  const bytes = file === undefined ? process.stdin : createReadStream(file, { fd, highWaterMark: 256 * 1024 });
  let read = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of bytes) {
      read += chunk.length;
      yield chunk;
    }
  }
  /** Share of the bytes that were read; undefined if the length is unknown. */
  const share = () => (total === 0 ? undefined : read / total);
  return { chunks: counted(), share };
}

function openFile(file: string): number {
  try {
    return openSync(file, 'r');
  } catch (error) {
    throw new UsageError(`--in: ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Writes the file of `--out`, which appears only when it is complete and on the disk; or to standard output. */
export async function writeOut(out: string | undefined, chunks: AsyncIterable<string | Uint8Array>): Promise<void> {
  if (out === undefined) return pipeline(chunks, process.stdout, { end: false });
  await pipeline(chunks, createWriteStream(`${out}.part`, { mode: 0o600, flush: true }));
  await rename(`${out}.part`, out);
}
