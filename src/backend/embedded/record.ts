import type { JsonValue } from '../../contract/json.ts';
import { parseStoredJson } from '../../domain/json/parse.ts';
import { getOwn } from '../../domain/json/values.ts';
import type { ActionRequest } from '../../domain/ports/backend.ts';
import type { ResourceRecord } from '../../domain/ports/resource-store.ts';
import { parseRecord } from '../../domain/resource/resource.ts';
import type { WriteContext } from '../../domain/resource/write/decision.ts';
import { etagOf } from '../../domain/resource/write/preconditions.ts';

/** The companion project that holds the records of a backend. No path of a client leads there. */
export function backendProject(projectKey: string): string {
  return `${projectKey}~backend`;
}

/** A stored value: its JSON text, so that the store does not depend on its depth and its digits. */
export interface Stored {
  readonly text: string;
  /** The number of writes; several may share a version of the record. */
  readonly writes: number;
}

/** The content of a record. */
export function storedOf(record: ResourceRecord): Stored {
  const { current } = parseRecord(record).resource;
  return { text: getOwn(current, 'json') as string, writes: getOwn(current, 'writes') as number };
}

/** The value of a record. */
export function storedValueOf(record: ResourceRecord): JsonValue {
  return parseStoredJson(storedOf(record).text);
}

/**
 * The entity tag of a value. Several writes may share a version of the record, so it has their number instead. Before the
 * first write it is `"0"`.
 */
export function valueTag(
  writes: number,
  record: Pick<ResourceRecord, 'incarnation' | 'createdAt'> | undefined,
): string {
  if (record === undefined) return '"0"';
  const { incarnation, createdAt } = record;
  return etagOf({ version: writes, incarnation, createdAt });
}

export interface World {
  readonly nowMs: () => number;
  readonly newId: () => string;
}

/** The author and time of a write. A JSON text takes at most twice its length inside another one. */
export function contextOf(
  { clientId, externalUserId }: ActionRequest,
  { nowMs, newId }: World,
  maxDocumentBytes: number,
): WriteContext {
  const nowIso = new Date(nowMs()).toISOString();
  return { nowIso, clientId, externalUserId, newId, maxDocumentBytes: 2 * maxDocumentBytes };
}
