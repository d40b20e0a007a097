import { noResource } from '../../../domain/ports/change-log.ts';
import type { Change, Documents, IdempotentResponse } from '../../../domain/ports/resource-store.ts';
import { replacedBy } from '../../row/change-record.ts';
import { originColumns, originOfChange } from '../../row/logged-change.ts';
import { endOfHistory, rowOf, type StoredRow } from '../../row/stored-row.ts';
import { type EventContent, hasLog } from '../event-row.ts';
import { entriesOf } from '../index/index-columns.ts';
import type { TermHash } from '../index/term-hash.ts';
import { type IndexedChange, indexChange } from './index-change.ts';

/** A change with everything that the database is sent for it. */
export type Write = PutWrite | DeleteWrite | ResponseWrite;

interface WriteBase extends Pick<IndexedChange, 'lostEntries' | 'gainedEntries' | 'words'> {
  readonly projectKey: string;
  readonly id: string;
  /** 0 for a create. */
  readonly expectedVersion: number;
  /** The end of the history of the incarnation expected: see `endOfHistory`; null where the resource is damaged. */
  readonly expectedEnd: string | null;
  /** The resource is damaged: which entries it has is not known. */
  readonly isOfDamaged: boolean;
  readonly response: IdempotentResponse | undefined;
  /** The declared paths that it maintains the entries of. */
  readonly paths: readonly string[];
  /**
   * What the log of `logOf(projectKey)` says of it once it is applied; of a deletion, without what only the stored row
   * says.
   */
  readonly events: readonly EventContent[];
}

export interface PutWrite extends WriteBase, IndexedChange {
  /** `move`: an update that changes the key or createdAt as well. */
  readonly kind: 'create' | 'update' | 'move';
  readonly row: StoredRow;
  /** Of a create: see `Change`. */
  readonly continues?: number | undefined;
}

export interface DeleteWrite extends WriteBase {
  readonly kind: 'delete';
}

/** A response alone, to a write that changes nothing. */
export interface ResponseWrite extends WriteBase {
  readonly kind: 'response';
}

/** A write of nothing but a response. */
export function responseWrite(projectKey: string, response: IdempotentResponse): ResponseWrite {
  const nothing = {
    id: '',
    expectedVersion: 0,
    expectedEnd: '',
    isOfDamaged: false,
    lostEntries: [],
    gainedEntries: [],
    words: [],
    paths: [],
    events: [],
  };
  return { kind: 'response', projectKey, response, ...nothing };
}

/** What the writes of a store have in common. */
export interface WriteContext {
  readonly terms: TermHash;
  readonly keepsLog: boolean;
}

/** Computes what a change does to the row, the indexes and, where there is one, the log. */
export function prepareWrite(change: Change, paths: readonly string[], { terms, keepsLog }: WriteContext): Write {
  const { kind, idempotency: response } = change;
  const { projectKey, id } = kind === 'delete' ? change : change.next;
  const expectedVersion = kind === 'create' ? 0 : change.expectedVersion;
  const isOfDamaged = kind !== 'create' && change.isOfDamaged === true;
  const expectedEnd = kind === 'create' ? '' : isOfDamaged ? null : endOfHistory(change.expectedIncarnation);
  const events = keepsLog ? eventsOf(projectKey, change) : [];
  const base = { projectKey, id, expectedVersion, expectedEnd, isOfDamaged, response, paths, events };
  if (kind === 'delete') {
    const lostEntries = entriesOf(projectKey, change.before, paths);
    return { kind, ...base, lostEntries, gainedEntries: [], words: [] };
  }
  const row = rowOf(change.next);
  const before = change.kind === 'update' && !isOfDamaged ? change.before : undefined;
  return {
    kind: kind === 'update' && (isOfDamaged || movesIdentity(change.before, change.after)) ? 'move' : kind,
    ...(change.kind === 'create' && change.continues !== undefined ? { continues: change.continues } : {}),
    ...{ ...base, row, ...indexChange(projectKey, before, change.after, row, paths, terms) },
  };
}

function eventsOf(projectKey: string, change: Change): readonly EventContent[] {
  if (hasLog(projectKey)) return [eventOf(change)];
  const { documentWrites = [] } = change.kind === 'delete' ? {} : change;
  return documentWrites.map(({ name: key, version, origin }) => {
    return { ...originColumns(origin), id: noResource, key, version, incarnation: null, before: null };
  });
}

function eventOf(change: Change): EventContent {
  const origin = originOfChange(change, Date.now());
  if (change.kind === 'delete') {
    const { id, expectedVersion: version } = change;
    return { ...origin, id, key: null, version, incarnation: null, before: null };
  }
  const { id, key = null, version, incarnation = null } = change.next;
  const before = change.kind === 'create' || change.isOfDamaged ? null : replacedBy(change.before, change.after);
  return { ...origin, id, key, version, incarnation, before };
}

function movesIdentity({ current: before }: Documents, { current: after }: Documents): boolean {
  return before.key !== after.key || before.createdAt !== after.createdAt;
}
