import type { JsonObject, JsonValue } from '../../contract/json.ts';
import { isSystemField } from '../../contract/resource.ts';
import { jsonEquals } from '../json/equals.ts';
import { isJsonObject, type ObjectInProgress, objectOf } from '../json/object.ts';
import { parseStoredJson, stringifyJson } from '../json/parse.ts';
import type { Documents, ResourceRecord, VersionChange } from '../ports/resource-store.ts';
import { instantOf } from './context.ts';

/** A resource as a value that rules work on. The client's own fields are apart from the service's. */
export interface Resource {
  readonly projectKey: string;
  readonly id: string;
  readonly key: string | undefined;
  readonly version: number;
  /** ISO 8601, as it is answered. */
  readonly createdAt: string;
  readonly lastModifiedAt: string;
  readonly createdBy: JsonObject;
  readonly lastModifiedBy: JsonObject;
  /** The client's own fields of the current projection. */
  readonly current: JsonObject;
  /** Those of the staged projection; undefined where it equals the current one (decision 13). */
  readonly staged: JsonObject | undefined;
  readonly history: readonly VersionChange[];
}

/** A resource with what the store needs of it. */
export interface Kept {
  readonly resource: Resource;
  readonly record: ResourceRecord;
  readonly documents: Documents;
}

/** What is known of records that a store may hand out again as they are, so that they are not parsed again. */
const known = new WeakMap<ResourceRecord, Kept>();

/** Reads a record of the store. */
export function keptRecord(record: ResourceRecord): Kept {
  return known.get(record) ?? parseRecord(record);
}

function parseRecord(record: ResourceRecord): Kept {
  const current = parseDocument(record.current);
  const staged = record.staged === undefined ? undefined : parseDocument(record.staged);
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
    history: record.history,
  };
  return { resource, record, documents: documentsOf(current, staged) };
}

/** Composes the documents of a resource and writes them as the store keeps them. */
export function keptResource(decided: Resource): Kept {
  const resource: Resource = { ...decided, ...projectionsOf(decided) };
  const { staged, projectKey, id, key, version, history } = resource;
  const current = composeDocument(resource, resource.current);
  const stagedDocument = staged && composeDocument(resource, staged);
  const record: ResourceRecord = {
    projectKey,
    id,
    key,
    version,
    createdAt: instantOf(resource.createdAt),
    lastModifiedAt: instantOf(resource.lastModifiedAt),
    current: stringifyJson(current),
    staged: stagedDocument && stringifyJson(stagedDocument),
    history,
  };
  const kept: Kept = { resource, record, documents: documentsOf(current, stagedDocument) };
  known.set(record, kept);
  return kept;
}

/**
 * The projections as they are kept. They are compared when they are complete: a staged one that lacks
 * `objectTypeProperty` and a current one where it is `{}` are the same (decisions 8 and 13).
 */
function projectionsOf({ current, staged }: Resource): Pick<Resource, 'current' | 'staged'> {
  const complete = withArrays(current);
  const completeStaged = staged && withArrays(staged);
  return { current: complete, staged: jsonEquals(completeStaged, complete) ? undefined : completeStaged };
}

/** Decision 8: `objectTypeProperty` is always present. */
function withArrays(own: JsonObject): JsonObject {
  return Object.hasOwn(own, 'objectTypeProperty') ? own : { ...own, objectTypeProperty: {} };
}

/** One projection as it is answered: the order and the fields of decision 8. */
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
function ownFieldsOf(document: JsonObject): JsonObject {
  return objectOf(Object.entries(document).filter(([name]) => !isSystemField(name)));
}

function documentsOf(current: JsonObject, staged: JsonObject | undefined): Documents {
  return staged === undefined ? { current } : { current, staged };
}

function parseDocument(text: string): JsonObject {
  const document: JsonValue = parseStoredJson(text);
  if (!isJsonObject(document)) throw new Error('a stored document is no object');
  return document;
}
