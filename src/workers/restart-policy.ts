/** When a worker that ended is started again. */

/** What is known of the worker's place: how often in a row it ended soon after its start, or did not start at all. */
export interface Ends {
  readonly early: number;
  readonly unstarted: number;
}

export const noEnds: Ends = { early: 0, unstarted: 0 };

/** A worker that served for so long did not end because of how it starts. */
const soundMs = 10_000;

const firstDelayMs = 100;
const longestDelayMs = 5000;

/** So many starts in a row that come to nothing are enough: 100 ms to 1.6 s apart, that is about five seconds. */
const mostUnstarted = 6;

export interface Restart {
  readonly ends: Ends;
  /** Undefined: give up. */
  readonly delayMs: number | undefined;
}

/** Decides after an end. `servedMs` is the time since the worker was ready, undefined where it never was. */
export function decideRestart(ends: Ends, servedMs: number | undefined): Restart {
  const isSound = servedMs !== undefined && servedMs >= soundMs;
  const early = isSound ? 0 : ends.early + 1;
  const unstarted = servedMs === undefined ? ends.unstarted + 1 : 0;
  const delayMs = isSound ? firstDelayMs : Math.min(longestDelayMs, firstDelayMs * 2 ** (early - 1));
  return { ends: { early, unstarted }, delayMs: unstarted >= mostUnstarted ? undefined : delayMs };
}
