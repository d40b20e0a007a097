import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../../contract/json.ts';
import type { ResourceStore } from '../../ports/resource-store.ts';
import { parseRecord, type StoredResource } from '../resource.ts';
import { type Decision, decideCreate, decideUpdate, emptiedIfDamaged, type WriteContext } from './decision.ts';

/** Records that the service keeps in a companion project: their content is replaced as a whole. */

/** The context of what the service writes for itself, under a name of its own. */
export function serviceContext(clientId: string, nowIso = new Date().toISOString()): WriteContext {
  return { nowIso, clientId, newId: randomUUID, maxDocumentBytes: Number.POSITIVE_INFINITY };
}

/** Reads a record for a write that needs nothing of a damaged one: such a record is empty, and the write heals it. */
export async function readCompanionRecord(
  store: Pick<ResourceStore, 'get'>,
  projectKey: string,
  id: string,
  context: WriteContext,
): Promise<StoredResource | undefined> {
  try {
    const record = await store.get(projectKey, id);
    return record && parseRecord(record);
  } catch (error) {
    return emptiedIfDamaged(error, context);
  }
}

/** Decides to create a record, or to replace the whole content of the one before. */
export function decideRecord(
  projectKey: string,
  id: string,
  before: StoredResource | undefined,
  current: JsonObject,
  context: WriteContext,
): Decision {
  const edit = { key: undefined, current, staged: undefined };
  return before ? decideUpdate(before, edit, context) : decideCreate(projectKey, id, edit, context);
}
