/** The number of a change beyond it is damage: no store counts so far, and sums with it stay exact. */
export const maxCounted = 2 ** 52;

/** The value of a column that counts, in SQL: a damaged one must not make a sum, or what reads it, fail. */
export const boundedCount = (column: string) => `max(0, min(${column}, ${maxCounted}))`;

/** Adds to a count of a project, with the project and the difference as parameters. */
export const countingUp = (table: string, column: string) =>
  `INSERT INTO ${table} (project_key, ${column}) VALUES (?, ?)
    ON CONFLICT DO UPDATE SET ${column} = ${boundedCount(`${table}.${column}`)} + excluded.${column}`;

/** The number of the last change, in SQL. */
export const lastSequence = `coalesce((SELECT max(sequence) FROM change WHERE sequence <= ${maxCounted}), 0)`;

/** The number of the last commit, in SQL over `store`: what the acknowledged file keeps. */
export const commitNumber = `commits + ${lastSequence}`;
