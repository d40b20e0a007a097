import { join } from 'node:path';
import type { ImageStore } from '../domain/ports/image-store.ts';
import type { ResourceStore } from '../domain/ports/resource-store.ts';
import type { WriteResponse } from '../domain/resource/write/commit.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { createJobQueue } from './codec/job-queue.ts';
import { openCodec } from './codec/open-codec.ts';
import { type CachedFiles, cacheFiles } from './files/file-cache.ts';
import { createFolderStore, temporaryFolder } from './files/folder-store.ts';
import { createQuota } from './files/quota.ts';
import { createSpool } from './files/spool.ts';
import { sweepImages } from './files/sweeper.ts';
import { createRenditions } from './upload/renditions.ts';
import { type UploadRequest, uploadImage } from './upload/upload-image.ts';

export interface ImageSettings {
  readonly dataDir: string;
  readonly imageMaxPixels: number;
  /** Memory for decoding, of all jobs together. */
  readonly imageMemoryBytes: number;
  readonly imageMaxFrames: number;
  readonly imageJobs: number;
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
  /** Begins to resume the work of earlier processes and to sweep, soon and from then on regularly. */
  start(): void;
  /** Resumes and sweeps now. Resolves when both are done. */
  tidy(): Promise<void>;
  close(): Promise<void>;
}

const startAfterMs = 1000;
const resumeEveryMs = 60_000;
/** Another process may be working on images that were touched since. */
const untouchedMs = 5 * 60_000;
const sweepEveryMs = 6 * 60 * 60_000;

/** Opens the images of a service. Nothing is read or written before the first request or `start`. */
export function openImages({ settings, store, log, metrics, nowMs, newId, ...given }: ImageDeps): Images {
  const folder = join(settings.dataDir, 'images');
  const { files, find: findServed } = cacheFiles(given.files ?? createFolderStore(folder), nowMs, metrics);
  const spool = createSpool(join(folder, temporaryFolder), settings.imageDiskReserveBytes);
  const codec = openCodec({
    maxPixels: settings.imageMaxPixels,
    maxFrames: settings.imageMaxFrames,
    maxDecodedBytes: settings.imageMemoryBytes / settings.imageJobs,
  });
  const jobs = createJobQueue(settings.imageJobs);
  metrics.gauge('grs_image_jobs_running', 'Images that are worked on.', () => jobs.running);
  metrics.gauge('grs_image_jobs_waiting', 'Images that wait for that.', () => jobs.waiting);
  const limits = { maxImages: settings.imageQuotaCount, maxBytes: settings.imageQuotaBytes };
  const quota = createQuota(files, limits, nowMs);
  const renditions = createRenditions({ store, files, codec, jobs, quota, nowMs, log });
  let isClosing = false;
  const parts = { store, files, spool, codec, jobs, quota, renditions, nowMs, newId, log, isClosing: () => isClosing };
  const timers: NodeJS.Timeout[] = [];
  let tidying: Promise<unknown> = Promise.resolve();
  const warn = (error: unknown) => log.write('warn', 'images-not-tidied', { error });

  const resumeAll = () => renditions.resume(Number.POSITIVE_INFINITY);
  const resumeLeft = () => renditions.resume(nowMs() - untouchedMs);
  const inBackground = (work: () => Promise<unknown>) => () => {
    tidying = tidying.then(work).catch(warn);
  };

  return {
    files,
    findServed,
    upload: (request) => uploadImage(parts, request),
    async tidy() {
      await resumeAll();
      await sweepImages(parts);
      await renditions.idle();
    },
    start() {
      const sweep = inBackground(() => sweepImages(parts));
      timers.push(
        setTimeout(inBackground(resumeAll), startAfterMs).unref(),
        setTimeout(sweep, startAfterMs).unref(),
        setInterval(inBackground(resumeLeft), resumeEveryMs).unref(),
        setInterval(sweep, sweepEveryMs).unref(),
      );
    },
    async close() {
      isClosing = true;
      for (const timer of timers) clearTimeout(timer);
      const ended = renditions.close();
      await codec.close();
      await ended;
      await tidying;
    },
  };
}
