import { getCompileCacheDir } from 'node:module';
import { Worker } from 'node:worker_threads';

/**
 * Starts a worker thread of the store. Its environment has nothing but the place of the compile cache: with it a
 * thread starts in a third of the time and without the memory of the TypeScript stripper; and no setting leaks in.
 */
export function startThread(file: URL, workerData: unknown): Worker {
  const cache = getCompileCacheDir();
  // The variable names the folder that was asked for; Node adds one for its version and architecture.
  const env = cache === undefined ? {} : { NODE_COMPILE_CACHE: cache.replace(/[\\/][^\\/]+$/, '') };
  return new Worker(file, { workerData, env, resourceLimits: { maxYoungGenerationSizeMb: 16 } });
}
