import { crc32 } from 'node:zlib';
import { ServiceError } from '../../contract/errors.ts';
import type { JsonObject } from '../../contract/json.ts';
import { DamagedData } from '../../domain/damaged-data.ts';
import { parseStoredJson } from '../../domain/json/parse.ts';
import type { Documents, ResourceRecord } from '../../domain/ports/resource-store.ts';
import { DamagedResource } from '../../domain/resource/damaged.ts';

/** The columns of `resource` that a checksum covers, in the order of the table. */
export interface ResourceRow {
  readonly project_key: string;
  readonly id: string;
  readonly key: string | null;
  readonly version: number;
  readonly incarnation: string | null;
  readonly created_at: string;
  readonly modified_at: string;
  readonly current: string;
  readonly staged: string | null;
  readonly history: string;
}

/** Both projections of a row as JSON texts. */
export type DocumentTexts = Pick<ResourceRow, 'current' | 'staged'>;

/** A row of `resource` as it is stored, with its checksum. */
export type StoredRow = ResourceRow & { readonly checksum: number };

/** A row of a file of SQLite with its number. */
export type NumberedRow = StoredRow & { readonly row: number };

const columns = [
  ...(['project_key', 'id', 'key', 'version', 'incarnation', 'created_at', 'modified_at'] as const),
  ...(['current', 'staged', 'history', 'checksum'] as const),
];

/** The columns of a `StoredRow`, in SQL. */
export const rowColumns = columns.join(', ');

/** The values of a row, in the order of these columns. */
export function valuesOf(row: StoredRow): (string | number | null)[] {
  return columns.map((name) => row[name]);
}

/**
 * CRC-32 over a row. SQLite serves most single-bit flips of a page as valid data; this detects all of them, and any
 * other damage but for one case in 2³².
 */
export function rowChecksum(row: ResourceRow): number {
  const head = `${row.project_key}\n${row.id}\n${row.key ?? ''}\n${row.version}\n${row.incarnation ?? ''}\n${row.created_at}\n${row.modified_at}\n${row.history}\n`;
  return checksumAfter(crc32(head), row);
}

/**
 * The checksum of a row whose columns before the documents have the CRC-32 `seed`. NaN, which no checksum is, where a document is
 * no text: one bit makes a text in a file of SQLite the same bytes as a blob, or NULL a number.
 */
export function checksumAfter(seed: number, { current, staged }: DocumentTexts): number {
  if (typeof current !== 'string' || (staged !== null && typeof staged !== 'string')) return Number.NaN;
  const body = crc32(current, seed);
  return staged === null ? body : crc32(staged, stagedSeed(body));
}

/** What the CRC-32 of the staged text goes on from, after that of all before it. */
export function stagedSeed(body: number): number {
  return (body ^ 1) >>> 0;
}

/** The row of a record. */
export function rowOf(record: ResourceRecord): StoredRow {
  const row = {
    project_key: record.projectKey,
    id: record.id,
    key: record.key ?? null,
    version: record.version,
    incarnation: record.incarnation ?? null,
    created_at: record.createdAt,
    modified_at: record.lastModifiedAt,
    current: record.current,
    staged: record.staged ?? null,
    history: record.history,
  };
  return { ...row, checksum: rowChecksum(row) };
}

/** True where the content of a row is what was written. */
export function isIntact(row: StoredRow): boolean {
  return rowChecksum(row) === row.checksum;
}

/** The documents of a row, to be indexed. Throws where the row is not what was written, or its documents cannot be read. */
export function checkedDocuments(row: StoredRow): Documents {
  if (!isIntact(row)) throw new Error('its checksum does not match');
  const { current, staged } = row;
  const parse = (text: string) => parseStoredJson(text) as JsonObject;
  return staged === null ? { current: parse(current) } : { current: parse(current), staged: parse(staged) };
}

/** The record of a row. Throws `DamagedResource` where the content is not what was written: that is never served. */
export function recordOf(row: StoredRow): ResourceRecord {
  if (rowChecksum(row) !== row.checksum) throw new DamagedResource(remainsOf(row), 'its checksum does not match');
  return {
    projectKey: row.project_key,
    id: row.id,
    key: row.key ?? undefined,
    version: row.version,
    createdAt: row.created_at,
    lastModifiedAt: row.modified_at,
    current: row.current,
    staged: row.staged ?? undefined,
    incarnation: row.incarnation ?? undefined,
    history: row.history,
  };
}

/** The records of rows up to the first one that is damaged. Throws `DamagedResource` where that is the first of all. */
export function* recordsOf(rows: Iterable<StoredRow>): Generator<ResourceRecord> {
  let isFirst = true;
  for (const row of rows) {
    if (!isFirst && !isIntact(row)) return;
    isFirst = false;
    yield recordOf(row);
  }
}

/** What a damaged row says, whose values may be of any type. */
function remainsOf(row: StoredRow): ResourceRecord {
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  return {
    projectKey: text(row.project_key),
    id: text(row.id),
    key: typeof row.key === 'string' ? row.key : undefined,
    // Anything but a number is none, as where a write compares it.
    version: typeof row.version === 'number' ? row.version : 0,
    createdAt: text(row.created_at),
    lastModifiedAt: text(row.modified_at),
    ...{ current: '{}', staged: undefined, history: '' },
  };
}

/** The error for a page with a row that is not what was written. `rows`: those of the page, where the engine numbers them. */
export function damagedPage(rows?: readonly number[]): ServiceError {
  return new DamagedData('A stored resource of this page is damaged; the page is not served.', { rows });
}

/** The error for a search that reads a row that is not what was written. */
export function damagedDocument(row: number): ServiceError {
  return new DamagedData('A stored resource that this search reads is damaged; the search is not answered.', {
    rows: [row],
  });
}

/** The error for a page with more bytes than a response may have; its first `fitting` resources have fewer. */
export function pageTooLarge(maxPageBytes: number, fitting: number): ServiceError {
  return new ServiceError(
    'InvalidInput',
    `Malformed parameter: limit: The page would have more than ${maxPageBytes} bytes; ask for a smaller limit, ${Math.max(1, fitting)} or less.`,
  );
}
