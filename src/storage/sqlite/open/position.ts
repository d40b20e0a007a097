/** The number of a change beyond it is damage: no store counts so far, and sums with it stay exact. */
export const maxCounted = 2 ** 52;

/** The number of the last change, in SQL. */
export const lastSequence = `coalesce((SELECT max(sequence) FROM change WHERE sequence <= ${maxCounted}), 0)`;

/** The number of the last commit, in SQL over `store`: what the acknowledged file keeps. */
export const commitNumber = `commits + ${lastSequence}`;
