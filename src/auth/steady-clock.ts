/**
 * A clock that never goes back: the greatest time of day that was seen, and what has passed since by a clock that nobody
 * sets. Call it now and then, so that it has seen the time before a step.
 */
export function createSteadyClock(nowMs: () => number, monotonicMs: () => number): () => number {
  let offsetMs = Number.NEGATIVE_INFINITY;
  return () => {
    const passedMs = monotonicMs();
    offsetMs = Math.max(offsetMs, nowMs() - passedMs);
    return passedMs + offsetMs;
  };
}
