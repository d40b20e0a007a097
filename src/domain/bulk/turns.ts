/**
 * Bulk work shares its thread with the requests of others: they wait while a line is parsed, a change is decided, a result is
 * written. So all of it together has one turn between two looks at what others sent, however many imports and batches run.
 */

/** The longest turn. */
const turnMs = 1;

/** When the turn of this round of the event loop ends; undefined before it begins. */
let endsAtMs: number | undefined;
let nextRound = Promise.resolve();

/** To be called after each piece of work: undefined while the turn lasts, else what to wait for before the next piece. */
export function turnOver(): Promise<void> | undefined {
  const now = performance.now();
  if (endsAtMs !== undefined) return now < endsAtMs ? undefined : nextRound;
  endsAtMs = now + turnMs;
  nextRound = new Promise((resolve) => {
    setImmediate(() => {
      endsAtMs = undefined;
      resolve();
    });
  });
  return undefined;
}
