import type { ChangeFilter, LoggedChange } from '../../domain/ports/change-log.ts';

/** A read of the log, as it is sent to a query thread. `limit` is at least 1. */
export type LogQuery = { readonly projectKey: string; readonly limit: number } & (
  | { readonly read: 'after'; readonly after: number; readonly filter: ChangeFilter }
  /** Of a resource, newest first: from the change `from` on, which is one of its changes, or below `below`. */
  | {
      readonly read: 'of';
      readonly id: string;
      readonly from?: number | undefined;
      readonly below?: number | undefined;
    }
  /** Of all resources, newest first. */
  | { readonly read: 'deletions'; readonly below?: number | undefined }
  | { readonly read: 'deletionByKey'; readonly key: string }
);

/** A portion of what a read returns. */
export interface LogPortion {
  readonly changes: readonly LoggedChange[];
  /**
   * Where the read goes on: for `after` what it was read up to, for `of` the next change, for `deletions` what the next
   * ones are below. Undefined at the end.
   */
  readonly next: number | undefined;
}
