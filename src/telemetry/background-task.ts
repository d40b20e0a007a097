import type { Log } from './log.ts';

export interface BackgroundTask {
  /** The next run begins this long after the last one has ended. */
  readonly everyMs: number;
  /** Until the first run; `everyMs` by default. */
  readonly firstMs?: number;
  run(): Promise<unknown>;
  readonly log: Log;
  /** The event that is logged, as a warning, where a run fails. The next one is tried all the same. */
  readonly failedEvent: string;
}

/** Runs a task regularly. Its timers keep no process alive. Returns the function that ends it, without waiting for a run. */
export function startBackgroundTask({ everyMs, firstMs = everyMs, run, log, failedEvent }: BackgroundTask): () => void {
  let isStopped = false;
  const schedule = (afterMs: number) => setTimeout(runOnce, afterMs).unref();
  async function runOnce(): Promise<void> {
    try {
      await run();
    } catch (error) {
      // A store that closes refuses what is still under way.
      if (!isStopped) log.write('warn', failedEvent, { error });
    }
    if (!isStopped) timer = schedule(everyMs);
  }
  let timer = schedule(firstMs);
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
