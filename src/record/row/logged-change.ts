import { crc32 } from 'node:zlib';
import { ServiceError } from '../../contract/errors.ts';
import { DamagedData } from '../../domain/damaged-data.ts';
import type { Cause, EventType, LoggedChange, Origin } from '../../domain/ports/change-log.ts';
import type { Change } from '../../domain/ports/resource-store.ts';

/** An origin in the columns of a log. */
export interface OriginColumns {
  readonly type: EventType;
  /** ms since the epoch. */
  readonly at: number;
  readonly client: string;
  /** JSON: `[cause, external user id, correlation id, action, …]`, without the nulls at its end. */
  readonly origin: string;
}

/** The columns of an origin. */
export function originColumns(origin: Origin): OriginColumns {
  const { type, cause, at, clientId, externalUserId = null, correlationId = null, actions = [] } = origin;
  const parts = [cause, externalUserId, correlationId, ...actions];
  while (parts.at(-1) === null) parts.pop();
  return { type, at: Date.parse(at), client: clientId, origin: JSON.stringify(parts) };
}

/** The columns of a change that has no origin: it was decided at `nowMs`, by no client. */
export function columnsWithoutOrigin(kind: Change['kind'], nowMs: number): OriginColumns {
  const type = kind === 'create' ? 'created' : kind === 'update' ? 'updated' : 'deleted';
  return { type, at: nowMs, client: '', origin: kind === 'delete' ? '["delete"]' : '["draft"]' };
}

/** True for projects whose changes are logged: of companions, whose names have a `~`, their owners' logs tell. */
export function hasLog(projectKey: string): boolean {
  return !projectKey.includes('~');
}

/** The project that a companion project belongs to, in whose log the writes of its documents are. */
export function ownerOf(companion: string): string {
  return companion.slice(0, companion.indexOf('~'));
}

type OriginParts = [cause: Cause, user?: string | null, correlation?: string | null, ...actions: string[]];

/** The origin in columns of a log. */
function originOf({ type, at, client, origin }: OriginColumns): Origin {
  const [cause, externalUserId, correlationId, ...actions] = JSON.parse(origin) as OriginParts;
  return {
    ...{ type, cause, at: new Date(at).toISOString(), clientId: client },
    ...(actions.length > 0 && { actions }),
    ...(externalUserId != null && { externalUserId }),
    ...(correlationId != null && { correlationId }),
  };
}

/** The column `origin` without the external user. */
export function withoutUser(origin: string): string {
  const parts = JSON.parse(origin) as OriginParts;
  if (parts[1] == null) return origin;
  parts[1] = null;
  while (parts.at(-1) === null) parts.pop();
  return JSON.stringify(parts);
}

/** What a log says of a change, without its place in the log. */
export interface EventContent extends OriginColumns {
  readonly id: string;
  readonly key: string | null;
  readonly version: number;
  readonly incarnation: string | null;
  /** See `documentsBefore`. */
  readonly before: string | null;
}

/** A change in the columns of a log, apart from what it replaced. */
export interface LogRow extends Omit<EventContent, 'before'> {
  readonly sequence: number;
  readonly project_key: string;
  /** The sequence of the change before of the same resource; null where the log had none. */
  readonly previous: number | null;
}

/** CRC-32 over it. What it replaced has a checksum of its own: see `recordChecksum`. */
export function logChecksum(row: LogRow): number {
  const { sequence, project_key, id, key, version, incarnation, previous, type, at, client, origin } = row;
  return crc32(
    `${sequence}\n${project_key}\n${id}\n${key ?? ''}\n${version}\n${incarnation ?? ''}\n${previous ?? ''}\n${type}\n${at}\n${client}\n${origin}`,
  );
}

/** A change as the log returns it. */
export function loggedChange(row: EventContent & Pick<LogRow, 'sequence'>): LoggedChange {
  const { sequence, id, key, version, incarnation, before } = row;
  const known = { key: key ?? undefined, version, incarnation: incarnation ?? undefined };
  return { sequence, id, ...known, origin: originOf(row), before };
}

/** The error for a resource that exists and is to be forgotten. */
export function stillExists(id: string): ServiceError {
  return new ServiceError('InvalidOperation', `The resource '${id}' exists. Delete it before it can be forgotten.`);
}

/** The error for a change that is not what was written. */
export function damagedChange(sequence: number): ServiceError {
  const message = `The record of change ${sequence} is damaged and is not served. Restore it from a backup.`;
  return new DamagedData(message, { sequence });
}
