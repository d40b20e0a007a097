/**
 * How imports share the machine with those who call meanwhile (decision 210). While others call, the imports of a thread take
 * turns: one group of all of them is decided and committed at a time, and each turn is followed by a rest in proportion to it.
 */
export interface Pace {
  /** True while others call: then no group may begin but in a turn. */
  givesWay(): boolean;
  /**
   * Waits until the turn before is over and rested from; no longer than that if nobody else calls any more, or `isOver`.
   * Resolves to what ends the turn, to be called once.
   */
  takeTurn(isOver: () => boolean): Promise<() => void>;
}

/** However long a turn took, the next one comes after such a rest: an import may be slow, but goes on. */
export const longestRestMs = 1000;

/** So often a rest looks whether it is still needed. */
const lookMs = 25;

/** `share` has the percentage of the time that imports may work: 100 while nobody else calls. */
export function createPace(share: Int32Array): Pace {
  const percentage = () => Atomics.load(share, 0);
  /** When the last turn was over. */
  let before = Promise.resolve();
  let restUntilMs = 0;

  async function rest(isOver: () => boolean): Promise<void> {
    for (;;) {
      const leftMs = restUntilMs - performance.now();
      if (leftMs <= 0 || percentage() === 100 || isOver()) return;
      await new Promise((resolve) => setTimeout(resolve, Math.min(leftMs, lookMs)));
    }
  }

  return {
    givesWay: () => percentage() < 100,
    async takeTurn(isOver) {
      const previous = before;
      const over = Promise.withResolvers<void>();
      before = over.promise;
      await previous;
      await rest(isOver);
      const begunMs = performance.now();
      return () => {
        const endedMs = performance.now();
        const workMs = endedMs - begunMs;
        restUntilMs = endedMs + Math.min(longestRestMs, workMs * (100 / percentage() - 1));
        over.resolve();
      };
    },
  };
}
