import type { ServiceError } from '../../../contract/errors.ts';
import type { Change, CommitOutcome } from '../../../domain/ports/resource-store.ts';
import { unavailable } from '../open/errors.ts';
import type { Write } from './prepare-write.ts';

/** A write that waits for its transaction. */
export interface Waiting {
  /** What the write was prepared from; undefined for a response alone, which maintains no index. */
  readonly change: Change | undefined;
  readonly write: Write;
  /** When it was submitted: `performance.now`. */
  readonly sinceMs: number;
  readonly resolve: (outcome: CommitOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/** 503: the generation of the indexes changed again and again. */
export function pathsChanging(): ServiceError {
  return unavailable('The indexed paths are being changed. Try again.');
}

/** 503: so many writes wait that another one would only wait longer. */
export function tooManyWaiting(): ServiceError {
  return unavailable('Too many writes are waiting for the database. Try again.');
}
