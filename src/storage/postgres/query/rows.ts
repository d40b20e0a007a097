import type { ResourceRecord } from '../../../domain/ports/resource-store.ts';
import { rowChecksum, type StoredRow, writeHistory } from '../../row/stored-row.ts';

/** The columns of `resource r` that make a `StoredRow`. */
export const rowColumns =
  'r.project_key, r.id, r.key, r.version, r.created_at, r.modified_at, r.current, r.staged, r.history, r.checksum';

/** The row of a record. */
export function rowOf(record: ResourceRecord): StoredRow {
  const row = {
    project_key: record.projectKey,
    id: record.id,
    key: record.key ?? null,
    version: record.version,
    created_at: record.createdAt,
    modified_at: record.lastModifiedAt,
    current: record.current,
    staged: record.staged ?? null,
    history: writeHistory(record.history),
  };
  return { ...row, checksum: rowChecksum(row) };
}
