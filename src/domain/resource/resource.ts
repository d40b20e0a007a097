import { ServiceError } from '../../contract/errors.ts';
import type { JsonObject, JsonValue } from '../../contract/json.ts';
import { systemFieldNames } from '../../contract/resource.ts';
import { instantOf } from '../instant.ts';
import { parseStoredJson, stringifyJson } from '../json/parse.ts';
import { pathText } from '../json/path-text.ts';
import { isJsonObject, jsonEquals, type ObjectInProgress, scalarsOf, setOwn } from '../json/values.ts';
import type { Documents, ResourceRecord, StorableRecord } from '../ports/resource-store.ts';
import { DamagedResource, readRemains } from './damaged.ts';

/** A resource as a value that rules work on. The client's own fields are separate from the service's. */
export interface Resource extends Omit<ResourceRecord, 'createdAt' | 'lastModifiedAt' | 'current' | 'staged'> {
  /** ISO 8601, as in responses. */
  readonly createdAt: string;
  readonly lastModifiedAt: string;
  readonly createdBy: JsonObject;
  readonly lastModifiedBy: JsonObject;
  /** The client's own fields of the current projection. */
  readonly current: JsonObject;
  /** The fields of the staged projection; undefined where it equals the current one (decision 13). */
  readonly staged: JsonObject | undefined;
}

/** Which top-level fields a version changed. */
export interface VersionChange {
  readonly version: number;
  readonly fields: readonly string[];
}

/** How many versions back a conflict can tell what changed. */
const maxChanges = 20;

/** The history of these changes, newest first. */
export function historyOf(changes: readonly VersionChange[]): string {
  return changes.map(({ version, fields }) => JSON.stringify([version, fields])).join(',');
}

/** The changes of a history, newest first. */
export function changesOf(history: string): readonly VersionChange[] {
  const changes = JSON.parse(`[${history}]`) as [version: number, fields: string[]][];
  return changes.map(([version, fields]) => ({ version, fields }));
}

/** A history with one more change, and without the oldest one where there are too many. */
export function historyWith({ version, fields }: VersionChange, history: string): string {
  const changes = [[version, fields], ...JSON.parse(`[${history}]`)].slice(0, maxChanges);
  return JSON.stringify(changes).slice(1, -1);
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
  let [current, staged]: [current: JsonValue, staged: JsonValue | undefined] = [null, undefined];
  try {
    current = parseStoredJson(record.current);
    staged = record.staged === undefined ? undefined : parseStoredJson(record.staged);
  } catch (error) {
    throw new DamagedResource(record, (error as Error).message);
  }
  if (!isJsonObject(current) || (staged !== undefined && !isJsonObject(staged))) {
    throw new DamagedResource(record, 'a stored document is not an object');
  }
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
  return { resource, record, documents: staged === undefined ? { current } : { current, staged } };
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
    history: '',
  });
  return { ...stored, record: { ...stored.record, id: remains.id }, remains };
}

/**
 * Composes the documents of a resource and writes them as the store keeps them. The projections are compared when they
 * are complete: a staged one without `objectTypeProperty` and a current one where it is `{}` are the same (decisions 8
 * and 13). Throws what `checkStorable` throws. `maxBytes`: of a document, not counting the service's own fields.
 */
export function serializeResource(decided: Resource, maxBytes = Number.POSITIVE_INFINITY): StorableResource {
  const own = withArrays(decided.current);
  const stagedOwn = decided.staged && withArrays(decided.staged);
  const staged = stagedOwn === undefined || jsonEquals(stagedOwn, own) ? undefined : stagedOwn;
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
  const record = checkStorable(unchecked, staged === undefined ? [own] : [own, staged], documents, maxBytes);
  return { resource, record, documents };
}

/** Scalars in a stored document, at any depth: each is an index term, and a document is indexed as a whole. */
const maxValues = 100_000;

/** Room for the service's own fields: a body at the limit can be stored. */
const systemFieldBytes = 4096;

/**
 * The one gate in front of the stores. Every record passes it, whichever way it came: a body, a line of CSV or NDJSON, a
 * batch, a form, a restore, a moved project, an action of the operator, the embedded backend, or the service itself. Only
 * this function makes a `StorableRecord`, so the compiler finds a way in that goes around it.
 *
 * Refuses what bodies of JSON may not hold either, and what no index can take: NUL and half surrogate pairs in names and
 * texts (400 `InvalidInput` with the path), and more than `jsonLimits`, `maxValues` or `maxBytes` (400
 * `ResourceSizeLimitExceeded`). The field that the service adds where the client sends none does not count as one of the
 * client's.
 */
export function checkStorable(
  record: ResourceRecord,
  own: readonly JsonObject[],
  documents: Documents,
  maxBytes = Number.POSITIVE_INFINITY,
): StorableRecord {
  for (const [at, { objectTypeProperty = {}, ...fields }] of own.entries()) {
    const text = at === 0 ? record.current : record.staged!;
    if (text.includes('\\u')) checkTexts(text, at === 0 ? documents.current : documents.staged!);
    const [inFields, inKnown] = [scalarsOf(fields), scalarsOf(objectTypeProperty, 2)];
    if (typeof inFields === 'string') throw tooLarge(inFields);
    if (typeof inKnown === 'string') throw tooLarge(inKnown);
    if (inFields + inKnown > maxValues) {
      throw tooLarge(`expected at most ${maxValues} values, in all arrays and objects together`);
    }
    // A UTF-16 unit takes three bytes at most, so that most documents need not be counted.
    const fits = text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes + systemFieldBytes;
    if (!fits) throw tooLarge(`expected at most ${maxBytes} bytes`);
  }
  return record as StorableRecord;
}

/** The error of a resource that exceeds a limit. */
function tooLarge(excess: string): ServiceError {
  return new ServiceError('ResourceSizeLimitExceeded', `The resource would exceed its limits: ${excess}.`);
}

/** A NUL or half a surrogate pair as `JSON.stringify` writes it: behind an even number of other backslashes. */
const escapedForm = /(?<!\\)(?:\\\\)*\\u(?:0000|[dD][89a-fA-F])/;

/** Throws 400 `InvalidInput` if a name or a text in the document, whose JSON is the text, cannot be stored. */
export function checkTexts(text: string, document: JsonObject): void {
  if (!escapedForm.test(text)) return;
  const path = findUnstorable(document, []) ?? [];
  throw new ServiceError(
    'InvalidInput',
    `${pathText(path)}: names and texts cannot contain NUL (U+0000) or half of a surrogate pair; remove the character.`,
  );
}

const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed();

/** The path of the first name or text that cannot be stored. */
function findUnstorable(value: JsonValue, path: readonly (string | number)[]): typeof path | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : path;
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return undefined;
  for (const [name, item] of Array.isArray(value) ? value.entries() : Object.entries(value as JsonObject)) {
    const at = [...path, name];
    if (typeof name === 'string' && !isStorable(name)) return at;
    const found = findUnstorable(item, at);
    if (found) return found;
  }
  return undefined;
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
