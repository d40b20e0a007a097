import { ServiceError } from '../../../contract/errors.ts';
import type { JsonObject, JsonValue } from '../../../contract/json.ts';
import { checkDraft, type Draft } from '../../../contract/resource.ts';
import { isJsonObject, mergeObject, type ObjectInProgress, setOwn } from '../../json/values.ts';
import type { ResourceRecord } from '../../ports/resource-store.ts';
import { parseRecord, type StoredResource } from '../resource.ts';
import type { PointReads } from '../target.ts';
import { commitDecided, type Write, type WriteResponse } from './commit.ts';
import { type Decision, decideCreate, decideEdit, type Edit, emptiedIfDamaged, type WriteContext } from './decision.ts';
import { checkPreconditions, type Preconditions } from './preconditions.ts';

/**
 * What a draft does to the fields of an existing resource (decision 10): `replaceFields` (POST) replaces the top-level
 * fields that it has, `merge` (PATCH) merges deeply, `overwrite` (PUT) replaces all of the client's own fields.
 */
export type DraftMode = 'replaceFields' | 'merge' | 'overwrite';

/** Writes a draft to the collection: E6, E7 or E8 by its mode (decision 10). */
export async function writeDraft(write: Write, mode: DraftMode, body: JsonValue | undefined): Promise<WriteResponse> {
  const { store, projectKey, context, preconditions } = write;
  const draft = checkDraft(body, preconditions.version);
  return commitDecided(write, async () => {
    const target =
      mode === 'overwrite'
        ? await findOverwritten(store, projectKey, draft, context)
        : await findDraftTarget(store, projectKey, draft);
    return decideDraft(target, draft, mode, preconditions, projectKey, context);
  });
}

/** The resource that a draft is for: by its id, else by its key. Refused if the two name different ones. */
export async function findDraftTarget(
  store: PointReads,
  projectKey: string,
  { id, key }: Pick<Draft, 'id' | 'key'>,
): Promise<StoredResource | undefined> {
  const byKey = typeof key === 'string' ? await store.getByKey(projectKey, key) : undefined;
  if (id === undefined || byKey?.id === id) return byKey && parseRecord(byKey);
  if (byKey !== undefined) throw duplicateKey(byKey);
  const byId = await store.get(projectKey, id);
  return byId && parseRecord(byId);
}

/** Finds what a draft with all fields replaces: a damaged resource is replaced as well. */
export async function findOverwritten(
  store: PointReads,
  projectKey: string,
  draft: Pick<Draft, 'id' | 'key'>,
  context: WriteContext,
): Promise<StoredResource | undefined> {
  try {
    return await findDraftTarget(store, projectKey, draft);
  } catch (error) {
    const found = emptiedIfDamaged(error, context);
    // The key of the draft may be that of another resource, which is damaged.
    if (draft.id !== undefined && draft.id !== found.record.id) throw duplicateKey(found.record);
    return found;
  }
}

/** The error for a key that another resource of the project has (decision 10), or another subscription. */
export function duplicateKey({ id, key }: ResourceRecord, typeId = 'resource'): ServiceError {
  return new ServiceError('DuplicateField', `A duplicate value ${key} exists for field key.`, {
    field: 'key',
    duplicateValue: key,
    conflictingResource: { typeId, id },
  });
}

/** Decides what a draft does to its target, or which resource it creates. */
export function decideDraft(
  target: StoredResource | undefined,
  draft: Draft,
  mode: DraftMode,
  conditions: Preconditions,
  projectKey: string,
  context: WriteContext,
): Decision {
  checkPreconditions(conditions, target, draft.version);
  const edit = editByDraft(target, draft, mode);
  if (target !== undefined) return decideEdit(target, edit, context);
  return decideCreate(projectKey, draft.id ?? context.newId(), edit, context);
}

/**
 * The edit that a draft makes. It changes the current projection, and the staged one in the same way where something
 * is staged: a draft is never hidden by older staged changes, nor does it drop them.
 */
export function editByDraft(
  target: StoredResource | undefined,
  { key, fields }: Pick<Draft, 'key' | 'fields'>,
  mode: DraftMode,
): Edit {
  const before = target?.resource;
  return {
    key: key === undefined ? before?.key : (key ?? undefined),
    current: applyFields(mode, before?.current ?? {}, fields),
    staged: before?.staged && applyFields(mode, before.staged, fields),
  };
}

/** Applies the fields of a draft; `null` leaves no field behind, as `null` is absent (decision 8). */
function applyFields(mode: DraftMode, own: JsonObject, fields: JsonObject): JsonObject {
  if (mode === 'merge') return mergeObject(own, fields);
  const result: ObjectInProgress = mode === 'overwrite' ? {} : { ...own };
  for (const [name, value] of Object.entries(fields)) {
    if (value === null) delete result[name];
    else setOwn(result, name, name === 'objectTypeProperty' ? withoutNulls(value) : value);
  }
  return result;
}

/** In the known nested object `null` fields count as absent; other objects of the client stay as they are. */
function withoutNulls(value: JsonValue): JsonValue {
  if (!isJsonObject(value) || !Object.values(value).includes(null)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
}
