import type { StoredRow } from '../../row/stored-row.ts';

/** The columns of `resource` that make a `StoredRow`, in this order. */
export const rowColumns = 'project_key, id, key, version, created_at, modified_at, current, staged, history, checksum';

/** A row as SQLite answers it to `setReturnArrays`: to name the columns of each row costs as much as to read it. */
export type RowColumns = readonly unknown[] &
  readonly [string, string, string | null, number, string, string, string, string | null, string, number];

/** Names the columns. */
export function toRow(columns: RowColumns): StoredRow {
  const [project_key, id, key, version, created_at, modified_at, current, staged, history, checksum] = columns;
  return { project_key, id, key, version, created_at, modified_at, current, staged, history, checksum };
}
