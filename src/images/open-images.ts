import { join } from 'node:path';
import type { ImageStore } from '../domain/ports/image-store.ts';
import type { ResourceStore } from '../domain/ports/resource-store.ts';
import type { WriteResponse } from '../domain/resource/write/commit.ts';
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

const startAfterMs = 1000;
const sweepEveryMs = 6 * 60 * 60_000;

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
  const timers: NodeJS.Timeout[] = [];
  let tidying: Promise<unknown> = Promise.resolve();
  const warn = (error: unknown) => log.write('warn', 'images-not-tidied', { error });
  const sweep = () => {
    tidying = tidying.then(() => sweepImages(parts)).catch(warn);
  };

  return {
    files,
    findServed,
    upload: (request) => uploadImage(parts, request),
    start() {
      timers.push(setTimeout(sweep, startAfterMs).unref(), setInterval(sweep, sweepEveryMs).unref());
    },
    async close() {
      isClosing = true;
      for (const timer of timers) clearTimeout(timer);
      codec.close();
      await tidying;
    },
  };
}
