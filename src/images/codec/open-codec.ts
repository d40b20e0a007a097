import { ServiceError } from '../../contract/errors.ts';
import type { ImageType } from '../../domain/image/file-name.ts';
import { TaskQueue } from '../../domain/task-queue.ts';
import { type PieceThread, startPieceThread } from '../../threads/piece-thread.ts';
import type { PreparedImage } from './codec.ts';
import type { PictureLimits } from './container/inspect.ts';

/** A request to the thread. */
export interface CodecTask {
  /** The path of an upload, or the bytes of a stored image. */
  readonly source: string | Uint8Array;
  readonly type: ImageType;
}

/** Further requests would time out before their turn. */
const maxWaiting = 100;

export type Codec = ReturnType<typeof openCodec>;

/**
 * Works on images in a thread of its own, on one at a time. `prepare` throws 503 where too many wait already. The first task starts
 * the thread, and the next one does where it has failed.
 */
export function openCodec(limits: PictureLimits) {
  // One at a time, so that work on images leaves the other cores to requests.
  const jobs = new TaskQueue(1);
  let thread: PieceThread<CodecTask, PreparedImage> | undefined;
  let isClosed = false;
  let giveUp: ((error: Error) => void) | undefined;

  function end(): void {
    // Not awaited: decoding cannot be interrupted.
    void thread?.close();
    thread = undefined;
  }

  function work(task: CodecTask): Promise<PreparedImage> {
    const { promise, resolve, reject } = Promise.withResolvers<PreparedImage>();
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

  return {
    /**
     * Checks an uploaded file, and makes the image to serve from it, with its renditions. Throws 400 where it is no usable
     * image. A stored image stays as it is.
     */
    async prepare(source: CodecTask['source'], type: ImageType): Promise<PreparedImage> {
      if (jobs.waiting >= maxWaiting) {
        const message = 'Too many images are waiting to be processed; try again.';
        throw new ServiceError('OverCapacity', message, {}, { 'retry-after': '5' });
      }
      return jobs.run(() => work({ source, type }));
    },
    jobs: jobs as Pick<TaskQueue, 'running' | 'waiting'>,
    /** Must be called. What is under way is rejected. */
    close(): void {
      isClosed = true;
      giveUp?.(new Error('the service is closing'));
      end();
    },
  };
}
