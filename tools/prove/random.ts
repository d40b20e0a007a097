/** Random numbers from a seed (mulberry32), so that a run can be repeated. */
export interface Random {
  readonly seed: number;
  /** From 0 up to, not including, 1. */
  next(): number;
  /** A whole number from `from` to `to`, both included. */
  integer(from: number, to: number): number;
  pick<T>(items: readonly T[]): T;
  shuffled<T>(items: readonly T[]): readonly T[];
}

/** The random numbers of a seed. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    ...{ seed, next, integer },
    pick: (items) => items[integer(0, items.length - 1)]!,
    shuffled(items) {
      const result = [...items];
      for (let i = result.length - 1; i > 0; i -= 1) {
        const other = integer(0, i);
        [result[i], result[other]] = [result[other]!, result[i]!];
      }
      return result;
    },
  };
}
