import { Worker } from 'node:worker_threads';

/**
 * Threads keep little, and there are several: a small young generation, where yet fits what the writer thread reads of some hundred changes before it
 * writes them, and a bound of the old one below which V8 lets garbage double the heap rather than quadruple it.
 */
const [youngGenerationMb, oldGenerationMb] = [10, 1024];

/** Helps a thread with the many files of a checkout: it starts in three quarters of the time. A package has few files. */
const ownModules = import.meta.url.endsWith('.ts')
  ? ['--import', new URL('../own-modules.ts', import.meta.url).href]
  : [];

/** What a thread imports first, and then what the process was told to import. */
const execArgv = [...ownModules, ...importsOf(process.execArgv)];

/** Options for V8, which a thread refuses, are left out. */
function importsOf(args: readonly string[]): readonly string[] {
  return args.flatMap((arg, at) => {
    if (arg.startsWith('--import=')) return [arg];
    return arg === '--import' ? args.slice(at, at + 2) : [];
  });
}

/** Starts a worker thread of the store, or for it. */
export function startThread(file: URL, workerData: unknown): Worker {
  return new Worker(file, {
    workerData,
    execArgv,
    resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMb, maxOldGenerationSizeMb: oldGenerationMb },
  });
}

/** Asks a thread to end by the message `close`, and waits until it has. */
export async function closeThread(worker: Worker | undefined): Promise<void> {
  if (!worker) return;
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  worker.postMessage('close');
  await ended;
}
