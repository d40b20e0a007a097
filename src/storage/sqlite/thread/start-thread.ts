import { Worker } from 'node:worker_threads';

/** Young garbage of a thread is collected at this size: threads keep little, and there are several. */
const maxYoungGenerationSizeMb = 16;

/** Starts a worker thread of the store. */
export function startThread(file: URL, workerData: unknown): Worker {
  return new Worker(file, { workerData, resourceLimits: { maxYoungGenerationSizeMb } });
}
