import type { JsonObject } from '../../src/contract/json.ts';
import { canonicalInstant } from '../../src/domain/instant.ts';
import type {
  Change,
  IdempotentResponse,
  ResourceRecord,
  StorableRecord,
} from '../../src/domain/ports/resource-store.ts';
import { historyOf } from '../../src/domain/resource/resource.ts';

/** Decided changes for tests of the store alone: documents in the form in which the service keeps them. */
const time = '2026-01-02T03:04:05.678Z';

export function document(id: string, version: number, fields: JsonObject = {}, key?: string): JsonObject {
  return {
    id,
    version,
    ...(key === undefined ? {} : { key }),
    createdAt: time,
    lastModifiedAt: time,
    ...fields,
    objectTypeProperty: {},
  };
}

export function record(projectKey: string, current: JsonObject, staged?: JsonObject): StorableRecord {
  const instant = canonicalInstant(time) ?? '';
  return uncheckedRecord({
    projectKey,
    id: String(current.id),
    key: typeof current.key === 'string' ? current.key : undefined,
    version: Number(current.version),
    createdAt: instant,
    lastModifiedAt: instant,
    current: JSON.stringify(current),
    staged: staged && JSON.stringify(staged),
    incarnation: undefined,
    history: historyOf([{ version: Number(current.version), fields: Object.keys(current) }]),
  });
}

/** A record that a store is given although it did not pass the check of documents. */
export const uncheckedRecord = (record: ResourceRecord) => record as StorableRecord;

export function creation(projectKey: string, current: JsonObject, idempotency?: IdempotentResponse): Change {
  const change = { kind: 'create', next: record(projectKey, current), after: { current } } as const;
  return idempotency ? { ...change, idempotency } : change;
}

export function replacement(projectKey: string, before: JsonObject, after: JsonObject): Change {
  return {
    kind: 'update',
    expectedVersion: Number(before.version),
    next: record(projectKey, after),
    before: { current: before },
    after: { current: after },
  };
}

export function deletion(projectKey: string, before: JsonObject): Change {
  return {
    kind: 'delete',
    projectKey,
    id: String(before.id),
    expectedVersion: Number(before.version),
    before: { current: before },
  };
}
