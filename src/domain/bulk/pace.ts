/**
 * How imports share the machine with those who call meanwhile: half of the time is theirs. While others call, the imports of a thread
 * take turns, so that one group of all of them is decided and committed at a time, and after each turn they pause for as long as it took.
 */
export interface Pace {
  /** True while others call: then no group may begin but in a turn. */
  givesWay(): boolean;
  /**
   * Waits until the pause after the turn before is over; no longer than that if nobody else calls any more, or `isOver`.
   * Resolves to what ends the turn, to be called once.
   */
  takeTurn(isOver: () => boolean): Promise<() => void>;
}

/** However long a turn took, the next one comes after such a pause: an import may be slow, but goes on. */
export const longestPauseMs = 1000;

/** So often a pause looks whether it is still needed. */
const lookMs = 25;

/** `calls` is 1 while others call, in memory that is shared with the thread that notices them. */
export function createPace(calls: Int32Array): Pace {
  const givesWay = () => Atomics.load(calls, 0) === 1;
  /** When the last turn is over. */
  let before = Promise.resolve();
  let pausedUntilMs = 0;

  async function pause(isOver: () => boolean): Promise<void> {
    for (;;) {
      const leftMs = pausedUntilMs - performance.now();
      if (leftMs <= 0 || !givesWay() || isOver()) return;
      await new Promise((resolve) => setTimeout(resolve, Math.min(leftMs, lookMs)));
    }
  }

  return {
    givesWay,
    async takeTurn(isOver) {
      const previous = before;
      const over = Promise.withResolvers<void>();
      before = over.promise;
      await previous;
      await pause(isOver);
      const begunMs = performance.now();
      return () => {
        const endedMs = performance.now();
        pausedUntilMs = endedMs + Math.min(longestPauseMs, endedMs - begunMs);
        over.resolve();
      };
    },
  };
}
