import type { JsonObject, JsonValue } from '../../contract/json.ts';
import { systemFieldNames } from '../../contract/resource.ts';
import { instantOf } from '../instant.ts';
import { parseStoredJson, stringifyJson } from '../json/parse.ts';
import { isJsonObject, jsonEquals, type ObjectInProgress, setOwn } from '../json/values.ts';
import type { Documents, ResourceRecord, StorableRecord } from '../ports/resource-store.ts';
import { checkStorable } from './check-stored.ts';
import { DamagedResource, readRemains } from './damaged.ts';
import { VersionHistory } from './version-history.ts';

/** A resource as a value that rules work on. The client's own fields are separate from the service's. */
export interface Resource {
  readonly projectKey: string;
  readonly id: string;
  readonly key: string | undefined;
  readonly version: number;
  /** ISO 8601, as in responses. */
  readonly createdAt: string;
  readonly lastModifiedAt: string;
  readonly createdBy: JsonObject;
  readonly lastModifiedBy: JsonObject;
  /** The client's own fields of the current projection. */
  readonly current: JsonObject;
  /** Those of the staged projection; undefined where it equals the current one (decision 13). */
  readonly staged: JsonObject | undefined;
  /** As in `ResourceRecord`. */
  readonly incarnation: string | undefined;
  readonly history: VersionHistory;
}

/** A resource in all forms: as a value, as the record of the store, and as documents for the indexes. */
export interface StoredResource {
  readonly resource: Resource;
  readonly record: ResourceRecord;
  readonly documents: Documents;
  /** What the store has, where that is damaged: then the others stand for an empty resource. */
  readonly remains?: ResourceRecord | undefined;
}

/** A resource that may be written. */
export interface StorableResource extends StoredResource {
  readonly record: StorableRecord;
}

/** Parses a record of the store. Throws `DamagedResource` where it is not JSON that the service accepts. */
export function parseRecord(record: ResourceRecord): StoredResource {
  const documents = documentsOf(record);
  const { current, staged } = documents;
  const resource: Resource = {
    projectKey: record.projectKey,
    id: record.id,
    key: record.key,
    version: record.version,
    createdAt: current.createdAt as string,
    lastModifiedAt: current.lastModifiedAt as string,
    createdBy: current.createdBy as JsonObject,
    lastModifiedBy: current.lastModifiedBy as JsonObject,
    current: ownFieldsOf(current),
    staged: staged && ownFieldsOf(staged),
    incarnation: record.incarnation,
    history: record.history,
  };
  return { resource, record, documents };
}

function documentsOf(record: ResourceRecord): Documents {
  try {
    const current = parseDocument(record.current);
    return record.staged === undefined ? { current } : { current, staged: parseDocument(record.staged) };
  } catch (error) {
    throw new DamagedResource(record, (error as Error).message);
  }
}

/** An empty resource in the place of a damaged one, for a write that replaces or deletes it. */
export function emptied(
  remains: ResourceRecord,
  author: JsonObject,
  nowIso: string,
  incarnation: string,
): StoredResource {
  const { key, version, createdAt, lastModifiedAt } = readRemains(remains, nowIso);
  const { projectKey } = remains;
  // The document must not have what no document may: the record has the damaged id, by which it is found.
  const id = remains.id.toWellFormed().replaceAll('\0', '\ufffd');
  const stored = serializeResource({
    projectKey,
    id,
    key,
    version,
    createdAt,
    lastModifiedAt,
    createdBy: author,
    lastModifiedBy: author,
    current: {},
    staged: undefined,
    incarnation,
    history: VersionHistory.none,
  });
  return { ...stored, record: { ...stored.record, id: remains.id }, remains };
}

/**
 * Composes the documents of a resource and writes them as the store keeps them. The projections are compared when they
 * are complete: a staged one without `objectTypeProperty` and a current one where it is `{}` are the same (decisions 8
 * and 13). Throws what `checkStorable` throws.
 */
export function serializeResource(decided: Resource): StorableResource {
  const own = withArrays(decided.current);
  const stagedOwn = decided.staged && withArrays(decided.staged);
  const staged = jsonEquals(stagedOwn, own) ? undefined : stagedOwn;
  const resource: Resource = { ...decided, current: own, staged };
  const documents: { current: JsonObject; staged?: JsonObject } = { current: composeDocument(resource, own) };
  if (staged !== undefined) documents.staged = composeDocument(resource, staged);
  const unchecked: ResourceRecord = {
    projectKey: resource.projectKey,
    id: resource.id,
    key: resource.key,
    version: resource.version,
    createdAt: instantOf(resource.createdAt),
    lastModifiedAt: instantOf(resource.lastModifiedAt),
    current: stringifyJson(documents.current),
    staged: documents.staged && stringifyJson(documents.staged),
    incarnation: resource.incarnation,
    history: resource.history,
  };
  const record = checkStorable(unchecked, staged === undefined ? [own] : [own, staged], documents);
  return { resource, record, documents };
}

/** Decision 8: `objectTypeProperty` is always present. */
function withArrays(own: JsonObject): JsonObject {
  return Object.hasOwn(own, 'objectTypeProperty') ? own : { ...own, objectTypeProperty: {} };
}

/** The document of one projection, with the order and the fields of decision 8. */
function composeDocument(resource: Resource, own: JsonObject): JsonObject {
  const { id, version, key, createdAt, lastModifiedAt, createdBy, lastModifiedBy, staged } = resource;
  const document: ObjectInProgress = {
    id,
    version,
    ...(key === undefined ? undefined : { key }),
    createdAt,
    lastModifiedAt,
    createdBy,
    lastModifiedBy,
    ...own,
  };
  if (staged !== undefined) document.hasStagedChanges = true;
  return document;
}

/** The fields of a document that are the client's own. */
export function ownFieldsOf(document: JsonObject): JsonObject {
  const own: ObjectInProgress = {};
  for (const name of Object.keys(document)) if (!systemFieldNames.has(name)) setOwn(own, name, document[name]!);
  return own;
}

function parseDocument(text: string): JsonObject {
  const document: JsonValue = parseStoredJson(text);
  if (!isJsonObject(document)) throw new Error('a stored document is not an object');
  return document;
}
