import type { JsonObject } from '../../contract/json.ts';
import { canonicalInstant } from '../instant.ts';

/** Who writes, when, and with what means. Clock and ids come from outside, so that a decision is a pure function. */
export interface WriteContext {
  /** ISO 8601 in UTC. */
  readonly nowIso: string;
  readonly clientId: string;
  /** The caller's `X-External-User-ID`. */
  readonly externalUserId?: string | undefined;
  /** A new UUID at every call. */
  readonly newId: () => string;
  /** Largest document, without the service's own fields. */
  readonly maxDocumentBytes: number;
}

/** `createdBy` or `lastModifiedBy` for a write in this context (decision 8). */
export function authorOf(context: WriteContext): JsonObject {
  const { clientId, externalUserId } = context;
  return externalUserId === undefined ? { clientId } : { clientId, externalUserId };
}

/** The later of two points in time, as it was written: `lastModifiedAt` never goes back when the clock does. */
export function laterInstant(previous: string, now: string): string {
  return instantOf(now) < instantOf(previous) ? previous : now;
}

/** The form of a point in time that orders by bytes. The text is known to be a point in time. */
export function instantOf(text: string): string {
  // As the service writes it, and clients mostly do: UTC with milliseconds.
  if (text.length === 24 && text[19] === '.' && text.endsWith('Z')) return text.slice(0, 23).replace(/\.?0+$/, '');
  const instant = canonicalInstant(text);
  if (instant === undefined) throw new Error(`not a point in time: ${text}`);
  return instant;
}
