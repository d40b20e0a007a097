import { ServiceError } from '../../contract/errors.ts';
import { parseImageFileName } from '../../domain/image/file-name.ts';
import type { ImageFile, ImageStore } from '../../domain/ports/image-store.ts';

export interface QuotaLimits {
  /** Images of a project; 0 is without limit. */
  readonly maxImages: number;
  /** Bytes of all files of a project, renditions included; 0 is without limit. */
  readonly maxBytes: number;
}

interface Usage {
  images: number;
  bytes: number;
  /** When it is counted again, in ms since the epoch. */
  freshUntilMs: number;
}

export type Quota = ReturnType<typeof createQuota>;

/** Usage is fresh for a minute, and long enough for counting to take a hundredth of the time at most. */
const minFreshMs = 60_000;
const freshPerCount = 100;

/**
 * What each project may store. Usage is counted from the files when a project uploads, and updated for a while: then it is
 * counted again, since other processes upload as well. So it never differs from the files for long.
 */
export function createQuota(store: ImageStore, { maxImages, maxBytes }: QuotaLimits, nowMs: () => number) {
  const usages = new Map<string, Usage>();
  const counting = new Map<string, Promise<Usage>>();

  async function count(projectKey: string): Promise<Usage> {
    const begunMs = nowMs();
    let [images, bytes] = [0, 0];
    for await (const { name, sizeBytes } of store.listProject(projectKey)) {
      images += imagesOf(name);
      bytes += sizeBytes;
    }
    const freshUntilMs = nowMs() + Math.max(minFreshMs, (nowMs() - begunMs) * freshPerCount);
    const usage: Usage = { images, bytes, freshUntilMs };
    usages.set(projectKey, usage);
    return usage;
  }

  function usageOf(projectKey: string): Promise<Usage> {
    const usage = usages.get(projectKey);
    if (usage && usage.freshUntilMs >= nowMs()) return Promise.resolve(usage);
    const counted = counting.get(projectKey) ?? count(projectKey).finally(() => counting.delete(projectKey));
    counting.set(projectKey, counted);
    return counted;
  }

  function checkUsage({ images, bytes }: Usage, more: number): void {
    if (maxImages > 0 && images >= maxImages) throw exceeded(`at most ${maxImages} images of a project are kept`);
    if (maxBytes > 0 && bytes + more > maxBytes)
      throw exceeded(`at most ${maxBytes} bytes of images of a project are kept`);
  }

  return {
    /** Throws 413 where one more image of this size would exceed the quota. */
    async check(projectKey: string, bytes: number): Promise<void> {
      checkUsage(await usageOf(projectKey), bytes);
    },
    /** Checks like `check`, and counts the image. */
    async take(projectKey: string, bytes: number): Promise<void> {
      const usage = await usageOf(projectKey);
      checkUsage(usage, bytes);
      usage.images += 1;
      usage.bytes += bytes;
    },
    /** Counts a file that was put or, with -1, deleted. Not limited: an upload that has begun is finished. */
    note({ name, sizeBytes }: Pick<ImageFile, 'name' | 'sizeBytes'>, sign: 1 | -1): void {
      const usage = usages.get(name.slice(0, name.indexOf('/')));
      if (usage === undefined) return;
      usage.images += sign * imagesOf(name);
      usage.bytes += sign * sizeBytes;
    },
  };
}

/** Only originals count as images. */
function imagesOf(name: string): number {
  return parseImageFileName(name.slice(name.indexOf('/') + 1))?.isRendition === false ? 1 : 0;
}

function exceeded(problem: string): ServiceError {
  return new ServiceError('QuotaExceeded', `The image quota of the project is used up: ${problem}.`);
}
