/**
 * The seed of everything that tests choose at random. It is the same in every run, so that a test that fails tells of
 * the change at hand and fails again when it is run again. Other seeds find what this one does not: `npm run explore`.
 */
export const testSeed = Number(process.env.TEST_SEED ?? 20_261_120);
