import type { ChangeSource, CopiedRows } from '../../../index/follow/change-source.ts';
import { DamagedIndex } from '../../../record/sqlite/open/absence.ts';
import type {
  Applied,
  ChangeOperation,
  CommitOutcome,
  OperationFailure,
  OperationResult,
} from '../../../record/sqlite/write/messages.ts';
import { isDamagedIndex, isFatal, isOutsideFault, resultCode, sqliteCode } from '../../../sqlite/connection.ts';

export interface CommitterEvents {
  /** One commit: the results of the operations that shared it, or of a group; and how many changes are not indexed yet. */
  readonly done: (results: readonly OperationResult[], commitMs: number, unindexed: number) => void;
  /** The disk or the file failed: nothing more must be written. */
  readonly fatal: (message: string) => void;
  readonly note: (text: string) => void;
}

/** Operations that share a commit; bounds how long the first of them waits for the last. */
export const maxBatch = 512;

/** What a transaction did. */
export interface Work {
  readonly result: readonly OperationResult[];
  /** False where nothing was changed, so that there is nothing to commit. */
  readonly isChanged: boolean;
  /** Changes of resources, each with a record. */
  readonly records: number;
  /** See `sizeOf`. */
  readonly size?: number;
  /** See `Applied`: the indexes follow at once. */
  readonly copied?: CopiedRows | undefined;
}

/** How many changes the indexes lack. */
export function unindexedOf(source: ChangeSource): number {
  const { indexed, last } = source.position();
  return last - indexed;
}

/** Characters of documents that the indexes take for one more change: one of them may have a hundred thousand words. */
const charactersOfChange = 4096;

/** What the indexes get to do by changes. */
export function sizeOf(changes: readonly ChangeOperation[]): number {
  return changes.reduce((sum, change) => {
    if (change[0] === 'mirror') return sum + change[2].length;
    const row = change[0] === 'write' ? change[1].row : undefined;
    const characters = row ? row.current.length + (row.staged?.length ?? 0) : 0;
    return sum + 1 + Math.floor(characters / charactersOfChange);
  }, 0);
}

/** What a group did: all of its changes, or nothing because of one that could not be applied. */
export function workOfGroup({ outcomes, records }: Applied, size: number): Work {
  const at = outcomes.findIndex((outcome) => outcome !== 'committed');
  // No write of a resource has another outcome.
  const outcome = outcomes[at] as CommitOutcome | undefined;
  if (outcome === undefined || outcome === 'committed')
    return { result: ['committed'], isChanged: true, records, size };
  return { result: [{ at, outcome }], isChanged: false, records: 0 };
}

/**
 * Whether a transaction brings the indexes up to date: before its own changes, with them, or not. Where none is given, with them
 * if they must be at once: queries are waiting or were asked lately.
 */
export type Following = 'before' | 'after' | 'never';

/*
 * When the indexes follow (decision 98).
 */

/** Changes that are read for the indexes together, between commits. A large one counts as several: see `sizeOf`. */
export const readTogether = 32;

/** Index lag, in changes, at which the index catches up while no command waits. */
export const maxUnindexed = 400;

/** Index lag at which it catches up in the commit of a group: the next writes wait for what a group does. */
const maxUnindexedInGroup = 32;

/** Index lag at which single changes wait for the index: commands arrive without a pause. */
const mostUnindexed = 512;

/** So long after a query they follow with each commit, so that the next query need not wait for them. */
const queriedMs = 100;

/** Decides by what came last whether the indexes follow with a commit. */
export class FollowTimes {
  readonly #lastQueryMs: () => number;
  #caughtUpMs = 0;

  /** `lastQueryMs`: when this process began its last query, in ms since the epoch. */
  constructor(lastQueryMs: () => number) {
    this.#lastQueryMs = lastQueryMs;
  }

  noteCatchUp(): void {
    this.#caughtUpMs = Date.now();
  }

  isQueried(): boolean {
    return Date.now() - Math.max(this.#lastQueryMs(), this.#caughtUpMs) < queriedMs;
  }

  /**
   * Single changes leave their own to a later transaction, by which these are prepared: what their transaction does beside
   * its own work, all writes of that moment wait for. What a mirror gets is as much as a group, and how fast it is must not depend on
   * the indexes that follow later.
   */
  of(changes: readonly ChangeOperation[], unindexed: number, isGroup: boolean): Following | undefined {
    if (isGroup || changes.some(([kind]) => kind === 'mirror')) {
      return unindexed + sizeOf(changes) >= maxUnindexedInGroup ? 'after' : undefined;
    }
    return unindexed >= mostUnindexed && !this.isQueried() ? 'before' : undefined;
  }
}

/** An error that a transaction threw, with its stage. */
export type TransactionError = Error & { duringCommit?: boolean; duringFollow?: boolean };

/** What became of the operations of a transaction that threw. */
export function failureOf(error: TransactionError): OperationFailure {
  const { message } = error;
  if (error instanceof DamagedIndex || isDamagedIndex(error)) return { failure: 'damagedIndex', message };
  if (resultCode(error) === sqliteCode.full) return { failure: 'full', message };
  if (error.duringCommit) return { failure: 'unknown', message };
  // The writer stops: the fault is not in what the client sent.
  return { failure: isFatal(error) || isOutsideFault(error) ? 'stopped' : 'error', message };
}

/** True if one operation of a transaction may have made it fail, so that the others are worth another one. */
export function isOfOne({ failure }: OperationFailure): boolean {
  return failure === 'error' || failure === 'damagedIndex';
}

/** Why the indexes of another version of the service are left alone. */
export const builtByOther: OperationFailure = {
  failure: 'error',
  message: 'they were built by another version of the service',
};

export function cannotFollow(message: string): string {
  return `The indexes cannot follow the changes any more: ${message}. Restart the service: the start builds them again.`;
}
