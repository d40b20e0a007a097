import { testSeed } from './seed.ts';

/**
 * How many rounds a random test has: `all` in a run of all tests, `few` otherwise, or as `AGREEMENT_BATCHES` says.
 */
export function roundsOf(all: number, few: number): number {
  const { AGREEMENT_BATCHES: asked, TEST_ALL: isAll } = process.env;
  return asked === undefined ? (isAll === undefined ? few : all) : Number(asked);
}

/**
 * One of `oneOf` items, at least one: those that the seed of the run chooses, the same in every run but in those of
 * `npm run explore`, which try the others.
 */
export function sampleOf<T>(items: readonly T[], oneOf: number): readonly T[] {
  const first = testSeed % Math.min(oneOf, items.length);
  return items.filter((_, at) => at % oneOf === first);
}
