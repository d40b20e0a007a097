import { parentPort, workerData } from 'node:worker_threads';
import { ServiceError } from '../../contract/errors.ts';
import { prepareImage, renderImage } from './codec.ts';
import type { PictureLimits } from './container/inspect.ts';
import type { CodecAnswer, CodecTask } from './open-codec.ts';

/**
 * Works on images beside the main thread (open-codec.ts): loading the library and walking through a file would both
 * hold up requests there.
 */
const port = parentPort;
if (!port) throw new Error('This file is the entry of a worker thread.');
const limits = workerData as PictureLimits;

function run(task: CodecTask): Promise<unknown> {
  return task.kind === 'prepare'
    ? prepareImage(task.path, task.type, limits)
    : renderImage(task.bytes, task.type, task.rendition);
}

async function answer(task: CodecTask): Promise<CodecAnswer> {
  try {
    return { id: task.id, result: await run(task) };
  } catch (error) {
    if (error instanceof ServiceError) return { id: task.id, refusal: { code: error.code, message: error.message } };
    return { id: task.id, fault: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

port.on('message', async (task: CodecTask) => port.postMessage(await answer(task)));
