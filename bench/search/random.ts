/** A number in [0, 1) from a seeded row: the same seed gives the same bench. */
export type Random = () => number;

/** The generator mulberry32: small, fast, and the same on every machine. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A whole number from 0 to `count` − 1, all equally likely. */
export function below(random: Random, count: number): number {
  return Math.floor(random() * count);
}

/** One of a list. */
export function pick<Value>(from: readonly Value[], random: Random): Value {
  return from[below(random, from.length)]!;
}

/** A list in another order. */
export function shuffled<Value>(from: readonly Value[], random: Random): readonly Value[] {
  const all = [...from];
  for (let at = all.length - 1; at > 0; at -= 1) {
    const to = below(random, at + 1);
    [all[at], all[to]] = [all[to]!, all[at]!];
  }
  return all;
}

/**
 * A rank from 0 to `count` − 1 by Zipf's law: rank r is drawn about as often as 1 / (r + 1 + offset) says
 * (Zipf–Mandelbrot; `offset` 0 is Zipf's own form, a greater one flattens the head).
 */
export function zipfRank(random: Random, count: number, offset: number): number {
  const first = 1 + offset;
  const drawn = first * ((count + first) / first) ** random() - first;
  return Math.min(count - 1, Math.floor(drawn));
}
