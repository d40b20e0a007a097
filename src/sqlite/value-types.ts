/*
 * A damaged value may have another type than its column, which SQLite refuses where it is written but not where it is read. It is damage
 * of one row: whoever reads the row notices it, and the other rows are served.
 */

/** True if columns have the types that they were declared with, in SQL. */
export function hasTypes(columns: Readonly<Record<string, 'integer' | 'text'>>): string {
  return Object.entries(columns)
    .map(([column, type]) => `typeof(${column}) = '${type}'`)
    .join(' AND ');
}

/** True if a finding of SQLite's check is about the type of one value. */
export function isOfOneValue(finding: string): boolean {
  return /^(?:NULL|NUMERIC|TEXT|non-\w+) value in /.test(finding);
}
