import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { LoggedChange } from '../../domain/ports/change-log.ts';
import { damagedChange, type EventContent, hasLog, loggedChange, ownerOf, withoutUser } from '../row/logged-change.ts';

/** A row of `event`. */
export interface EventRow extends EventContent {
  readonly project_key: string;
  readonly sequence: number;
  /** Bytes of all events of the project up to this one. */
  readonly total: number;
  readonly checksum: number;
}

const columns: readonly (keyof EventRow)[] = [
  ...(['project_key', 'sequence', 'total', 'at', 'type', 'id', 'key', 'version', 'incarnation'] as const),
  ...(['client', 'origin', 'before', 'checksum'] as const),
];

/** The columns of an `EventRow` of `event e`, in a SELECT. */
export const eventColumns = columns.map((name) => `e.${name}`).join(', ');

/**
 * Above all numbers that logs reach. A larger `sequence` or `total` is damage: it is left out where a log is continued, since sums with
 * it would not be exact, so that no later event would match its checksum.
 */
export const endOfNumbers = 2 ** 52;

/** `pruned` of the head `h` of a log; 0 where it is damaged so that no log can have it. */
export const headPruned = `CASE WHEN h.pruned BETWEEN 0 AND ${endOfNumbers} THEN h.pruned ELSE 0 END`;

/** The project whose log records these changes or document writes, or ''. */
export function logOf(projectKey: string): string {
  return hasLog(projectKey) ? projectKey : ownerOf(projectKey);
}

/**
 * The epoch of the log of a project that is begun now. Each log has another one: the same number, version and moment of
 * the documents of two projects would else give their events one id.
 */
export function epochOf(projectKey: string, epoch: string): string {
  return hash('sha256', `${epoch}\n${projectKey}`, 'base64url').slice(0, 12);
}

/** What pruning counts of an event: its texts, and what a row takes besides with its places in the indexes. */
export function bytesOf({ id, key, origin, before }: EventContent): number {
  return 250 + 2 * id.length + (key?.length ?? 0) + origin.length + (before === null ? 0 : Buffer.byteLength(before));
}

/** CRC-32 over the content. The checksum of the row is this plus `sequence` plus `total`, which the database knows. */
export function contentChecksum(projectKey: string, content: EventContent): number {
  const { at, type, id, key, version, incarnation, client, origin, before } = content;
  const head = [projectKey, at, type, id, key, version, incarnation, client, origin, before === null];
  return crc32(before ?? '', crc32(JSON.stringify(head)));
}

/** True where a row is what was written. */
export function isIntactEvent(row: EventRow): boolean {
  return row.checksum === contentChecksum(row.project_key, row) + row.sequence + row.total;
}

/** The change that a row keeps. Throws `DataCorruption` where the row is not what was written. */
export function changeOf(row: EventRow): LoggedChange {
  if (!isIntactEvent(row)) throw damagedChange(row.sequence);
  return loggedChange(row);
}

/** A row without what a forgotten resource must not leave: what was replaced, its key and the ids of users. */
export function forgottenContent(row: EventRow): EventContent {
  // Of a damaged row nothing is kept that may name somebody.
  return { ...row, key: null, origin: isIntactEvent(row) ? withoutUser(row.origin) : '["draft"]', before: null };
}
