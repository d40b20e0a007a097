import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into the service by `--import`: how long the rounds of its event loop are, without what they wait for, and what the
 * garbage collector takes of them. Each SIGUSR2 writes what came since the last one to LOOP_ROUNDS_FILE.
 */
export interface LoopRounds {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly collections: number;
  readonly collectionMs: number;
  readonly longestCollectionMs: number;
}

if (isMainThread && process.env.LOOP_ROUNDS_FILE) {
  const rounds = monitorEventLoopDelay({ samplePerIteration: true });
  rounds.enable();
  let collections: number[] = [];
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) collections.push(duration);
  });
  observer.observe({ entryTypes: ['gc'] });
  process.on('SIGUSR2', () => {
    const found: LoopRounds = {
      p50Ms: rounds.percentile(50) / 1e6,
      p99Ms: rounds.percentile(99) / 1e6,
      maxMs: rounds.max / 1e6,
      collections: collections.length,
      collectionMs: collections.reduce((sum, ms) => sum + ms, 0),
      longestCollectionMs: Math.max(0, ...collections),
    };
    collections = [];
    rounds.reset();
    writeFileSync(process.env.LOOP_ROUNDS_FILE!, JSON.stringify(found));
  });
}
