/** The number of the last change, in SQL. */
export const lastSequence = 'coalesce((SELECT max(sequence) FROM change), 0)';

/** The number of the last commit, in SQL over `store`: what the acknowledged file keeps. */
export const commitNumber = `commits + ${lastSequence}`;
