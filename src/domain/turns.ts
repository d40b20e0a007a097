/**
 * Bulk work and pages of large documents share their thread with the requests of others, which wait while a line is parsed, a
 * change is decided, or a document is expanded. So all of it together has one turn between two looks at what others sent,
 * however many imports, batches and pages there are.
 */

/** The longest turn. */
const turnMs = 1;

/** When the turn of this round of the event loop ends; undefined before it begins. */
let endsAtMs: number | undefined;
let nextRound = Promise.resolve();

/** The items, made one after the other in turns. Rejects with the reason of the signal once it is aborted. */
export async function collectInTurns<T>(items: Iterable<T>, signal?: AbortSignal): Promise<T[]> {
  const collected: T[] = [];
  for (const item of items) {
    collected.push(item);
    signal?.throwIfAborted();
    const over = turnOver();
    if (over) await over;
  }
  return collected;
}

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
