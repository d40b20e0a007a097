import { Worker } from 'node:worker_threads';
import { type ErrorCode, ServiceError } from '../../contract/errors.ts';
import type { ImageType } from '../../domain/image/file-name.ts';
import type { RenditionName } from '../../domain/image/rendition.ts';
import type { PreparedImage } from './codec.ts';
import type { PictureLimits } from './container/inspect.ts';

type Task =
  | { readonly kind: 'prepare'; readonly path: string; readonly type: ImageType }
  | {
      readonly kind: 'render';
      readonly bytes: Uint8Array;
      readonly type: ImageType;
      readonly rendition: RenditionName;
    };

/** A request to the thread. */
export type CodecTask = { readonly id: number } & Task;

/** The reply to a task: its result, a refusal for the client, or an error. */
export type CodecReply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly refusal: { readonly code: ErrorCode; readonly message: string } }
  | { readonly id: number; readonly error: unknown };

/** Works on images in a thread of its own. Must be closed. */
export interface Codec {
  /** Checks an uploaded file and makes the image to serve from it. Throws 400 where it is no usable image. */
  prepare(path: string, type: ImageType): Promise<PreparedImage>;
  /** Makes a rendition of a prepared image; undefined where the original stands for it. */
  render(bytes: Uint8Array, type: ImageType, rendition: RenditionName): Promise<Uint8Array | undefined>;
  close(): Promise<void>;
}

/** Opens a codec. The first task starts its thread, and the next one does where it has died. */
export function openCodec(limits: PictureLimits): Codec {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let thread: Worker | undefined;
  let count = 0;

  function settle(reply: CodecReply): void {
    const task = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ('result' in reply) task?.resolve(reply.result);
    else if ('refusal' in reply) task?.reject(new ServiceError(reply.refusal.code, reply.refusal.message));
    else task?.reject(reply.error);
  }

  function failAll(error: Error): void {
    thread = undefined;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }

  function start(): Worker {
    const started = new Worker(new URL('./codec-thread.ts', import.meta.url), { workerData: limits });
    started.on('message', settle);
    started.on('error', failAll);
    started.on('exit', () => {
      if (started === thread) failAll(new Error('the image thread ended'));
    });
    return started;
  }

  function run<T>(task: Task): Promise<T> {
    const waits = Promise.withResolvers<unknown>();
    count += 1;
    waiting.set(count, waits);
    thread ??= start();
    thread.postMessage({ id: count, ...task });
    return waits.promise as Promise<T>;
  }

  return {
    prepare: (path, type) => run({ kind: 'prepare', path, type }),
    render: (bytes, type, rendition) => run({ kind: 'render', bytes, type, rendition }),
    async close() {
      const ending = thread;
      failAll(new Error('the service is closing'));
      // Not awaited: decoding cannot be interrupted.
      ending?.terminate();
    },
  };
}
