/** However long a turn took, the pause after it is no longer: an import may be slow, but it continues. */
export const longestPauseMs = 1000;

/** A caller may wait for its response before it calls again. */
export const recentMs = 1000;

/** How often a pause checks whether it is still needed. */
const lookMs = 25;

export type Pace = ReturnType<typeof createPace>;

/**
 * How the imports of a process share the machine with other callers: half of the time is theirs. While others call, imports take
 * turns, so that one group of all of them is decided and committed at a time, and after each turn they pause for as long as it took.
 * Imports tell when they begin and end. `requests`: how many requests have begun in the process, those of imports included.
 */
export function createPace(requests: () => number) {
  let imports = 0;
  /** Requests when they were last counted, and imports that have begun since. */
  let counted = 0;
  let own = 0;
  let othersCalledMs = Number.NEGATIVE_INFINITY;
  /** When the last turn is over. */
  let before = Promise.resolve();
  let pausedUntilMs = 0;

  /** True while others call: then a group may begin only in a turn. */
  function givesWay(): boolean {
    const [now, total] = [performance.now(), requests()];
    if (total > counted + own) othersCalledMs = now;
    [counted, own] = [total, 0];
    return now - othersCalledMs < recentMs;
  }

  async function pause(isOver: () => boolean): Promise<void> {
    for (;;) {
      const leftMs = pausedUntilMs - performance.now();
      if (leftMs <= 0 || !givesWay() || isOver()) return;
      await new Promise((resolve) => setTimeout(resolve, Math.min(leftMs, lookMs)));
    }
  }

  return {
    add(): void {
      // Requests from before the first import say nothing about the present.
      if (imports === 0) [counted, own, othersCalledMs] = [requests(), 0, Number.NEGATIVE_INFINITY];
      else own += 1;
      imports += 1;
    },
    remove(): void {
      imports -= 1;
    },
    givesWay,
    /**
     * Waits until the pause after the previous turn is over; less if others stop calling, or `isOver`.
     * Resolves to the function that ends the turn, to be called once.
     */
    async takeTurn(isOver: () => boolean): Promise<() => void> {
      const previous = before;
      const over = Promise.withResolvers<void>();
      before = over.promise;
      await previous;
      await pause(isOver);
      const startMs = performance.now();
      return () => {
        const endMs = performance.now();
        pausedUntilMs = endMs + Math.min(longestPauseMs, endMs - startMs);
        over.resolve();
      };
    },
  };
}
