/** The number of a change beyond it is damage: no store counts so far, and sums with it stay exact. */
export const maxCounted = 2 ** 52;

/** The value of a column that counts, in SQL: a damaged one must not make a sum, or what reads it, fail. */
export const boundedCount = (column: string) => `max(0, min(coalesce(CAST(${column} AS INTEGER), 0), ${maxCounted}))`;

/** The tables that count something of a project, with their columns. */
const counts = { project: ['resources'], project_log: ['bytes', 'pruned'] };

/** Adds to the first count of a project, with the project and the difference as parameters. */
export function countingUp(table: keyof typeof counts): string {
  const [first, ...others] = counts[table];
  // A value of another type in the row would make the update fail.
  const typed = others.map((column) => `, ${column} = coalesce(CAST(${table}.${column} AS INTEGER), 0)`).join('');
  return `INSERT INTO ${table} (project_key, ${first}) VALUES (?, ?)
    ON CONFLICT DO UPDATE SET ${first} = ${boundedCount(`${table}.${first}`)} + excluded.${first}${typed}`;
}

/** The number of the last change, in SQL. */
export const lastSequence = `coalesce((SELECT max(sequence) FROM change WHERE sequence <= ${maxCounted}), 0)`;

/** The number of the last commit, in SQL over `store`: what the acknowledged file keeps. */
export const commitNumber = `commits + ${lastSequence}`;
