/**
 * What crosses to the writer thread. Tuples instead of objects: structured cloning writes the names of an object's
 * fields each time, and these messages are the hottest of the service.
 */
export type Operation = ChangeOperation | StatementsOperation;
export type ChangeOperation = CreateOperation | UpdateOperation | DeleteOperation;

export type ResponseColumns = readonly [
  scope: string,
  requestHash: string,
  status: number,
  headers: string,
  body: string,
  expiresAtMs: number,
];

/** Terms that the document loses and gains: of its values, and of its words. */
export type IndexColumns = readonly [removed: string, added: string, removedText: string, addedText: string];

export type ResourceColumns = readonly [
  projectKey: string,
  id: string,
  key: string | null,
  version: number,
  createdAt: string,
  modifiedAt: string,
  current: string,
  staged: string | null,
  history: string,
];

export type CreateOperation = readonly ['create', ResourceColumns, IndexColumns, ResponseColumns | null];
export type UpdateOperation = readonly [
  'update',
  ResourceColumns,
  IndexColumns,
  ResponseColumns | null,
  expectedVersion: number,
  /** True if key or createdAt differ from the version before; their indexes are left alone otherwise. */
  identityMoved: boolean,
];
export type DeleteOperation = readonly [
  'delete',
  projectKey: string,
  id: string,
  IndexColumns,
  ResponseColumns | null,
  expectedVersion: number,
];
/** Statements of the client store; all in one transaction of their own. */
export type StatementsOperation = readonly ['statements', readonly Statement[]];

export interface Statement {
  readonly sql: string;
  readonly params: readonly (string | number | null)[];
}

/** The result of an operation: an outcome for a change, the counts of changed rows for statements, or why it failed. */
export type OperationResult = CommitOutcome | readonly number[] | OperationFailure;
export type CommitOutcome = 'committed' | 'versionMoved' | 'idTaken' | 'keyTaken' | 'responseExists';

export interface OperationFailure {
  /**
   * `full`: no room on the disk. `unknown`: the commit failed, it may or may not have reached the disk. `busy`: too
   * many wait. `stopped`: nothing is written any more. After any but `unknown` nothing was stored.
   */
  readonly failure: 'full' | 'unknown' | 'error' | 'busy' | 'stopped';
  readonly message: string;
}

/** Hands an operation over; `settle` is called once, when its result is there, durable where it was committed. */
export type Enqueue = (operation: Operation, settle: (result: OperationResult) => void) => void;

/** What the writer thread sends: once `ready` or `refused`, then a `done` per commit in the order of the operations. */
export type WriterMessage =
  | { readonly kind: 'ready'; readonly instanceId: string }
  | { readonly kind: 'refused'; readonly message: string }
  /** A line for the log: a migration, progress of a long rebuild. */
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'done'; readonly results: readonly OperationResult[]; readonly commitMs: number }
  /** The disk or the file failed: nothing more is written by this process. */
  | { readonly kind: 'fatal'; readonly message: string }
  | { readonly kind: 'closed' };

export type WriterCommand = { readonly kind: 'close' } | readonly Operation[];
