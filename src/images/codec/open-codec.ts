import { ServiceError } from '../../contract/errors.ts';
import type { ImageType } from '../../domain/image/file-name.ts';
import type { RenditionName } from '../../domain/image/rendition.ts';
import { TaskQueue } from '../../domain/task-queue.ts';
import { type PieceThread, startPieceThread } from '../../threads/piece-thread.ts';
import type { PreparedImage } from './codec.ts';
import type { PictureLimits } from './container/inspect.ts';

/** A request to the thread. */
export type CodecTask =
  | { readonly kind: 'prepare'; readonly path: string; readonly type: ImageType }
  | {
      readonly kind: 'render';
      readonly bytes: Uint8Array;
      readonly type: ImageType;
      readonly rendition: RenditionName;
    };

export type CodecResult = PreparedImage | Uint8Array | undefined;

/** Further requests would time out before their turn. */
const maxWaiting = 100;

export type Codec = ReturnType<typeof openCodec>;

/**
 * Works on images in a thread of its own, on one at a time. Both methods throw 503 where too many wait already. The first task starts
 * the thread, and the next one does where it has failed.
 */
export function openCodec(limits: PictureLimits) {
  // One at a time, so that work on images leaves the other cores to requests.
  const jobs = new TaskQueue(1);
  let thread: PieceThread<CodecTask, CodecResult> | undefined;
  let isClosed = false;
  let giveUp: ((error: Error) => void) | undefined;

  function end(): void {
    // Not awaited: decoding cannot be interrupted.
    void thread?.close();
    thread = undefined;
  }

  function work(task: CodecTask): Promise<CodecResult> {
    const { promise, resolve, reject } = Promise.withResolvers<CodecResult>();
    giveUp = reject;
    if (isClosed) reject(new Error('the service is closing'));
    else {
      thread ??= startPieceThread(new URL('./codec-thread.ts', import.meta.url), limits);
      thread.run(task).then(resolve, (error: unknown) => {
        // The thread may have died.
        if (!(error instanceof ServiceError)) end();
        reject(error);
      });
    }
    return promise;
  }

  async function run<Result extends CodecResult>(task: CodecTask): Promise<Result> {
    if (jobs.waiting >= maxWaiting) {
      const message = 'Too many images are waiting to be processed; try again.';
      throw new ServiceError('OverCapacity', message, {}, { 'retry-after': '5' });
    }
    return jobs.run(() => work(task)) as Promise<Result>;
  }

  return {
    /** Checks an uploaded file and makes the image to serve from it. Throws 400 where it is no usable image. */
    prepare: (path: string, type: ImageType): Promise<PreparedImage> => run({ kind: 'prepare', path, type }),
    /** Makes a rendition of a prepared image; undefined where the original stands for it. */
    render: (bytes: Uint8Array, type: ImageType, rendition: RenditionName): Promise<Uint8Array | undefined> =>
      run({ kind: 'render', bytes, type, rendition }),
    jobs: jobs as Pick<TaskQueue, 'running' | 'waiting'>,
    /** Must be called. What is under way is rejected. */
    close(): void {
      isClosed = true;
      giveUp?.(new Error('the service is closing'));
      end();
    },
  };
}
