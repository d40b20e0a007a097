import { ServiceError } from '../../../contract/errors.ts';
import type { JsonObject } from '../../../contract/json.ts';
import { excessOf, isSurelyWithinLimits } from '../../json/limits.ts';
import type { Change, Documents, ResourceRecord } from '../../ports/resource-store.ts';
import { authorOf, laterInstant, type WriteContext } from '../context.ts';
import { type Kept, keptResource, type Resource } from '../resource.ts';
import { extendHistory } from './history.ts';

/** What became of a write, to make its answer from. For a deletion it is what was deleted. */
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

/** What a write makes of a resource; the rest follows from the context. */
export interface Edit {
  readonly key: string | undefined;
  readonly current: JsonObject;
  readonly staged: JsonObject | undefined;
  /** Given by the client (decision 19); else by the service. */
  readonly createdAt?: string | undefined;
  readonly lastModifiedAt?: string | undefined;
  readonly createdBy?: JsonObject | undefined;
  readonly lastModifiedBy?: JsonObject | undefined;
}

/** Room for the service's own fields: a body at the limit can be stored. */
const systemFieldBytes = 4096;

/** Decides to create a resource. */
export function decideCreate(projectKey: string, id: string, edit: Edit, context: WriteContext): Decision {
  const { key, current, createdAt, lastModifiedAt, createdBy, lastModifiedBy } = edit;
  const kept = keptResource({
    projectKey,
    id,
    key,
    version: 1,
    createdAt: createdAt ?? context.nowIso,
    lastModifiedAt: lastModifiedAt ?? context.nowIso,
    createdBy: createdBy ?? authorOf(context),
    lastModifiedBy: lastModifiedBy ?? authorOf(context),
    current,
    staged: undefined,
    history: [],
  });
  checkSize(kept.record, context);
  return { outcome: outcomeOf('created', kept), change: { kind: 'create', next: kept.record, after: kept.documents } };
}

/** Decides to give a resource its next version. */
export function decideUpdate(before: Kept, edit: Edit, context: WriteContext): Decision {
  const kept = keptResource(nextVersion(before.resource, edit, context));
  checkShape(kept);
  checkSize(kept.record, context);
  const change: Change = {
    kind: 'update',
    expectedVersion: before.resource.version,
    next: kept.record,
    before: before.documents,
    after: kept.documents,
  };
  return { outcome: outcomeOf('updated', kept), change };
}

/** Decides to delete a resource. */
export function decideDelete(before: Kept): Decision {
  const { projectKey, id, version } = before.resource;
  const change: Change = { kind: 'delete', projectKey, id, expectedVersion: version, before: before.documents };
  return { outcome: outcomeOf('deleted', before), change };
}

/** Decides to leave a resource as it is. */
export function decideNothing(before: Kept): Decision {
  return { outcome: outcomeOf('unchanged', before), change: undefined };
}

function outcomeOf(kind: Outcome['kind'], { record, documents }: Kept): Outcome {
  return { kind, record, documents };
}

function nextVersion(before: Resource, edit: Edit, context: WriteContext): Resource {
  if (before.version >= Number.MAX_SAFE_INTEGER) {
    throw new ServiceError('InvalidOperation', `Version ${before.version} is the last one that a resource can have.`);
  }
  const after: Resource = {
    ...before,
    version: before.version + 1,
    key: edit.key,
    createdAt: edit.createdAt ?? before.createdAt,
    lastModifiedAt: edit.lastModifiedAt ?? laterInstant(before.lastModifiedAt, context.nowIso),
    createdBy: edit.createdBy ?? before.createdBy,
    lastModifiedBy: edit.lastModifiedBy ?? authorOf(context),
    current: edit.current,
    staged: edit.staged,
  };
  return { ...after, history: extendHistory(before, after) };
}

/** A new resource is as its body was; an updated one may have grown over the limits by several bodies. */
function checkShape({ resource, record }: Kept): void {
  const excess =
    excessIn(resource.current, record.current) ?? (resource.staged && excessIn(resource.staged, record.staged ?? ''));
  if (excess !== undefined) throw tooLarge(excess);
}

function excessIn(own: JsonObject, text: string): string | undefined {
  return isSurelyWithinLimits(text) ? undefined : excessOf(own);
}

function checkSize({ current, staged }: ResourceRecord, { maxDocumentBytes }: WriteContext): void {
  for (const text of staged === undefined ? [current] : [current, staged]) {
    // A UTF-16 unit takes three bytes at most, so that most documents need not be counted.
    const fits = text.length * 3 <= maxDocumentBytes || Buffer.byteLength(text) <= maxDocumentBytes + systemFieldBytes;
    if (!fits) throw tooLarge(`at most ${maxDocumentBytes} bytes expected`);
  }
}

function tooLarge(excess: string): ServiceError {
  return new ServiceError('ResourceSizeLimitExceeded', `The resource would exceed its limits: ${excess}.`);
}
