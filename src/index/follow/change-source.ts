import type { ChangeRecord } from '../../record/row/change-record.ts';

/** Where the indexes are, and where the changes are. */
export interface Position {
  readonly indexed: number;
  readonly last: number;
}

/** A change that is not indexed yet. */
export interface UnindexedChange extends ChangeRecord {
  /** Its size in the log; 0 if it is not logged. */
  readonly bytes: number;
}

export interface Unindexed {
  /** In their order. */
  readonly changes: readonly UnindexedChange[];
  /** False where a record is missing, or is not what was written: then other rows may have changed than the records say. */
  readonly isIntact: boolean;
}

/**
 * All that the indexes know of a record beside its rows: which rows have changed, in which order, and what was there before. Everything but
 * `position` and `unindexed` is called inside the transaction in which the indexes are written.
 */
export interface ChangeSource {
  position(): Position;
  /** The changes after a number, which the indexes lack. */
  unindexed(after: number): Unindexed;
  /** The indexes have every change up to `last`, of which these were new. */
  indexed(last: number, changes: readonly UnindexedChange[]): void;
  /**
   * Records that the indexes have something else of rows from now on, although no resource changed, for the caches of searches. To be
   * called before the indexes change and when they have all changes; what it returns, after.
   */
  noteRows(rows: readonly number[]): () => void;
  /** Deletes what the record keeps of changes for the caches of searches alone, which are then built again. All changes are indexed. */
  purge(): void;
  /** Lists anew what the record lists of its changes as far as they are indexed; all of them are. */
  relist(): void;
}

/** What the indexes get of the documents of some rows of a project, which are numbered from 0, as plain data. */
export interface PreparedRows {
  readonly count: number;
  /** See `GatheredTerms.encode`. */
  readonly terms: Uint8Array;
}

/** They are in rows that are new, from `firstRow` on. */
export interface CopiedRows extends PreparedRows {
  readonly projectKey: string;
  readonly firstRow: number;
}

/**
 * The rows of a project that were touched by changes after `since`, up to `position`, which is the last one in the open
 * snapshot; undefined where they are not kept any more, or are too many.
 */
export type ChangedRows = (projectKey: string, since: number, position: number) => ReadonlySet<number> | undefined;
