import { ServiceError } from '../../../contract/errors.ts';
import type { JsonObject } from '../../../contract/json.ts';
import { instantOf } from '../../instant.ts';
import { jsonEquals } from '../../json/values.ts';
import type { Cause, EventType, Origin } from '../../ports/change-log.ts';
import type { Change, Documents, DocumentWrite, ResourceRecord } from '../../ports/resource-store.ts';
import { DamagedResource } from '../damaged.ts';
import { emptied, historyWith, type Resource, type StoredResource, serializeResource } from '../resource.ts';

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
  /** Decides the same with other documents; absent where a gate cannot change them. */
  readonly again?: (documents: Pick<Edit, 'current' | 'staged'>) => Decision;
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

/** Where the random end of a UUID begins, which is an incarnation: 40 bits. */
const incarnationAt = -10;

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
  continued: Continued = { version: 1, incarnation: context.newId().slice(incarnationAt) },
): Decision {
  const created: Resource = {
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
    history: '',
  };
  const { record, documents } = serializeResource(created, context.maxDocumentBytes);
  const change: Change = {
    kind: 'create',
    continues: continued.after,
    next: record,
    after: documents,
    origin: originOf(context, edit.kind, 'created'),
  };
  const again: Decision['again'] = ({ current, staged }) =>
    decideCreate(projectKey, id, { ...edit, current, staged }, context, continued);
  return { outcome: { kind: 'created', record, documents }, change, again };
}

/** Decides to give a resource its next version, or nothing where the edit leaves it as it is (decision 95). */
export function decideEdit(before: StoredResource, edit: Edit, context: WriteContext): Decision {
  const fields = changedFields(before.resource, edit);
  const changes = before.remains !== undefined || fields.length > 0 || changesSystemFields(before.resource, edit);
  if (!changes) return decideNothing(before);
  const again: Decision['again'] = ({ current, staged }) => decideEdit(before, { ...edit, current, staged }, context);
  return { ...decideUpdate(before, edit, context, fields), again };
}

/** Decides to give a resource its next version, whether or not anything else changes. */
export function decideUpdate(
  before: StoredResource,
  edit: Edit,
  context: WriteContext,
  fields = changedFields(before.resource, edit),
): Decision {
  const { resource } = before;
  const version = resource.version + 1;
  if (!Number.isSafeInteger(version)) {
    throw new ServiceError('InvalidOperation', `Version ${resource.version} is the last one that a resource can have.`);
  }
  // `lastModifiedAt` never goes back when the clock does.
  const isSetBack = instantOf(context.nowIso) < instantOf(resource.lastModifiedAt);
  const next: Resource = {
    ...resource,
    version,
    key: edit.key,
    createdAt: edit.createdAt ?? resource.createdAt,
    lastModifiedAt: edit.lastModifiedAt ?? (isSetBack ? resource.lastModifiedAt : context.nowIso),
    createdBy: edit.createdBy ?? resource.createdBy,
    lastModifiedBy: edit.lastModifiedBy ?? authorOf(context),
    current: edit.current,
    staged: edit.staged,
    history: historyWith({ version, fields }, resource.history),
  };
  const { record, documents } = serializeResource(next, context.maxDocumentBytes);
  const change: Change = {
    kind: 'update',
    ...expectedOf(before),
    next: record,
    before: before.documents,
    after: documents,
    origin: originOf(context, edit.kind, 'updated'),
  };
  const again: Decision['again'] = ({ current, staged }) => decideUpdate(before, { ...edit, current, staged }, context);
  return { outcome: { kind: 'updated', record, documents }, change, again };
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
  return emptied(error.remains, authorOf(context), context.nowIso, context.newId().slice(incarnationAt));
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
  const projections = [[before.current, after.current]];
  if (before.staged !== undefined || after.staged !== undefined) {
    projections.push([before.staged ?? before.current, after.staged ?? after.current]);
  }
  for (const [old = {}, own = {}] of projections) {
    for (const name of old === own ? [] : [...Object.keys(old), ...Object.keys(own)]) {
      if (old[name] === own[name]) continue;
      // A missing `objectTypeProperty` reads as `{}`, so nothing changes.
      const missing = name === 'objectTypeProperty' ? {} : undefined;
      const [was, is] = [
        Object.hasOwn(old, name) ? old[name] : missing,
        Object.hasOwn(own, name) ? own[name] : missing,
      ];
      if (!jsonEquals(was, is)) names.add(name);
    }
  }
  if (before.key !== after.key) names.add('key');
  return [...names].sort();
}
