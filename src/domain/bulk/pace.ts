/**
 * How imports share the machine with those who call meanwhile. While others call, the imports of a thread take
 * turns: one group of all of them is decided and committed at a time, and each turn is followed by a rest in proportion to what
 * it took of a processor core.
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

/**
 * `share` has the percentage of the time that imports may work: 100 while nobody else calls. `workMs`: what imports have taken
 * of a core since the start; where that is not known, the time of their turns counts.
 */
export function createPace(share: Int32Array, workMs?: () => number): Pace {
  const percentage = () => Atomics.load(share, 0);
  let turnsMs = 0;
  const work = workMs ?? (() => turnsMs);
  /** When the last turn is over. */
  let before = Promise.resolve();
  let endedMs = 0;
  /** All work when the last turn began: what was parsed since belongs to the turn, too. */
  let workAtBegin = 0;

  function restLeftMs(): number {
    const restMs = (work() - workAtBegin) * (100 / percentage() - 1);
    return endedMs + Math.min(longestRestMs, restMs) - performance.now();
  }

  async function rest(isOver: () => boolean): Promise<void> {
    for (let leftMs = restLeftMs(); leftMs > 0 && !isOver(); leftMs = restLeftMs()) {
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
      workAtBegin = work();
      const begunMs = performance.now();
      return () => {
        endedMs = performance.now();
        turnsMs += endedMs - begunMs;
        over.resolve();
      };
    },
  };
}
