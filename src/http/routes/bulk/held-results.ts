import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ResponseStream } from '../../route.ts';

/** Results wait in memory up to this many bytes (about ten thousand lines), then in a temporary file. */
const keptBytes = 1024 * 1024;

/**
 * Takes all results of an import, so that its response begins when the request is complete: proxies stop sending a request
 * once its response has begun. The file has no name any more when it is written, so that it ends with the process at the
 * latest. Rejects if the import does, with the reason of the signal once that is aborted, and on a full disk.
 */
export async function holdResults(results: Readable, folder: string, signal: AbortSignal): Promise<ResponseStream> {
  const stop = () => results.destroy(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  let chunks: Uint8Array[] = [];
  let [keptSize, sizeBytes] = [0, 0];
  let file: FileHandle | undefined;
  try {
    for await (const chunk of results as AsyncIterable<Uint8Array>) {
      chunks.push(chunk);
      keptSize += chunk.length;
      sizeBytes += chunk.length;
      if (keptSize < keptBytes) continue;
      file ??= await openNameless(folder);
      await file.appendFile(Buffer.concat(chunks));
      [chunks, keptSize] = [[], 0];
    }
  } catch (error) {
    await file?.close();
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
  return { sizeBytes, open: () => Readable.from(held(file, chunks)) };
}

async function* held(file: FileHandle | undefined, chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  if (file) yield* file.createReadStream({ start: 0 }) as AsyncIterable<Uint8Array>;
  yield* chunks;
}

async function openNameless(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `results-${randomBytes(12).toString('hex')}`);
  const file = await open(path, 'wx+', 0o600);
  await rm(path);
  return file;
}
