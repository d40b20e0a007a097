import { crc32 } from 'node:zlib';
import { documentsBefore } from '../../domain/history/replaced.ts';
import type { Documents } from '../../domain/ports/resource-store.ts';
import type { DocumentTexts } from './stored-row.ts';

export { documentsBefore, replacedBy } from '../../domain/history/replaced.ts';

/** What a deletion replaces: the documents, as their JSON texts. */
export function replacedByDeletion({ current, staged }: DocumentTexts): string {
  return `{"current":{"whole":${current}}${staged === null ? '' : `,"staged":{"whole":${staged}}`}}`;
}

/** What an update replaces that is recorded without a comparison: the documents as their JSON texts. */
export function replacedWhole({ current, staged }: DocumentTexts): string {
  return `{"current":{"whole":${current}},"staged":${staged === null ? 'null' : `{"whole":${staged}}`}}`;
}

/** A change as it is stored, to be indexed. */
export interface ChangeRecord {
  readonly sequence: number;
  readonly projectKey: string;
  readonly row: number;
  /** See `documentsBefore`. */
  readonly before: string | null;
}

/** The documents before all of these changes of one row, given in their order, from those after them. */
export function documentsBeforeAll(
  records: readonly ChangeRecord[],
  after: Documents | undefined,
): Documents | undefined {
  return records.reduceRight((next, { before }) => documentsBefore(before, next), after);
}

/** CRC-32 over a record. */
export function recordChecksum({ sequence, projectKey, row, before }: ChangeRecord): number {
  return crc32(before ?? 'null', crc32(`${sequence}\n${projectKey}\n${row}\n`));
}
