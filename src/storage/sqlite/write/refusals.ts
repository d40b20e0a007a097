import { ServiceError } from '../../../contract/errors.ts';
import type { OperationFailure } from './messages.ts';

const failures = {
  full: [
    'InsufficientStorage',
    'There is no room on the disk. Nothing was stored. Reads go on; try again when there is room.',
    '30',
  ],
  unknown: [
    'OutcomeUnknown',
    'The disk failed while the write was being made durable, so it may or may not have been stored. Repeat it with the same Idempotency-Key, or read the resource, to find out.',
    '5',
  ],
  busy: ['OverCapacity', 'Too many writes wait for the disk. Try again.', '1'],
  stopped: ['OverCapacity', 'The store cannot write now. Try again later.', '5'],
} as const;

/** A query that cannot be answered: no query is answered from indexes that lack acknowledged changes. */
const behind = {
  full: 'There is no room on the disk to index the last changes, so nothing can be listed or searched. Reads by id or key go on; try again when there is room.',
  other: 'The last changes could not be indexed, so nothing can be listed or searched now. Reads by id or key go on.',
} as const;

/** What a client is told of a write that failed. */
export function errorOf({ failure, message }: OperationFailure): Error {
  if (failure === 'rebuilding') return queryError(message);
  if (failure === 'error') return new Error(`The store could not apply a change: ${message}`);
  const [code, text, retryAfter] = failures[failure];
  return new ServiceError(code, text, {}, { 'retry-after': retryAfter });
}

/** Why queries are refused while the indexes cannot follow. */
export function queryProblemOf({ failure }: OperationFailure): string {
  return failure === 'full' ? behind.full : behind.other;
}

/** What a client is told of a query meanwhile. */
export function queryError(problem: string): ServiceError {
  return new ServiceError('OverCapacity', problem, {}, { 'retry-after': '5' });
}
