import type { Change, DocumentWrite, IdempotentResponse, ResourceRecord } from '../../domain/ports/resource-store.ts';
import { replacedBy } from '../row/change-record.ts';
import { columnsWithoutOrigin, originColumns } from '../row/logged-change.ts';
import { type ResourceColumns, writeHistory } from '../row/stored-row.ts';
import type { DocumentTuple, OriginTuple, ResponseColumns, WriteOperation } from './write/messages.ts';

/** A response as the writer stores it. */
export function responseColumns(response: IdempotentResponse): ResponseColumns {
  const { scope, requestHash, status, headers, body, expiresAtMs } = response;
  return [scope, requestHash, status, JSON.stringify(headers), body, expiresAtMs];
}

/** Of a change of a companion project: a write that the log of its project has. */
function documentTuple({ name, version, origin }: DocumentWrite): DocumentTuple {
  const { type, at, client, origin: text } = originColumns(origin);
  return [name, version, [type, at, client, text]];
}

/** A change in the form that is sent to the writer. */
export function operationOf(change: Change, keepsHistory: boolean): WriteOperation {
  const response = change.idempotency ? responseColumns(change.idempotency) : null;
  let origin: OriginTuple | null = null;
  // What happens in a companion project is told by the log of its owner.
  if (keepsHistory && !targetOf(change).projectKey.includes('~')) {
    const made = change.origin ? originColumns(change.origin) : columnsWithoutOrigin(change.kind, Date.now());
    origin = [made.type, made.at, made.client, made.origin];
  }
  if (change.kind === 'delete') {
    const { projectKey, id, expectedVersion, expectedIncarnation = null } = change;
    const operation = ['delete', projectKey, id, response, origin, expectedVersion, expectedIncarnation] as const;
    return change.isOfDamaged ? [...operation, true] : operation;
  }
  const { projectKey, id, key, version, createdAt, lastModifiedAt, current, staged } = change.next;
  const identity = [projectKey, id, key ?? null, version, createdAt, lastModifiedAt] as const;
  const resource: ResourceColumns = [...identity, current, staged ?? null, writeHistory(change.next)];
  // Usually absent: each member is cloned for the writer thread.
  const documents = keepsHistory ? change.documentWrites?.map(documentTuple) : undefined;
  if (change.kind === 'create') {
    const operation = ['create', resource, response, origin, change.continues ?? null] as const;
    return documents ? [...operation, documents] : operation;
  }
  const [before, after] = [change.before.current, change.after.current];
  const identityMoved = before.key !== after.key || before.createdAt !== after.createdAt || change.isOfDamaged === true;
  const replaced = change.isOfDamaged ? null : replacedBy(change.before, change.after);
  const { expectedVersion, expectedIncarnation = null } = change;
  const expected = [expectedVersion, expectedIncarnation] as const;
  const operation = ['update', resource, response, origin, ...expected, identityMoved, replaced] as const;
  return documents ? [...operation, documents] : operation;
}

/** The resource of a change. */
export function targetOf(change: Change): Pick<ResourceRecord, 'projectKey' | 'id'> {
  return change.kind === 'delete' ? change : change.next;
}
