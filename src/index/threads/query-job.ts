import type { Answer, Query } from './query-messages.ts';
import type { QueryWorker } from './query-worker.ts';

/** A query from its arrival until it is settled. */
export interface QueryJob {
  readonly projectKey: string;
  readonly query: Query;
  /** Aborted when the result is no longer needed. */
  readonly signal: AbortSignal | undefined;
  /** The query as the caller handed it in, by which its run is noted. */
  readonly source: object;
  readonly arrivedMs: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
  readonly onAbort: () => void;
  /** It has exceeded its share while others waited. */
  isLong: boolean;
  /** Whoever asked has got an answer or an error. */
  isSettled: boolean;
  /** The thread that has it, and its slot there. */
  worker: QueryWorker | undefined;
  slot: number;
}

/** Answers a query or refuses it, unless that is done. */
export function settle(job: QueryJob, by: () => void): void {
  if (job.isSettled) return;
  job.isSettled = true;
  // Its slot will be that of another query, which the client of this one must not cancel.
  job.signal?.removeEventListener('abort', job.onAbort);
  by();
}
