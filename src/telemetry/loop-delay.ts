export type LoopDelay = ReturnType<typeof startLoopDelay>;

const intervalMs = 50;
/** Half a minute of samples. */
const maxSamples = 600;
/** Weight of a new sample: a lasting change is taken over to 90 % within eight samples. */
const weight = 0.25;

/**
 * Starts to measure how late the event loop is: a timer that should fire every `intervalMs` measures by how much it misses.
 * Requests are shed by the smoothed delay, so that one long turn, however long, sheds nothing and lasting overload does
 * within a second. The timer does not keep the process alive.
 */
export function startLoopDelay() {
  const samples = new Float64Array(maxSamples);
  let count = 0;
  let previous = 0;
  let lastMs = performance.now();
  const sample = (delayMs: number) => {
    samples[count % maxSamples] = delayMs;
    count += 1;
    // The lesser of two in a row: a single stall of the machine is not load.
    delay.currentMs += weight * (Math.min(delayMs, previous) - delay.currentMs);
    previous = delayMs;
  };
  const timer = setInterval(() => {
    const nowMs = performance.now();
    sample(Math.max(0, nowMs - lastMs - intervalMs));
    lastMs = nowMs;
  }, intervalMs);
  timer.unref();
  const delay = {
    /** Smoothed delay now, in ms. A field rather than a function: every request reads it. */
    currentMs: 0,
    /** Delay that the share `quantile` (0–1) of the last samples did not exceed, in ms. */
    quantileMs(quantile: number): number {
      const sorted = samples.slice(0, Math.min(count, maxSamples)).sort();
      return sorted[Math.min(sorted.length - 1, Math.floor(quantile * sorted.length))] ?? 0;
    },
    /** Takes in one measured delay; the timer does so too. */
    sample,
    stop: () => clearInterval(timer),
  };
  return delay;
}
