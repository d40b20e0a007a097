import { randomInt } from 'node:crypto';
import { stringifyJson } from '../../../domain/json/parse.ts';
import { noResource, type Origin } from '../../../domain/ports/change-log.ts';
import type { Change, Documents, IdempotentResponse } from '../../../domain/ports/resource-store.ts';
import { replacedBy, replacedByDeletion } from '../../row/change-record.ts';
import { columnsWithoutOrigin, originColumns } from '../../row/logged-change.ts';
import { endOfHistory, rowOf, type StoredRow } from '../../row/stored-row.ts';
import { type EventContent, hasLog } from '../event-row.ts';

/** A change with everything that the database is sent for it. */
export interface Write {
  /** `event`: nothing but an event. `response`: nothing but a response. */
  readonly kind: 'create' | 'update' | 'delete' | 'event' | 'response';
  readonly projectKey: string;
  readonly id: string;
  /** Of its event. */
  readonly nonce: number;
  /** Of a create or an update. */
  readonly row?: StoredRow | undefined;
  /** 0 for a create. */
  readonly expectedVersion: number;
  /** The end of the history of the incarnation expected: see `endOfHistory`; null where the resource is damaged. */
  readonly expectedEnd: string | null;
  /** Of a create: see `Change`. */
  readonly continues: number | undefined;
  /** Absent for a response alone. */
  readonly event?: EventContent | undefined;
  /** For the log of the project that a companion belongs to. */
  readonly documents: readonly EventContent[];
  readonly response: IdempotentResponse | undefined;
  /** What no two writes of a statement may share: its id, and the keys that it takes, keeps or leaves. */
  readonly names: readonly string[];
}

/** Exact as a number of JavaScript. */
const createNonce = () => randomInt(1, 2 ** 48 - 1);

const nothing = { expectedVersion: 0, expectedEnd: '', continues: undefined, documents: [], names: [] } as const;

/** A write of nothing but a response. */
export function responseWrite(projectKey: string, response: IdempotentResponse): Write {
  return { ...nothing, kind: 'response', projectKey, id: '', nonce: 0, response };
}

/** A write of nothing but an event, which holds as long as `continues` is the last one of its id. */
export function eventWrite(projectKey: string, event: EventContent): Write {
  return { ...nothing, kind: 'event', projectKey, id: event.id, nonce: createNonce(), event, response: undefined };
}

/** Computes what a change does to the row and the log. Without history the log has no more than what mirrors need. */
export function prepareWrite(change: Change, keepsHistory: boolean): Write {
  const { kind, idempotency: response } = change;
  const { projectKey, id } = kind === 'delete' ? change : change.next;
  const isOfDamaged = kind !== 'create' && change.isOfDamaged === true;
  const key = kind === 'delete' ? undefined : change.next.key;
  const keyBefore = kind === 'create' ? undefined : change.before.current.key;
  const keys = [key, keyBefore].flatMap((each) => (typeof each === 'string' ? [`key ${each}`] : []));
  return {
    ...{ kind, projectKey, id, nonce: createNonce(), response },
    ...(kind !== 'delete' && { row: rowOf(change.next) }),
    expectedVersion: kind === 'create' ? 0 : change.expectedVersion,
    expectedEnd: kind === 'create' ? '' : isOfDamaged ? null : endOfHistory(change.expectedIncarnation),
    continues: kind === 'create' ? change.continues : undefined,
    event: eventOf(change, isOfDamaged, keepsHistory && hasLog(projectKey)),
    documents: keepsHistory && kind !== 'delete' ? (change.documentWrites ?? []).map(documentEvent) : [],
    names: [`id ${id}`, ...new Set(keys)],
  };
}

function documentEvent({
  name: key,
  version,
  origin,
}: {
  name: string;
  version: number;
  origin: Origin;
}): EventContent {
  return { ...originColumns(origin), id: noResource, key, version, incarnation: null, before: null };
}

function eventOf(change: Change, isOfDamaged: boolean, withBefore: boolean): EventContent {
  const origin = change.origin ? originColumns(change.origin) : columnsWithoutOrigin(change.kind, Date.now());
  if (change.kind === 'delete') {
    const { id, before, expectedVersion, expectedIncarnation: incarnation = null } = change;
    const { key } = before.current;
    const version = Number.isSafeInteger(expectedVersion) ? expectedVersion : 0;
    if (isOfDamaged) return { ...origin, id, key: null, version, incarnation: null, before: null };
    const known = { key: typeof key === 'string' ? key : null, version, incarnation };
    return { ...origin, id, ...known, before: withBefore ? replacedByDeletion(textsOf(before)) : null };
  }
  const { id, key = null, version, incarnation = null } = change.next;
  const isNew = change.kind === 'create' || isOfDamaged || !withBefore;
  return { ...origin, id, key, version, incarnation, before: isNew ? null : replacedBy(change.before, change.after) };
}

function textsOf({ current, staged }: Documents) {
  return { current: stringifyJson(current), staged: staged === undefined ? null : stringifyJson(staged) };
}
