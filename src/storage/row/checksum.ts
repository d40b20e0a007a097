import { crc32 } from 'node:zlib';

/** The columns of `resource` that a checksum covers, in the order of the table. */
export interface ResourceRow {
  readonly project_key: string;
  readonly id: string;
  readonly key: string | null;
  readonly version: number;
  readonly created_at: string;
  readonly modified_at: string;
  readonly current: string;
  readonly staged: string | null;
  readonly history: string;
}

/**
 * CRC-32 over a row. SQLite serves most single-bit flips of a page as valid data; this finds all of them, and any
 * other damage but for one case in 2³².
 */
export function rowChecksum(row: ResourceRow): number {
  const head = `${row.project_key}\n${row.id}\n${row.key ?? ''}\n${row.version}\n${row.created_at}\n${row.modified_at}\n${row.history}\n`;
  const body = crc32(row.current, crc32(head));
  return row.staged === null ? body : crc32(row.staged, (body ^ 1) >>> 0);
}
