import { ServiceError } from '../../contract/errors.ts';
import type { ResourceRecord, VersionChange } from '../../domain/ports/resource-store.ts';
import { type ResourceRow, rowChecksum } from './checksum.ts';

/** A row of `resource` as it is stored, with its checksum. */
export type StoredRow = ResourceRow & { readonly checksum: number };

/** The stored form of history: `[[version, [field, …]], …]`. */
export function writeHistory(history: readonly VersionChange[]): string {
  return `[${history.map(({ version, fields }) => `[${version},[${fields.map(quoted).join()}]]`).join()}]`;
}

/** Names that stand in JSON as they are; every update writes some of them again. */
const plainName = /^[\w.$-]*$/;

function quoted(name: string): string {
  return plainName.test(name) ? `"${name}"` : JSON.stringify(name);
}

function readHistory(text: string): readonly VersionChange[] {
  return (JSON.parse(text) as [number, string[]][]).map(([version, fields]) => ({ version, fields }));
}

/** True where the content of a row is what was written. */
export function isIntact(row: StoredRow): boolean {
  return rowChecksum(row) === row.checksum;
}

/** The record of a row. Throws `DataCorruption` where its content is not what was written: that is never served. */
export function recordOf(row: StoredRow): ResourceRecord {
  if (!isIntact(row)) {
    const message = `The stored resource '${row.id}' is damaged and is not served. Restore it from a backup.`;
    throw new ServiceError('DataCorruption', message);
  }
  let history: readonly VersionChange[] | undefined;
  return {
    projectKey: row.project_key,
    id: row.id,
    key: row.key ?? undefined,
    version: row.version,
    createdAt: row.created_at,
    lastModifiedAt: row.modified_at,
    current: row.current,
    staged: row.staged ?? undefined,
    // Most reads never look at it.
    get history() {
      history ??= readHistory(row.history);
      return history;
    },
  };
}
