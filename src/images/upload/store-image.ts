import { defer } from '../../domain/image/deferred.ts';
import { imageFileName, renditionFileName } from '../../domain/image/file-name.ts';
import type { ImageType } from '../../domain/image/format.ts';
import type { ImageFacts } from '../../domain/image/variant.ts';
import type { ImageStore } from '../../domain/ports/image-store.ts';
import type { ResourceStore } from '../../domain/ports/resource-store.ts';
import type { PreparedImage } from '../codec/codec.ts';
import type { JobQueue } from '../codec/job-queue.ts';
import type { Codec } from '../codec/open-codec.ts';
import type { Quota } from '../files/quota.ts';
import type { Spooled } from '../files/spool.ts';

export interface StoreImageParts {
  readonly store: ResourceStore;
  readonly files: ImageStore;
  readonly codec: Codec;
  readonly jobs: JobQueue;
  readonly quota: Quota;
  readonly nowMs: () => number;
  readonly newId: () => string;
}

/** An upload to store. */
export interface Upload {
  readonly projectKey: string;
  readonly spooled: Spooled;
  readonly type: ImageType;
  readonly filename: string | undefined;
}

/** What was stored, and the files to delete where no row will refer to them. */
export interface StoredImage {
  readonly facts: ImageFacts;
  readonly written: readonly FileToPut[];
}

interface FileToPut {
  readonly name: string;
  readonly sizeBytes: number;
  readonly bytes?: Uint8Array;
}

/**
 * Checks an upload and makes its files durable before any row refers to them: a crash may leave files without a row, never
 * a row without its files. Throws 400 for an image that cannot be used, and 413 over the quota.
 */
export async function storeImage(parts: StoreImageParts, upload: Upload): Promise<StoredImage> {
  const { projectKey, type, spooled, filename } = upload;
  const prepared = await parts.jobs.run('request', () => parts.codec.prepare(spooled.path, type));
  const file = imageFileName(filename, parts.newId(), type);
  const written = filesToPut(projectKey, file, prepared);
  await parts.quota.take(
    projectKey,
    written.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  );
  const { dimensions, isDeferred, bytes } = prepared;
  const facts: ImageFacts = { file, type, dimensions, sizeBytes: bytes.length, isDeferred };
  try {
    await putAll(parts.files, written);
    if (isDeferred) await defer(parts.store, { projectKey, file }, new Date(parts.nowMs()).toISOString());
  } catch (error) {
    await discardImage(parts, written);
    throw error;
  }
  return { facts, written: written.map(({ name, sizeBytes }) => ({ name, sizeBytes })) };
}

/** Puts the original, then its renditions in parallel, since each waits for the disk several times. Waits for all. */
async function putAll(files: ImageStore, [original, ...renditions]: readonly FileToPut[]): Promise<void> {
  await files.put(original!.name, original!.bytes!);
  const outcomes = await Promise.allSettled(renditions.map(({ name, bytes }) => files.put(name, bytes!)));
  const failed = outcomes.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

function filesToPut(projectKey: string, file: string, { bytes, renditions }: PreparedImage): readonly FileToPut[] {
  const put = (name: string, content: Uint8Array): FileToPut => ({
    ...{ name: `${projectKey}/${name}`, sizeBytes: content.length, bytes: content },
  });
  return [put(file, bytes), ...renditions.map((one) => put(renditionFileName(file, one.name), one.bytes))];
}

/** Deletes the files of an image that no row will refer to. The sweeper deletes what cannot be deleted now. */
export async function discardImage(
  { files, quota }: Pick<StoreImageParts, 'files' | 'quota'>,
  written: StoredImage['written'],
): Promise<void> {
  for (const file of written) {
    await files.delete(file.name).catch(() => false);
    quota.note(file, -1);
  }
}
