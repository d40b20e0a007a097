import { crc32 } from 'node:zlib';
import { ServiceError } from '../../contract/errors.ts';
import type { Cause, EventType, LoggedChange, Origin } from '../../domain/ports/change-log.ts';

/** What an event says, without its place in the log, which the database gives it. */
export interface EventContent {
  readonly at: string;
  readonly type: EventType;
  readonly id: string;
  readonly key: string | null;
  readonly version: number;
  readonly incarnation: string | null;
  readonly client_id: string;
  /** JSON text of the rest of the origin. */
  readonly origin: string;
  readonly before: string | null;
}

/** A row of `event`. */
export interface EventRow extends EventContent {
  readonly project_key: string;
  readonly sequence: number;
  /** Bytes of all events of the project up to this one. */
  readonly total: number;
  readonly checksum: number;
}

const contentColumns = [
  ...(['at', 'type', 'id', 'key', 'version', 'incarnation', 'client_id', 'origin', 'before'] as const),
] as const satisfies readonly (keyof EventContent)[];

/** The columns of an `EventRow` of `event e`, in a SELECT. */
export const eventColumns = ['project_key', 'sequence', 'total', ...contentColumns, 'checksum']
  .map((name) => `e.${name}`)
  .join(', ');

/** True for projects that have a log: companions, whose names have a `~`, have none. */
export function hasLog(projectKey: string): boolean {
  return !projectKey.includes('~');
}

/** The columns that an origin is kept in. */
export function originColumns(origin: Origin): Pick<EventContent, 'at' | 'type' | 'client_id' | 'origin'> {
  const { type, at, clientId, cause, actions, externalUserId, correlationId } = origin;
  return { at, type, client_id: clientId, origin: JSON.stringify({ cause, actions, externalUserId, correlationId }) };
}

/** What pruning counts of an event: its texts, and what a row takes besides with its places in the indexes. */
export function bytesOf({ id, key, origin, before }: EventContent): number {
  return 250 + 2 * id.length + (key?.length ?? 0) + origin.length + (before === null ? 0 : Buffer.byteLength(before));
}

/** CRC-32 over the content. The checksum of the row is this plus `sequence` plus `total`, which the database knows. */
export function contentChecksum(projectKey: string, content: EventContent): number {
  const { at, type, id, key, version, incarnation, client_id, origin, before } = content;
  const head = [projectKey, at, type, id, key, version, incarnation, client_id, origin, before === null];
  return crc32(before ?? '', crc32(JSON.stringify(head)));
}

/** True where a row is what was written. */
export function isIntactEvent(row: EventRow): boolean {
  return row.checksum === contentChecksum(row.project_key, row) + row.sequence + row.total;
}

interface OriginRest {
  readonly cause: Cause;
  readonly actions?: readonly string[];
  readonly externalUserId?: string;
  readonly correlationId?: string;
}

/** The change that a row keeps. Throws `DataCorruption` where the row is not what was written. */
export function changeOf(row: EventRow): LoggedChange {
  if (!isIntactEvent(row)) {
    const message = `The record of change ${row.sequence} in the log of the project is damaged and is not served.`;
    throw new ServiceError('DataCorruption', message);
  }
  const { cause, actions, externalUserId, correlationId } = JSON.parse(row.origin) as OriginRest;
  return {
    sequence: row.sequence,
    id: row.id,
    key: row.key ?? undefined,
    version: row.version,
    incarnation: row.incarnation ?? undefined,
    origin: {
      ...{ type: row.type, cause, at: row.at, clientId: row.client_id },
      ...(actions && { actions }),
      ...(externalUserId !== undefined && { externalUserId }),
      ...(correlationId !== undefined && { correlationId }),
    },
    before: row.before,
  };
}

/** A row without what a forgotten resource must leave: what was replaced, its key and the ids of users. */
export function forgottenContent(row: EventRow): EventContent {
  let origin = '{"cause":"draft"}';
  try {
    const { externalUserId: _, ...rest } = JSON.parse(row.origin) as OriginRest;
    origin = JSON.stringify(rest);
  } catch {
    // The row is damaged: nothing of it is kept that may name somebody.
  }
  return { ...row, key: null, origin, before: null };
}
