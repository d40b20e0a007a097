import { noResource } from '../../domain/ports/change-log.ts';
import type { Change, DocumentWrite, IdempotentResponse } from '../../domain/ports/resource-store.ts';
import { replacedBy } from './change-record.ts';
import { columnsWithoutOrigin, type EventContent, hasLog, originColumns } from './logged-change.ts';
import { rowOf, type StoredRow } from './stored-row.ts';

/** A change with everything that an engine stores of it, as plain data: it is sent to a thread, or to a database. */
export interface Write {
  /** `response`: nothing but a response. */
  readonly kind: 'create' | 'update' | 'delete' | 'response';
  readonly projectKey: string;
  readonly id: string;
  /** Of a create or an update. */
  readonly row?: StoredRow | undefined;
  /** 0 for a create. */
  readonly expectedVersion: number;
  readonly expectedIncarnation: string | null;
  /** The resource cannot be read: only its version is compared. */
  readonly isOfDamaged: boolean;
  /** Of a create: see `Change`. */
  readonly continues: number | undefined;
  /** For the log; absent for a response alone. */
  readonly event?: EventContent | undefined;
  /** False in a companion project, of which its owner's log tells, and where no history is kept. */
  readonly isLogged: boolean;
  /** For the log of the project that a companion belongs to. */
  readonly documents: readonly EventContent[];
  readonly response: IdempotentResponse | undefined;
}

/** A write of nothing but a response. */
export function responseWrite(projectKey: string, response: IdempotentResponse): Write {
  const nothing = { expectedVersion: 0, expectedIncarnation: null, isOfDamaged: false, continues: undefined };
  return { ...nothing, kind: 'response', projectKey, id: '', isLogged: false, documents: [], response };
}

/**
 * Computes what a change does to the row and the log. `replaced`: which updates say what they replaced. What a deletion replaced is left
 * to the engine, which may have the texts.
 */
export function writeOf(change: Change, keepsHistory: boolean, replaced: 'always' | 'logged'): Write {
  const { kind, idempotency: response } = change;
  const { projectKey, id } = kind === 'delete' ? change : change.next;
  const isOfDamaged = kind !== 'create' && change.isOfDamaged === true;
  const isLogged = keepsHistory && hasLog(projectKey);
  return {
    ...{ kind, projectKey, id, isOfDamaged, isLogged, response },
    row: kind === 'delete' ? undefined : rowOf(change.next),
    expectedVersion: kind === 'create' ? 0 : change.expectedVersion,
    expectedIncarnation: kind === 'create' ? null : (change.expectedIncarnation ?? null),
    continues: kind === 'create' ? change.continues : undefined,
    event: eventOf(change, isOfDamaged, isLogged || replaced === 'always'),
    documents: keepsHistory && kind !== 'delete' ? (change.documentWrites ?? []).map(documentEvent) : [],
  };
}

function documentEvent({ name: key, version, origin }: DocumentWrite): EventContent {
  return { ...originColumns(origin), id: noResource, key, version, incarnation: null, before: null };
}

function eventOf(change: Change, isOfDamaged: boolean, withReplaced: boolean): EventContent {
  const origin = change.origin ? originColumns(change.origin) : columnsWithoutOrigin(change.kind, Date.now());
  if (change.kind === 'delete') {
    const { id, expectedVersion, expectedIncarnation: incarnation = null } = change;
    const { key } = change.before.current;
    const version = Number.isSafeInteger(expectedVersion) ? expectedVersion : 0;
    if (isOfDamaged) return { ...origin, id, key: null, version, incarnation: null, before: null };
    return { ...origin, id, key: typeof key === 'string' ? key : null, version, incarnation, before: null };
  }
  const { id, key = null, version, incarnation = null } = change.next;
  const isNew = change.kind === 'create' || isOfDamaged || !withReplaced;
  return { ...origin, id, key, version, incarnation, before: isNew ? null : replacedBy(change.before, change.after) };
}
