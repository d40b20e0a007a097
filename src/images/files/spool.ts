import { createHash, randomBytes } from 'node:crypto';
import { open, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { ServiceError } from '../../contract/errors.ts';
import { makeFolder, storageError } from './folder-store.ts';

/** An uploaded body that has arrived completely. */
export interface Spooled {
  readonly path: string;
  readonly sizeBytes: number;
  /** Hex. */
  readonly sha256: string;
}

export type Spool = ReturnType<typeof createSpool>;

/**
 * Writes bodies to temporary files as they arrive, so that slow clients use no memory. The folder is created when it is
 * needed.
 */
export function createSpool(folder: string, reserveBytes: number) {
  let arrivingBytes = 0;

  async function checkRoom(): Promise<void> {
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize - arrivingBytes >= reserveBytes) return;
    throw new ServiceError('InsufficientStorage', 'The disk has no room left for images.');
  }

  return {
    /** Throws 507 where `expectedBytes` would use up the reserve of the disk. A body that ends early leaves no file. */
    async receive(body: AsyncIterable<Uint8Array>, expectedBytes: number): Promise<Spooled> {
      await makeFolder(folder);
      const path = join(folder, `upload-${randomBytes(12).toString('hex')}`);
      arrivingBytes += expectedBytes;
      try {
        await checkRoom();
        return { path, ...(await writeBody(path, body)) };
      } catch (error) {
        await removeNow(path);
        throw storageError(error);
      } finally {
        arrivingBytes -= expectedBytes;
      }
    },
    /** Never rejects: what cannot be removed now does not change what became of the upload, and is swept later. */
    remove: ({ path }: Spooled) => removeNow(path),
    /** Removes temporary files last written before `beforeMs`, which a process left that died. */
    async sweep(beforeMs: number): Promise<void> {
      for (const name of await readdir(folder).catch(() => [])) {
        const path = join(folder, name);
        const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
        if (mtimeMs < beforeMs) await removeNow(path);
      }
    },
  };
}

async function removeNow(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => {});
}

async function writeBody(path: string, body: AsyncIterable<Uint8Array>): Promise<Omit<Spooled, 'path'>> {
  const handle = await open(path, 'wx', 0o600);
  const hash = createHash('sha256');
  let sizeBytes = 0;
  try {
    for await (const chunk of body) {
      hash.update(chunk);
      sizeBytes += chunk.length;
      await handle.appendFile(chunk);
    }
  } finally {
    await handle.close();
  }
  return { sizeBytes, sha256: hash.digest('hex') };
}
