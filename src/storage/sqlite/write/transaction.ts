import { isFatal, isOutsideFault, resultCode, sqliteCode } from '../open/connection.ts';
import type { OperationFailure } from './messages.ts';

/** What a transaction did. */
export interface Work<T> {
  readonly result: T;
  /** False where nothing was changed, so that there is nothing to commit. */
  readonly isChanged: boolean;
  /** Changes of resources, each with a record. */
  readonly records: number;
}

/** Whether a transaction brings the indexes up to date: before its own changes, with them, or not. */
export type Following = 'before' | 'after' | 'never';

/** An error that a transaction threw, with its stage. */
export type TransactionError = Error & { duringCommit?: boolean; duringFollow?: boolean };

/** What became of the operations of a transaction that threw. */
export function failureOf(error: TransactionError): OperationFailure {
  const { message } = error;
  if (resultCode(error) === sqliteCode.full) return { failure: 'full', message };
  if (error.duringCommit) return { failure: 'unknown', message };
  // The writer stops: the fault is not in what the client sent.
  return { failure: isFatal(error) || isOutsideFault(error) ? 'stopped' : 'error', message };
}
