import type {
  CommitOutcome,
  ForgetOperation,
  ForgetResult,
  GroupOperation,
  GroupOutcome,
  Statement,
  WriteOperation,
} from './messages.ts';

/** The one writer of a store, as a process sees it. */
export interface Writer {
  /** Durable when it resolves to `committed`. Rejects with a ServiceError. */
  submit(operation: WriteOperation): Promise<CommitOutcome>;
  /** Submits changes that are applied together or not at all. */
  submitGroup(group: GroupOperation): Promise<GroupOutcome>;
  /** Forgets a portion of what the log has of a resource. */
  forget(operation: ForgetOperation): Promise<ForgetResult>;
  /** Runs statements in one durable transaction; resolves to the number of rows that each changed. */
  write(statements: readonly Statement[]): Promise<readonly number[]>;
  /** Why nothing can be written now; undefined where it can. */
  readonly problem: string | undefined;
  /**
   * Why a write could not be acknowledged, although the writer goes on; undefined where it could. Each call has it tried
   * again, so that a node that gets no requests any more notices when the cause is gone.
   */
  writeProblem(): string | undefined;
  /** Why nothing could be listed or searched when it was last tried, which each call does; undefined where it could. */
  queryProblem(): string | undefined;
  /**
   * To be called before each query that reads the indexes. Where they are known to be behind: resolves when they have
   * every change that was acknowledged before the call. They may be behind all the same if another process wrote: a
   * query finds out in its snapshot.
   */
  beginQuery(projectKey: string): Promise<void> | undefined;
  /** Brings the indexes up to date; with a project, for a query of it. Rejects with a ServiceError. */
  catchUp(projectKey?: string): Promise<void>;
  /** Has the indexes leave out those of the rows that are damaged, soon; no rows: a number of a row is damaged, not known which. */
  setAside(rows: readonly number[]): Promise<void>;
  /** Calls the listeners in order on every commit, before its callers continue, so that readers leave their old snapshot. Returns the function that ends it. */
  onCommit(listener: () => void): () => void;
  close(): Promise<void>;
}
