import type { Change, Documents, IdempotentResponse } from '../../../domain/ports/resource-store.ts';
import type { StoredRow } from '../../row/stored-row.ts';
import { rowOf } from '../query/rows.ts';
import { comparedText, entriesOf, type Indexed, indexedOf } from './index-columns.ts';

/** A change with all that the database is told of it. */
export type Write = PutWrite | DeleteWrite;

interface WriteBase {
  readonly projectKey: string;
  readonly id: string;
  readonly answer: IdempotentResponse | undefined;
  readonly lostEntries: readonly string[];
  readonly gainedEntries: readonly string[];
  readonly words: Indexed['words'];
}

export interface PutWrite extends WriteBase {
  readonly kind: 'create' | 'update';
  /** Of an update. */
  readonly expectedVersion: number;
  readonly row: StoredRow;
  /** The documents as conditions see them, where those are not the texts of the row. */
  readonly compared: string | null;
  readonly comparedStaged: string | null;
  readonly terms: readonly string[];
  /** True for an update of key or createdAt. */
  readonly identityMoved: boolean;
}

export interface DeleteWrite extends WriteBase {
  readonly kind: 'delete';
  readonly expectedVersion: number;
}

/** Computes what a change does to the row and the indexes. */
export function prepareWrite(change: Change, declaredPaths: readonly string[]): Write {
  const projectKey = change.kind === 'delete' ? change.projectKey : change.next.projectKey;
  const before = change.kind === 'create' ? [] : entriesOf(projectKey, change.before, declaredPaths);
  if (change.kind === 'delete') {
    const { kind, id, expectedVersion, idempotency: answer } = change;
    return { kind, projectKey, id, expectedVersion, answer, lostEntries: before, gainedEntries: [], words: [] };
  }
  const { terms, entries, words } = indexedOf(projectKey, change.after, declaredPaths);
  const { current, staged } = change.after;
  const row = rowOf(change.next);
  return {
    kind: change.kind,
    ...{ projectKey, id: row.id, answer: change.idempotency, row, terms, words },
    expectedVersion: change.kind === 'update' ? change.expectedVersion : 0,
    compared: comparedText(current, row.current),
    comparedStaged: staged && row.staged !== null ? comparedText(staged, row.staged) : null,
    identityMoved: change.kind === 'update' && identityMoved(change.before, change.after),
    lostEntries: without(before, entries),
    gainedEntries: without(entries, before),
  };
}

function identityMoved({ current: before }: Documents, { current: after }: Documents): boolean {
  return before.key !== after.key || before.createdAt !== after.createdAt;
}

function without(entries: readonly string[], others: readonly string[]): readonly string[] {
  if (others.length === 0) return entries;
  const known = new Set(others);
  return entries.filter((entry) => !known.has(entry));
}
