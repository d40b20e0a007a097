import { ServiceError } from '../../../contract/errors.ts';
import type { ChangeOperation, CommitOutcome, Enqueue, Operation, OperationFailure, Statement } from './messages.ts';

/** Writes as promises. */
export interface PromisedWrites {
  /** Durable when it resolves to `committed`. Rejects with a ServiceError. */
  submit(operation: ChangeOperation): Promise<CommitOutcome>;
  /** Runs statements in one durable transaction; resolves to the count of changed rows of each. */
  write(statements: readonly Statement[]): Promise<readonly number[]>;
}

/** What a caller is told of an operation that failed. */
export function refusalOf({ failure, message }: OperationFailure): Error {
  switch (failure) {
    case 'full':
      return new ServiceError(
        'InsufficientStorage',
        'There is no room on the disk. Nothing was stored. Reads go on; try again when there is room.',
        {},
        { 'retry-after': '30' },
      );
    case 'unknown':
      return new ServiceError(
        'OutcomeUnknown',
        'The disk failed while the write was being made durable, so it may or may not have been stored. Repeat it with the same Idempotency-Key, or read the resource, to find out.',
        {},
        { 'retry-after': '5' },
      );
    case 'busy':
      return new ServiceError(
        'OverCapacity',
        'Too many writes wait for the disk. Try again.',
        {},
        { 'retry-after': '1' },
      );
    case 'stopped':
      return new ServiceError(
        'OverCapacity',
        'The store cannot write now. Try again later.',
        {},
        { 'retry-after': '5' },
      );
    case 'error':
      return new Error(`The store could not apply a change: ${message}`);
  }
}

/** The promises over a queue of operations. */
export function promisedWrites(enqueue: Enqueue): PromisedWrites {
  function ask<T>(operation: Operation): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      enqueue(operation, (result) => {
        if (typeof result === 'object' && 'failure' in result) reject(refusalOf(result));
        else resolve(result as T);
      });
    });
  }
  return {
    submit: (operation) => ask<CommitOutcome>(operation),
    write: (statements) => ask(['statements', statements]),
  };
}
