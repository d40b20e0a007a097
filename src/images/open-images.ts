import { join } from 'node:path';
import type { ImageStore } from '../domain/ports/image-store.ts';
import type { ResourceStore } from '../domain/ports/resource-store.ts';
import type { WriteResponse } from '../domain/resource/write/commit.ts';
import { startBackgroundTask } from '../telemetry/background-task.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { openCodec } from './codec/open-codec.ts';
import { type CachedFiles, cacheFiles } from './files/file-cache.ts';
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

/** All that the service needs for images. Must be closed before its store. */
export interface Images {
  readonly files: ImageStore;
  /** A file to serve, from the cache where it is there. */
  readonly findServed: CachedFiles['find'];
  upload(request: UploadRequest): Promise<WriteResponse>;
  /** Begins to sweep, soon and from then on regularly. */
  start(): void;
  close(): Promise<void>;
}

const sweeps = { firstMs: 1000, everyMs: 6 * 60 * 60_000, failedEvent: 'images-not-tidied' };

/** Opens the images of a service. Nothing is read or written before the first request or `start`. */
export function openImages({ settings, store, log, metrics, nowMs, newId, ...given }: ImageDeps): Images {
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
    findServed,
    upload: (request) => uploadImage(parts, request),
    start() {
      stop = startBackgroundTask({ ...sweeps, run, log });
    },
    async close() {
      isClosing = true;
      stop();
      codec.close();
      await sweeping.catch(() => {});
    },
  };
}
