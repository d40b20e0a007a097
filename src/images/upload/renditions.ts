import { ServiceError } from '../../contract/errors.ts';
import { beginAttempt, type DeferredImage, listDeferred, settle } from '../../domain/image/deferred.ts';
import { parseImageFileName, renditionFileName } from '../../domain/image/file-name.ts';
import { renditionNames } from '../../domain/image/rendition.ts';
import type { ImageStore } from '../../domain/ports/image-store.ts';
import type { ResourceStore } from '../../domain/ports/resource-store.ts';
import type { Log } from '../../telemetry/log.ts';
import type { JobQueue } from '../codec/job-queue.ts';
import type { Codec } from '../codec/open-codec.ts';
import { readWhole } from '../files/file-cache.ts';
import type { Quota } from '../files/quota.ts';

export interface RenditionParts {
  readonly store: ResourceStore;
  readonly files: ImageStore;
  readonly codec: Codec;
  readonly jobs: JobQueue;
  readonly quota: Quota;
  readonly nowMs: () => number;
  readonly log: Log;
}

/** Makes renditions in the background, one image after the other. */
export interface Renditions {
  /** Adds an image that is noted in the store. */
  add(image: DeferredImage): void;
  /** Adds images that are noted in the store and were last touched before `beforeMs`, as after a crash. */
  resume(beforeMs: number): Promise<void>;
  /** Resolves when all added images are done. */
  idle(): Promise<void>;
  /** Ends after the current rendition; the next start resumes the rest. */
  close(): Promise<void>;
}

/** Makes the background worker. */
export function createRenditions(parts: RenditionParts): Renditions {
  const queued = new Set<string>();
  let last: Promise<void> = Promise.resolve();
  let isClosing = false;

  async function work(image: DeferredImage): Promise<void> {
    const { projectKey, file } = image;
    const nowIso = () => new Date(parts.nowMs()).toISOString();
    let reason: string | undefined;
    try {
      while (!isClosing && (await beginAttempt(parts.store, image, nowIso(), reason))) {
        reason = await attempt(parts, image, () => isClosing);
        if (reason === undefined) return;
      }
    } catch (error) {
      parts.log.write('warn', 'renditions-failed', { projectKey, file, error });
    } finally {
      queued.delete(`${projectKey}/${file}`);
    }
  }

  function add(image: DeferredImage): void {
    const name = `${image.projectKey}/${image.file}`;
    if (isClosing || queued.has(name)) return;
    queued.add(name);
    last = last.then(() => work(image));
  }

  return {
    add,
    async resume(beforeMs) {
      for (const { touchedAtMs, ...image } of await listDeferred(parts.store)) if (touchedAtMs < beforeMs) add(image);
    },
    idle: () => last,
    async close() {
      isClosing = true;
      await last;
    },
  };
}

/** Makes the missing renditions of an image. Returns why that failed where it may be tried again. */
async function attempt(
  parts: RenditionParts,
  image: DeferredImage,
  isClosing: () => boolean,
): Promise<string | undefined> {
  try {
    const found = await parts.files.find(nameOf(image, image.file));
    if (found !== undefined) {
      let bytes: Promise<Uint8Array> | undefined;
      // Read once, and only where a rendition is missing.
      const read = () => {
        bytes ??= readWhole(parts.files, found);
        return bytes;
      };
      for (const name of renditionNames) {
        if (isClosing()) return undefined;
        await makeRendition(parts, image, read, name);
      }
    }
    await settle(parts.store, image);
    return undefined;
  } catch (error) {
    if (isClosing()) return undefined;
    parts.log.write('warn', 'rendition-failed', { ...image, error });
    return failureReason(error);
  }
}

async function makeRendition(
  { files, codec, jobs, quota }: RenditionParts,
  image: DeferredImage,
  read: () => Promise<Uint8Array>,
  rendition: (typeof renditionNames)[number],
): Promise<void> {
  const name = nameOf(image, renditionFileName(image.file, rendition));
  if (await files.find(name)) return;
  const { type } = parseImageFileName(image.file)!;
  const bytes = await read();
  const made = await jobs.run('background', () => codec.render(bytes, type, rendition));
  if (made !== undefined && (await files.put(name, made))) quota.note({ name, sizeBytes: made.length }, 1);
}

const nameOf = ({ projectKey }: DeferredImage, file: string) => `${projectKey}/${file}`;

/** Explanations of messages and codes of the decoder, the disk and the object storage. The first match counts. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [
    /premature end|truncated|unexpected end|end of (?:file|stream|input)|has \d+ bytes, not \d+/i,
    'The file ends too early.',
  ],
  [/\bENOSPC\b|\bEDQUOT\b|XMinioStorageFull/, 'There was no space left for the files.'],
  [/timeout:|timed out/i, 'It took too long.'],
  [/out of memory|unable to allocate|\bENOMEM\b/i, 'There was not enough memory.'],
  [/\b(?:EACCES|EPERM|EROFS)\b/, 'The service may not write the files.'],
  [/\b(?:EIO|EMFILE|ENFILE|EBADF)\b/, 'The files could not be read or written.'],
  [/image store/i, 'The object storage could not be reached.'],
  [/image thread ended/i, 'The thread that works on images ended.'],
  [/unsupported image|corrupt|invalid|bad |damaged|\bVips|lzw|inflate|zlib/i, 'The file is damaged.'],
];

/**
 * Why renditions could not be made, as one sentence for people. Nothing of the error itself is in it: errors name folders
 * and hosts of the operator; the log has those (`rendition-failed`).
 */
function failureReason(error: unknown): string {
  if (error instanceof ServiceError && error.status < 500) return error.message;
  const { message = '', code = '' } = (typeof error === 'object' && error !== null ? error : {}) as {
    readonly message?: unknown;
    readonly code?: unknown;
  };
  const text = `${code} ${message}`;
  const [, reason] = reasons.find(([form]) => form.test(text)) ?? [];
  return reason ?? 'An error that the service does not know; its log has it (rendition-failed).';
}
