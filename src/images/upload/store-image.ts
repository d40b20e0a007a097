import { type ImageType, imageFileName, renditionFileName } from '../../domain/image/file-name.ts';
import type { ImageFacts } from '../../domain/image/variant.ts';
import type { ImageFile, ImageStore } from '../../domain/ports/image-store.ts';
import type { ResourceStore } from '../../domain/ports/resource-store.ts';
import type { Codec } from '../codec/open-codec.ts';
import type { Quota } from '../files/quota.ts';
import type { Spooled } from '../files/spool.ts';

export interface StoreImageParts {
  readonly store: ResourceStore;
  readonly files: ImageStore;
  readonly codec: Codec;
  readonly quota: Quota;
  readonly newId: () => string;
}

/** An upload to store. */
export interface Upload {
  readonly projectKey: string;
  readonly spooled: Spooled;
  readonly type: ImageType;
  readonly filename: string | undefined;
}

type WrittenFile = Pick<ImageFile, 'name' | 'sizeBytes'>;
type FileToPut = WrittenFile & { readonly bytes: Uint8Array };

/** The stored image, and the files to delete if no row will refer to them. */
export interface StoredImage {
  readonly facts: ImageFacts;
  readonly written: readonly WrittenFile[];
}

/**
 * Checks an upload and makes its files durable before any row refers to them: a crash may leave files without a row, never
 * a row without its files. Throws 400 for an image that cannot be used, and 413 over the quota.
 */
export async function storeImage(parts: StoreImageParts, upload: Upload): Promise<StoredImage> {
  const { projectKey, type, spooled, filename } = upload;
  const { bytes, renditions, dimensions } = await parts.codec.prepare(spooled.path, type);
  const file = imageFileName(filename, parts.newId(), type);
  const made = renditions.map((rendition) => ({ ...rendition, name: renditionFileName(file, rendition.name) }));
  const files = [{ name: file, bytes }, ...made].map((one) => ({
    name: `${projectKey}/${one.name}`,
    sizeBytes: one.bytes.length,
    bytes: one.bytes,
  }));
  const written = files.map(({ name, sizeBytes }) => ({ name, sizeBytes }));
  const totalBytes = written.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  await parts.quota.take(projectKey, totalBytes);
  try {
    await putAll(parts.files, files);
  } catch (error) {
    await discardImage(parts, written);
    throw error;
  }
  return { facts: { file, type, dimensions, sizeBytes: bytes.length }, written };
}

/** Puts the original, then its renditions in parallel, since each waits for the disk several times. Waits for all. */
async function putAll(store: ImageStore, [original, ...renditions]: readonly FileToPut[]): Promise<void> {
  await store.put(original!.name, original!.bytes);
  const outcomes = await Promise.allSettled(renditions.map(({ name, bytes }) => store.put(name, bytes)));
  const failed = outcomes.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
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
