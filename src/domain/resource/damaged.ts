import { ServiceError } from '../../contract/errors.ts';
import { checkKey } from '../../contract/resource.ts';
import { canonicalInstant } from '../instant.ts';
import type { ResourceRecord } from '../ports/resource-store.ts';

/** The error for a resource that cannot be read: its bytes are not what was written, or its JSON cannot be parsed. */
export class DamagedResource extends ServiceError {
  /** The stored data, of which nothing is certain. Never served. */
  readonly remains: ResourceRecord;
  readonly reason: string;

  constructor(remains: ResourceRecord, reason: string) {
    super(
      'DataCorruption',
      `The stored resource '${remains.id}' is damaged: ${reason}. Overwrite it with PUT, delete it, or restore it from a backup.`,
    );
    this.remains = remains;
    this.reason = reason;
  }
}

/** Reads the reliable part of a damaged resource, completed by defaults. Malformed instants become `nowIso`. */
export function readRemains({ key, version, createdAt, lastModifiedAt }: ResourceRecord, nowIso: string) {
  const instant = (text: string) => {
    const iso = `${text}Z`;
    return canonicalInstant(iso) === undefined ? nowIso : iso;
  };
  return {
    key: key !== undefined && isKey(key) ? key : undefined,
    // 0 where it is not known.
    version: Number.isSafeInteger(version) && version > 0 ? version : 0,
    createdAt: instant(createdAt),
    lastModifiedAt: instant(lastModifiedAt),
  };
}

/** False for a damaged text that no write could have as its key. */
function isKey(text: string): boolean {
  try {
    return checkKey(text, 'key') === text && text.isWellFormed();
  } catch {
    return false;
  }
}
