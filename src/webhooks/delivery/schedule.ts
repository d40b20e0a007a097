/** When a delivery that failed is tried again. */

const seconds = 1000;
const minutes = 60 * seconds;
const hours = 60 * minutes;

/** The time before each attempt, in ms after the one before: those that the specification advises, 75.6 hours in all. */
export const retryDelaysMs: readonly number[] = [
  0,
  5 * seconds,
  5 * minutes,
  30 * minutes,
  2 * hours,
  5 * hours,
  10 * hours,
  14 * hours,
  20 * hours,
  24 * hours,
];

/** The longest Retry-After that is honoured. */
const maxRetryAfterMs = 24 * hours;

/** A receiver that asks for less is left alone for so long at first, twice as long each time, up to the last one. */
const firstThrottleMs = seconds;
const lastThrottleMs = minutes;

/**
 * The time until the next attempt, with up to a tenth more, so that what failed together does not come back together;
 * undefined where there is none. `failed`: attempts so far, at least 1. `random` is from 0 to 1.
 */
export function retryDelayMs(
  delaysMs: readonly number[],
  failed: number,
  retryAfterMs: number | undefined,
  random: number,
): number | undefined {
  const delayMs = delaysMs[failed];
  if (delayMs === undefined) return undefined;
  return Math.max(Math.round(delayMs * (1 + random / 10)), retryAfterMs ?? 0);
}

/** Statuses that ask for less: too many requests, and those of a gateway whose server is overloaded or gone. */
const throttling: ReadonlySet<number> = new Set([429, 502, 504]);

/** How long to send nothing at all to a receiver; undefined: continue. `inRow`: such responses before this one. */
export function throttleMs(status: number, retryAfterMs: number | undefined, inRow: number): number | undefined {
  if (throttling.has(status)) {
    return Math.max(retryAfterMs ?? 0, Math.min(lastThrottleMs, firstThrottleMs * 2 ** Math.min(inRow, 10)));
  }
  return status === 503 ? retryAfterMs : undefined;
}

/** Reads a Retry-After: seconds or a date (RFC 9110 §10.2.3); undefined where it is neither or already over. */
export function parseRetryAfter(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  const ms = /^\s*\d{1,9}\s*$/.test(text) ? Number(text) * seconds : Date.parse(text) - nowMs;
  return ms > 0 ? Math.min(ms, maxRetryAfterMs) : undefined;
}
