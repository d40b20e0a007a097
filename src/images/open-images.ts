import { join } from 'node:path';
import type { ImageStore } from '../domain/ports/image-store.ts';
import type { ResourceStore } from '../domain/ports/resource-store.ts';
import { startBackgroundTask } from '../telemetry/background-task.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { openCodec } from './codec/open-codec.ts';
import { cacheFiles } from './files/file-cache.ts';
import { createFolderStore, temporaryFolder } from './files/folder-store.ts';
import { createQuota } from './files/quota.ts';
import { createSpool } from './files/spool.ts';
import { sweepImages } from './files/sweeper.ts';
import { type UploadRequest, uploadImage } from './upload/upload-image.ts';

export interface ImageSettings {
  readonly dataDir: string;
  readonly imageMaxPixels: number;
  /** Memory for decoding. */
  readonly imageMemoryBytes: number;
  readonly imageMaxFrames: number;
  readonly imageQuotaCount: number;
  readonly imageQuotaBytes: number;
  readonly imageDiskReserveBytes: number;
}

export interface ImageDeps {
  readonly settings: ImageSettings;
  readonly store: ResourceStore;
  /** Where the files are stored; undefined: in the data folder. */
  readonly files?: ImageStore | undefined;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly nowMs: () => number;
  readonly newId: () => string;
}

export type Images = ReturnType<typeof openImages>;

const sweeps = { firstMs: 1000, everyMs: 6 * 60 * 60_000, failedEvent: 'images-not-tidied' };

/**
 * All that the service needs for images. Nothing is read or written before the first request or `start`. Must be closed before
 * its store.
 */
export function openImages({ settings, store, log, metrics, nowMs, newId, ...given }: ImageDeps) {
  const folder = join(settings.dataDir, 'images');
  const { files, find: findServed } = cacheFiles(given.files ?? createFolderStore(folder), nowMs, metrics);
  const spool = createSpool(join(folder, temporaryFolder), settings.imageDiskReserveBytes);
  const codec = openCodec({
    maxPixels: settings.imageMaxPixels,
    maxFrames: settings.imageMaxFrames,
    maxDecodedBytes: settings.imageMemoryBytes,
  });
  metrics.gauge('grs_image_jobs_running', 'Images that are worked on.', () => codec.jobs.running);
  metrics.gauge('grs_image_jobs_waiting', 'Images that wait for that.', () => codec.jobs.waiting);
  const limits = { maxImages: settings.imageQuotaCount, maxBytes: settings.imageQuotaBytes };
  const quota = createQuota(files, limits, nowMs);
  let isClosing = false;
  const parts = { store, files, spool, codec, quota, nowMs, newId, log, isClosing: () => isClosing };
  let stop = () => {};
  let sweeping: Promise<unknown> = Promise.resolve();
  const run = () => {
    sweeping = sweepImages(parts);
    return sweeping;
  };

  return {
    files,
    /** A file to serve, from the cache where it is there. */
    findServed,
    upload: (request: UploadRequest) => uploadImage(parts, request),
    /** Begins to sweep, soon and from then on regularly. */
    start(): void {
      stop = startBackgroundTask({ ...sweeps, run, log });
    },
    async close(): Promise<void> {
      isClosing = true;
      stop();
      codec.close();
      await sweeping.catch(() => {});
    },
  };
}
