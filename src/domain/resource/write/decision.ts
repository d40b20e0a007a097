import { ServiceError } from '../../../contract/errors.ts';
import type { JsonObject } from '../../../contract/json.ts';
import { laterInstant } from '../../instant.ts';
import { jsonEquals } from '../../json/values.ts';
import type { Cause, EventType, Origin } from '../../ports/change-log.ts';
import type { Change, Documents, DocumentWrite, ResourceRecord } from '../../ports/resource-store.ts';
import { tooLarge } from '../check-stored.ts';
import { DamagedResource } from '../damaged.ts';
import { emptied, type Resource, type StoredResource, serializeResource } from '../resource.ts';
import { VersionHistory } from '../version-history.ts';

/** Everything a decision takes from outside, clock and ids included, so that it is a pure function. */
export interface WriteContext {
  /** ISO 8601 in UTC. */
  readonly nowIso: string;
  readonly clientId: string;
  /** The caller's `X-External-User-ID`. */
  readonly externalUserId?: string | undefined;
  /** For the change log. */
  readonly correlationId?: string | undefined;
  /** The cause of a change by a draft, for the log; `draft` by default. */
  readonly cause?: Cause | undefined;
  /** Returns a new UUID at every call. */
  readonly newId: () => string;
  /** Size limit of a document, not counting the service's own fields. */
  readonly maxDocumentBytes: number;
}

/** The result of a write, from which the response is made. For a deletion it is the deleted resource. */
export interface Outcome {
  readonly kind: 'created' | 'updated' | 'unchanged' | 'deleted';
  readonly record: ResourceRecord;
  readonly documents: Documents;
}

/** An outcome, and the change that brings it about; none where nothing changes. */
export interface Decision {
  readonly outcome: Outcome;
  readonly change: Change | undefined;
}

/** The decision of a write to a companion project, with what the log of the project is to tell of it. */
export function withDocumentWrites(decision: Decision, documentWrites: readonly DocumentWrite[]): Decision {
  const { change } = decision;
  return change === undefined || change.kind === 'delete'
    ? decision
    : { ...decision, change: { ...change, documentWrites } };
}

/** The description of an update in the change log, besides its actor. */
export interface EditKind {
  readonly type: EventType;
  readonly cause: Cause;
  /** Names of the update actions. */
  readonly actions?: readonly string[];
}

/** The result of a write for a resource; the rest follows from the context. */
export interface Edit {
  readonly key: string | undefined;
  readonly current: JsonObject;
  readonly staged: JsonObject | undefined;
  /** Given by the client (decision 19); else by the service. */
  readonly createdAt?: string | undefined;
  readonly lastModifiedAt?: string | undefined;
  readonly createdBy?: JsonObject | undefined;
  readonly lastModifiedBy?: JsonObject | undefined;
  /** The default is an update by a draft. */
  readonly kind?: EditKind | undefined;
}

/** Room for the service's own fields: a body at the limit can be stored. */
const systemFieldBytes = 4096;

/** The version that a resource is created with. */
interface Continued extends Pick<Resource, 'version' | 'incarnation'> {
  /** The sequence of the deletion that it follows. */
  readonly after?: number;
}

/** Decides to create a resource; or to continue one that was deleted, with its next version. */
export function decideCreate(
  projectKey: string,
  id: string,
  edit: Edit,
  context: WriteContext,
  continued: Continued = { version: 1, incarnation: newIncarnation(context) },
): Decision {
  const { record, documents } = serializeResource({
    projectKey,
    id,
    key: edit.key,
    version: continued.version,
    createdAt: edit.createdAt ?? context.nowIso,
    lastModifiedAt: edit.lastModifiedAt ?? context.nowIso,
    createdBy: edit.createdBy ?? authorOf(context),
    lastModifiedBy: edit.lastModifiedBy ?? authorOf(context),
    current: edit.current,
    staged: edit.staged,
    incarnation: continued.incarnation,
    history: VersionHistory.none,
  });
  checkSize(record, context);
  const change: Change = {
    kind: 'create',
    continues: continued.after,
    next: record,
    after: documents,
    origin: originOf(context, edit.kind, 'created'),
  };
  return { outcome: { kind: 'created', record, documents }, change };
}

/** The random end of a new UUID: 40 bits. */
function newIncarnation({ newId }: WriteContext): string {
  return newId().slice(-10);
}

/** Decides to give a resource its next version, or nothing where the edit leaves it as it is (decision 95). */
export function decideEdit(before: StoredResource, edit: Edit, context: WriteContext): Decision {
  const fields = changedFields(before.resource, edit);
  const changes = before.remains !== undefined || fields.length > 0 || changesSystemFields(before.resource, edit);
  return changes ? decideUpdate(before, edit, context, fields) : decideNothing(before);
}

/** Decides to give a resource its next version, whether or not anything else changes. */
export function decideUpdate(
  before: StoredResource,
  edit: Edit,
  context: WriteContext,
  fields = changedFields(before.resource, edit),
): Decision {
  const { record, documents } = serializeResource(nextVersion(before.resource, edit, fields, context));
  checkSize(record, context);
  const change: Change = {
    kind: 'update',
    ...expectedOf(before),
    next: record,
    before: before.documents,
    after: documents,
    origin: originOf(context, edit.kind, 'updated'),
  };
  return { outcome: { kind: 'updated', record, documents }, change };
}

/** Decides to delete a resource. */
export function decideDelete(before: StoredResource, context: WriteContext): Decision {
  const { record, documents } = before;
  const { projectKey, id } = record;
  const origin = originOf(context, { type: 'deleted', cause: 'delete' });
  const change: Change = { kind: 'delete', projectKey, id, ...expectedOf(before), before: documents, origin };
  return { outcome: { kind: 'deleted', record, documents }, change };
}

/** The state that a change expects of the resource that it replaces or deletes. */
export function expectedOf({ record, remains }: StoredResource) {
  if (remains) return { expectedVersion: remains.version, isOfDamaged: true } as const;
  return { expectedVersion: record.version, expectedIncarnation: record.incarnation };
}

/** An empty resource in the place of one that could not be read, for a write that needs nothing of it. Rethrows other errors. */
export function emptiedIfDamaged(error: unknown, context: WriteContext): StoredResource {
  if (!(error instanceof DamagedResource)) throw error;
  return emptied(error.remains, authorOf(context), context.nowIso, newIncarnation(context));
}

/** Decides to leave a resource as it is. */
export function decideNothing({ record, documents }: StoredResource): Decision {
  return { outcome: { kind: 'unchanged', record, documents }, change: undefined };
}

/** `createdBy` or `lastModifiedBy` of a write (decision 8). */
function authorOf({ clientId, externalUserId }: WriteContext): JsonObject {
  return externalUserId === undefined ? { clientId } : { clientId, externalUserId };
}

function originOf(
  { nowIso, clientId, externalUserId, correlationId, cause }: WriteContext,
  kind: EditKind | undefined,
  type: EventType = 'updated',
): Origin {
  const made = kind ?? { type, cause: cause ?? 'draft' };
  return { ...made, at: nowIso, clientId, externalUserId, correlationId };
}

function nextVersion(before: Resource, edit: Edit, fields: readonly string[], context: WriteContext): Resource {
  const version = before.version + 1;
  if (!Number.isSafeInteger(version)) {
    throw new ServiceError('InvalidOperation', `Version ${before.version} is the last one that a resource can have.`);
  }
  return {
    ...before,
    version,
    key: edit.key,
    createdAt: edit.createdAt ?? before.createdAt,
    lastModifiedAt: edit.lastModifiedAt ?? laterInstant(before.lastModifiedAt, context.nowIso),
    createdBy: edit.createdBy ?? before.createdBy,
    lastModifiedBy: edit.lastModifiedBy ?? authorOf(context),
    current: edit.current,
    staged: edit.staged,
    history: before.history.with({ version, fields }),
  };
}

/** True if the client gave a system field another value than it has (decision 19). */
function changesSystemFields(before: Resource, edit: Edit): boolean {
  return (['createdAt', 'lastModifiedAt', 'createdBy', 'lastModifiedBy'] as const).some(
    (name) => edit[name] !== undefined && !jsonEquals(edit[name], before[name]),
  );
}

type Fields = Pick<Resource, 'key' | 'current' | 'staged'>;

/** Own fields and `key` that differ in one of the projections. Fields that change with every version do not count. */
function changedFields(before: Fields, after: Fields): readonly string[] {
  const names = new Set<string>();
  addDifferences(names, before.current, after.current);
  if (before.staged !== undefined || after.staged !== undefined) {
    addDifferences(names, before.staged ?? before.current, after.staged ?? after.current);
  }
  if (before.key !== after.key) names.add('key');
  return [...names].sort();
}

function addDifferences(names: Set<string>, before: JsonObject, after: JsonObject): void {
  if (before === after) return;
  for (const own of [before, after]) {
    for (const name of Object.keys(own)) {
      if (before[name] === after[name]) continue;
      if (!jsonEquals(fieldOf(before, name), fieldOf(after, name))) names.add(name);
    }
  }
}

/** A missing `objectTypeProperty` reads as `{}`, so it is no change. */
function fieldOf(own: JsonObject, name: string): JsonObject[string] | undefined {
  if (Object.hasOwn(own, name)) return own[name];
  return name === 'objectTypeProperty' ? {} : undefined;
}

function checkSize({ current, staged }: ResourceRecord, { maxDocumentBytes }: WriteContext): void {
  for (const text of [current, staged ?? '']) {
    // A UTF-16 unit takes three bytes at most, so that most documents need not be counted.
    const fits = text.length * 3 <= maxDocumentBytes || Buffer.byteLength(text) <= maxDocumentBytes + systemFieldBytes;
    if (!fits) throw tooLarge(`expected at most ${maxDocumentBytes} bytes`);
  }
}
