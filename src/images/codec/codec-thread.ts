import { parentPort, workerData } from 'node:worker_threads';
import { ServiceError } from '../../contract/errors.ts';
import { prepareImage, renderImage } from './codec.ts';
import type { PictureLimits } from './container/inspect.ts';
import type { CodecReply, CodecTask } from './open-codec.ts';

/** The thread that works on images (open-codec.ts): loading the library and parsing a file would both block requests. */
const port = parentPort;
if (!port) throw new Error('This file is the entry of a worker thread.');
const limits = workerData as PictureLimits;

async function run(task: CodecTask): Promise<CodecReply> {
  const { id, type } = task;
  try {
    const result =
      task.kind === 'prepare'
        ? await prepareImage(task.path, type, limits)
        : await renderImage(task.bytes, type, task.rendition);
    return { id, result };
  } catch (error) {
    if (error instanceof ServiceError) return { id, refusal: { code: error.code, message: error.message } };
    return { id, error };
  }
}

port.on('message', async (task: CodecTask) => port.postMessage(await run(task)));
