import { Worker } from 'node:worker_threads';
import { type ErrorCode, ServiceError } from '../../contract/errors.ts';
import type { ImageType } from '../../domain/image/format.ts';
import type { RenditionName } from '../../domain/image/rendition.ts';
import type { PreparedImage } from './codec.ts';
import type { PictureLimits } from './container/inspect.ts';

/** What the thread is told to do. */
export type CodecTask = { readonly id: number } & Task;

type Task =
  | { readonly kind: 'prepare'; readonly path: string; readonly type: ImageType }
  | {
      readonly kind: 'render';
      readonly bytes: Uint8Array;
      readonly type: ImageType;
      readonly rendition: RenditionName;
    };

/** What became of a task: its result, a refusal for the client, or a fault. */
export type CodecAnswer =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly refusal: { readonly code: ErrorCode; readonly message: string } }
  | { readonly id: number; readonly fault: string };

/** Works on images in a thread of its own. Must be closed. */
export interface Codec {
  /** Checks an uploaded file and makes it fit to be served. Throws 400 for what is no usable image. */
  prepare(path: string, type: ImageType): Promise<PreparedImage>;
  /** Makes a rendition of a prepared image; undefined where the original stands for it. */
  render(bytes: Uint8Array, type: ImageType, rendition: RenditionName): Promise<Uint8Array | undefined>;
  close(): Promise<void>;
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Opens a codec. Its thread is started by the first task, and again where it has died. */
export function openCodec(limits: PictureLimits): Codec {
  const waiting = new Map<number, Waiting>();
  let thread: Worker | undefined;
  let count = 0;

  function take(answer: CodecAnswer): void {
    const task = waiting.get(answer.id);
    waiting.delete(answer.id);
    if ('result' in answer) task?.resolve(answer.result);
    else if ('refusal' in answer) task?.reject(new ServiceError(answer.refusal.code, answer.refusal.message));
    else task?.reject(new Error(answer.fault));
  }

  function failAll(error: Error): void {
    thread = undefined;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }

  function start(): Worker {
    const started = new Worker(new URL('./codec-thread.ts', import.meta.url), { workerData: limits });
    started.on('message', take);
    started.on('error', failAll);
    started.on('exit', () => {
      if (started === thread) failAll(new Error('the thread of the images ended'));
    });
    return started;
  }

  function run(task: Task): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    count += 1;
    waiting.set(count, { resolve, reject });
    thread ??= start();
    thread.postMessage({ id: count, ...task });
    return promise;
  }

  return {
    prepare: (path, type) => run({ kind: 'prepare', path, type }) as Promise<PreparedImage>,
    render: (bytes, type, rendition) =>
      run({ kind: 'render', bytes, type, rendition }) as Promise<Uint8Array | undefined>,
    async close() {
      const ending = thread;
      failAll(new Error('the service is ending'));
      // Not waited for: what it is decoding cannot be interrupted.
      ending?.terminate();
    },
  };
}
