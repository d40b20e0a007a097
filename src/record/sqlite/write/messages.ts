import type { CommitOutcome, GroupOutcome } from '../../../domain/ports/resource-store.ts';
import type { CopiedRows, PreparedRows } from '../../../index/follow/change-source.ts';
import type { OriginColumns } from '../../row/logged-change.ts';
import type { StoredRow } from '../../row/stored-row.ts';
import type { Write } from '../../row/write.ts';

/** What is sent to the writer thread. */
export type Operation = ChangeOperation | GroupOperation | StatementsOperation | CatchUpOperation;
export type ChangeOperation = WriteOperation | ForgetOperation | MirrorOperation;
export type WriteOperation = readonly ['write', Write];

/**
 * Forgets a deleted resource (`ChangeLog.forget`), in portions: `from` is the change to go on with. Its result is that of
 * `ForgetResult`.
 */
export type ForgetOperation = readonly [
  'forget',
  projectKey: string,
  id: string,
  origin: OriginColumns,
  from: number | null,
];

/** `exists`: the resource does. `unknown`: the log has nothing of it. `rest`: go on with the change that follows. */
export type ForgetResult = readonly ['exists' | 'unknown' | 'done'] | readonly ['rest', from: number];
/** How far a project is mirrored: see the table `mirrored`. */
export interface MirrorPosition {
  readonly sequence: number;
  readonly epoch: string;
  readonly checksum: number;
  readonly isComplete: boolean;
}
/**
 * What happened in the log that a mirror follows. A resource that is put replaces the one of its id, whatever that says. Without a position the project is no longer mirrored.
 */
export type MirrorOperation = readonly [
  'mirror',
  projectKey: string,
  items: readonly (
    | readonly ['put', StoredRow, born: number]
    | readonly ['remove', id: string]
    /** Something that was removed is forgotten. */
    | readonly ['purge']
  )[],
  position: MirrorPosition | null,
  /** What the indexes get of the resources, where all are put and none was there: they are then not analysed again. */
  prepared?: PreparedRows | undefined,
];
/** Changes that are applied in order, all or none, in a transaction of their own. */
export type GroupOperation = readonly ['group', readonly WriteOperation[]];

/** True for changes that share their transaction with others, each checked by itself. */
export function isChange(operation: Operation): operation is ChangeOperation {
  return operation[0] !== 'statements' && operation[0] !== 'catchUp' && operation[0] !== 'group';
}

/** Statements of the client store, in a transaction of their own. */
export type StatementsOperation = readonly ['statements', readonly Statement[]];

/**
 * Brings the indexes up to date, with a project for a query of it. For a while they then follow with each
 * commit. With `suspects` they leave out those of these rows that are damaged.
 */
export type CatchUpOperation = readonly ['catchUp', projectKey?: string | undefined, suspects?: readonly number[]];

export interface Statement {
  readonly sql: string;
  readonly params: readonly (string | number | null)[];
}

/**
 * The result of an operation: an outcome for a change or a group, what became of a `forget`, the counts of changed rows
 * for statements (none for `catchUp`), or why it failed.
 */
export type OperationResult = CommitOutcome | GroupOutcome | ForgetResult | readonly number[] | OperationFailure;
export type { CommitOutcome, GroupOutcome };

export interface OperationFailure {
  /**
   * `damagedIndex`: it cannot be told whether a key or id is taken. `full`: no room on the disk. `unknown`: the commit failed and may or may not have reached the disk. `busy`: too many
   * operations wait. `stopped`: nothing is written any more. `readOnly`: the file system is read-only. `rebuilding`: the indexes are being built again, of `catchUp` for a
   * query alone. Nothing was stored after any of them but `unknown`.
   */
  readonly failure: 'damagedIndex' | 'full' | 'unknown' | 'error' | 'busy' | 'stopped' | 'readOnly' | 'rebuilding';
  readonly message: string;
}

/** What became of changes. */
export interface Applied {
  readonly outcomes: readonly (CommitOutcome | ForgetResult)[];
  /** False where nothing was written. */
  readonly isChanged: boolean;
  /** Changes, each with a record. */
  readonly records: number;
  /** The rows of these changes, where what the indexes get of them has been prepared. */
  readonly copied?: CopiedRows | undefined;
}

/** Hands an operation over; resolves to its result, durable where it was committed. Never rejects. */
export type Enqueue<T = Operation> = (operation: T) => Promise<OperationResult>;

/** What the writer thread sends: `ready` or `refused` once, then a `done` per commit, with the results in the order of the operations. */
export type WriterMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'refused'; readonly message: string }
  /** A line for the log: a migration, progress of a long rebuild. */
  | { readonly kind: 'note'; readonly text: string }
  | {
      readonly kind: 'done';
      readonly results: readonly OperationResult[];
      readonly commitMs: number;
      /** Changes that are not indexed yet. */
      readonly unindexed: number;
    }
  /** The indexes have been brought up to date between two commits. */
  | { readonly kind: 'followed' }
  /** The disk or the file failed: nothing more is written by this process. */
  | { readonly kind: 'fatal'; readonly message: string }
  | { readonly kind: 'closed' };

export type WriterCommand = { readonly kind: 'close' } | readonly Operation[];
