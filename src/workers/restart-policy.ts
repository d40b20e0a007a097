/** When to restart a worker that ended. */

/** How often in a row the worker of a slot ended soon after its start, or before it was ready. */
export interface EarlyExits {
  readonly early: number;
  readonly unstarted: number;
}

export const noEarlyExits: EarlyExits = { early: 0, unstarted: 0 };

/** A worker that served for this long did not end because of its start. */
const stableMs = 10_000;

const firstDelayMs = 100;
const maxDelayMs = 5000;

/** Failed starts in a row before giving up: with 100 ms to 1.6 s between them, about five seconds. */
const maxUnstarted = 6;

interface Restart {
  readonly exits: EarlyExits;
  /** Undefined: give up. */
  readonly delayMs: number | undefined;
}

/** Decides when a worker ended. `servedMs` is the time since it was ready, undefined if it never was. */
export function decideRestart(exits: EarlyExits, servedMs: number | undefined): Restart {
  const wasStable = servedMs !== undefined && servedMs >= stableMs;
  const early = wasStable ? 0 : exits.early + 1;
  const unstarted = servedMs === undefined ? exits.unstarted + 1 : 0;
  const delayMs = wasStable ? firstDelayMs : Math.min(maxDelayMs, firstDelayMs * 2 ** (early - 1));
  return { exits: { early, unstarted }, delayMs: unstarted >= maxUnstarted ? undefined : delayMs };
}
