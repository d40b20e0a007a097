/**
 * How many rounds a random test has: `all` in a run of all tests, `few` otherwise, or as `AGREEMENT_BATCHES` says.
 */
export function roundsOf(all: number, few: number): number {
  const { AGREEMENT_BATCHES: asked, TEST_ALL: isAll } = process.env;
  return asked === undefined ? (isAll === undefined ? few : all) : Number(asked);
}
