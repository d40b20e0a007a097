/** How long a thread has to rest, how busy it may be then, and what it has to do before it counts as having worked again. */
export interface Rest {
  readonly windowMs: number;
  readonly restingShare: number;
  readonly workingShare: number;
  /** The least time between two collections. */
  readonly apartMs: number;
}

const defaultRest: Rest = { windowMs: 4000, restingShare: 0.01, workingShare: 0.05, apartMs: 60_000 };

/**
 * Collects the garbage of the calling thread, and gives its free memory back, when the thread becomes idle after being busy (the
 * start counts as busy). V8 collects when much is allocated, so that a thread at rest would keep what its last work left. Does nothing without `--expose-gc`, and is over with the thread.
 */
export function giveMemoryBackAtRest(rest: Rest = defaultRest, collect = globalThis.gc): void {
  if (!collect) return;
  let last = performance.eventLoopUtilization();
  let hasWorked = true;
  let collectedMs = Number.NEGATIVE_INFINITY;
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    hasWorked ||= utilization > rest.workingShare;
    if (!hasWorked || utilization > rest.restingShare || performance.now() - collectedMs < rest.apartMs) return;
    // Without this flavour the young generation would keep its size, and functions that ran once their code.
    collect({ type: 'major', flavor: 'last-resort' });
    collectedMs = performance.now();
    hasWorked = false;
    last = performance.eventLoopUtilization();
  }, rest.windowMs).unref();
}
