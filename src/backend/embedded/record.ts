import type { JsonObject } from '../../contract/json.ts';
import { getOwn } from '../../domain/json/values.ts';
import type { ActionRequest } from '../../domain/ports/backend.ts';
import type { ResourceRecord } from '../../domain/ports/resource-store.ts';
import { parseRecord, type StoredResource } from '../../domain/resource/resource.ts';
import type { WriteContext } from '../../domain/resource/write/decision.ts';
import { etagOf } from '../../domain/resource/write/preconditions.ts';
import { dayAt, sessionsProjectOf } from '../../domain/sessions/sessions.ts';

/** The companion project that holds the records of a backend. No path of a client leads there. */
export function backendProject(projectKey: string): string {
  return `${projectKey}~backend`;
}

/** The fields of a record that hold a value. */
interface Slot {
  readonly json: string;
  readonly writes: string;
}

const ownSlot: Slot = { json: 'json', writes: 'writes' };
/** A session has its value beside its document, in one record. */
const valueSlot: Slot = { json: 'valueJson', writes: 'valueWrites' };

/** Where a value is stored: in a record of its own, or in that of a session. */
export interface Place {
  readonly slot: Slot;
  readonly session: string | undefined;
}

/** Where the document and the value of a project are, each in its record. */
export const ofProject: Place = { slot: ownSlot, session: undefined };

export function placeOf({ projectKey, headers }: ActionRequest, id: 'document' | 'value') {
  const session = headers['x-session-id'];
  if (session === undefined) return { projectKey: backendProject(projectKey), id, ...ofProject };
  const slot = id === 'value' ? valueSlot : ownSlot;
  return { projectKey: sessionsProjectOf(projectKey), id: session, slot, session };
}

/** A stored value: its JSON text, so that the store does not depend on its depth and its digits. */
export interface Stored {
  readonly text: string;
  /** The number of writes; several may share a version of the record. */
  readonly writes: number;
}

/** The content of a record at a place; undefined where nothing was written there. */
export function storedOf(record: ResourceRecord | undefined, { slot }: Place = ofProject): Stored | undefined {
  if (record === undefined) return undefined;
  const { current } = parseRecord(record).resource;
  const text = getOwn(current, slot.json) as string | undefined;
  return text === undefined ? undefined : { text, writes: getOwn(current, slot.writes) as number };
}

/** The content of a record with another value at a place. */
export function withStored(
  before: StoredResource | undefined,
  { text, writes }: Stored,
  { slot, session }: Place,
  nowMs: number,
): JsonObject {
  const value = { [slot.json]: text, [slot.writes]: writes };
  return session === undefined ? value : { ...before?.resource.current, ...value, usedOn: dayAt(nowMs) };
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
