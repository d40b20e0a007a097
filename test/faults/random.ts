import { type Random, randomOf } from '../../tools/prove/random.ts';
import { testSeed } from '../seed.ts';

export type { Random } from '../../tools/prove/random.ts';

/** The random numbers of a test file, from the seed of the run: `TEST_SEED=<number> npm test -- <file>` repeats it. */
export function createRandom(seed = testSeed): Random {
  return randomOf(seed);
}
