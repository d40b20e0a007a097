import { Worker } from 'node:worker_threads';

/** The young generation of a thread's heap is collected at this size: threads keep little, and there are several. */
const maxYoungGenerationSizeMb = 16;

/** Starts a worker thread of the store. */
export function startThread(file: URL, workerData: unknown): Worker {
  return new Worker(file, { workerData, resourceLimits: { maxYoungGenerationSizeMb } });
}

/** Asks a thread to end by the message `close`, and waits until it has. */
export async function closeThread(worker: Worker | undefined): Promise<void> {
  if (!worker) return;
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  worker.postMessage('close');
  await ended;
}
