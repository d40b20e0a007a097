import { noResource } from '../../domain/ports/change-log.ts';
import type { Change, DocumentWrite, IdempotentResponse } from '../../domain/ports/resource-store.ts';
import type { ChangeRules, ResourceVersion } from '../../domain/ports/rule-store.ts';
import { replacedBy } from './change-record.ts';
import { columnsWithoutOrigin, type EventContent, originColumns } from './logged-change.ts';
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
  readonly rules: ChangeRules | undefined;
}

/** A write of nothing but a response. */
export function responseWrite(projectKey: string, response: IdempotentResponse): Write {
  const nothing = {
    expectedVersion: 0,
    expectedIncarnation: null,
    isOfDamaged: false,
    continues: undefined,
    rules: undefined,
  };
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
  // Of a companion the log of its owner tells.
  const isLogged = keepsHistory && !projectKey.includes('~');
  const origin = change.origin ? originColumns(change.origin) : columnsWithoutOrigin(kind, Date.now());
  const rules = change.rules && { ...change.rules, needs: change.rules.needs.map(versionOf) };
  const common = { kind, projectKey, id, isOfDamaged, isLogged, response, rules };
  if (kind === 'delete') {
    const { expectedVersion, expectedIncarnation = null } = change;
    const event = { ...origin, ...ofDeleted(change, isOfDamaged), id, before: null };
    return { ...common, expectedVersion, expectedIncarnation, continues: undefined, event, documents: [] };
  }
  const isCreate = kind === 'create';
  const { key = null, version, incarnation = null } = change.next;
  const isNew = isCreate || isOfDamaged || !(isLogged || replaced === 'always');
  const before = isNew ? null : replacedBy(change.before, change.after);
  return {
    ...common,
    row: rowOf(change.next),
    expectedVersion: isCreate ? 0 : change.expectedVersion,
    expectedIncarnation: isCreate ? null : (change.expectedIncarnation ?? null),
    continues: isCreate ? change.continues : undefined,
    event: { ...origin, id, key, version, incarnation, before },
    documents: keepsHistory ? (change.documentWrites ?? []).map(documentEvent) : [],
  };
}

/** Without the texts of a record that was given. */
function versionOf({ id, version, incarnation }: ResourceVersion): ResourceVersion {
  return { id, version, incarnation };
}

/** What the event of a deletion says of the last version. */
function ofDeleted(
  { before, expectedVersion, expectedIncarnation }: Extract<Change, { readonly kind: 'delete' }>,
  isOfDamaged: boolean,
): Pick<EventContent, 'key' | 'version' | 'incarnation'> {
  const { key } = before.current;
  return {
    key: typeof key === 'string' && !isOfDamaged ? key : null,
    version: Number.isSafeInteger(expectedVersion) ? expectedVersion : 0,
    incarnation: isOfDamaged ? null : (expectedIncarnation ?? null),
  };
}

function documentEvent({ name: key, version, origin }: DocumentWrite): EventContent {
  return { ...originColumns(origin), id: noResource, key, version, incarnation: null, before: null };
}
