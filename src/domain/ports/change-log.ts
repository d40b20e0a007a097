import type { Eventually } from './eventually.ts';

/** The kind of a change, for readers of the log. */
export const eventTypes = [
  'created',
  'updated',
  'deleted',
  'published',
  'reverted',
  'restored',
  'imageUploaded',
  'backendDocumentWritten',
  'forgotten',
] as const;
export type EventType = (typeof eventTypes)[number];

/** The cause of a change. */
export const causes = ['draft', 'actions', 'delete', 'import', 'restore', 'image', 'backend', 'forget'] as const;
export type Cause = (typeof causes)[number];

/** Who made a change, how and when: what its record says beside the documents. */
export interface Origin {
  readonly type: EventType;
  readonly cause: Cause;
  /** Names of the update actions, in their order; absent for other causes. */
  readonly actions?: readonly string[] | undefined;
  /** ISO 8601 in UTC: when the change was decided. */
  readonly at: string;
  readonly clientId: string;
  readonly externalUserId?: string | undefined;
  readonly correlationId?: string | undefined;
}

/** The id of changes that are of no resource, but of a variant of images, or a document that the embedded backend keeps. */
export const noResource = '';

/**
 * A change as the log keeps it. With the documents after it, `before` gives those before it, so the versions of a
 * resource are read backwards, from the stored resource or from its deletion.
 */
export interface LoggedChange {
  /** Positive; greater than those of all changes of the project that became visible before. There may be gaps. */
  readonly sequence: number;
  /** Of the resource; `noResource` for a variant of images or a document of the backend. */
  readonly id: string;
  /** After the change; of a deletion, that of the deleted resource. Of `noResource`, the name of what it is. */
  readonly key: string | undefined;
  /** After the change; of a deletion, that of the deleted resource. */
  readonly version: number;
  /** See `ResourceRecord`. */
  readonly incarnation: string | undefined;
  readonly origin: Origin;
  /** The replaced values, in the form of `replacedBy`; null if the change created the resource, or was forgotten. */
  readonly before: string | null;
}

/** Where the log of a project begins and ends. */
export interface LogBounds {
  /**
   * With the sequence of a change, what no other log has or had, of whatever project: the id of an event is made of both. A
   * store that was restored, or filled anew, has another one.
   */
  readonly epoch: string;
  /** All changes up to this one are gone: they were pruned. 0: none was. */
  readonly pruned: number;
  /** The last visible change, or `pruned` if none is left. */
  readonly last: number;
}

/** Which changes are wanted. All conditions must hold; absent ones do. */
export interface ChangeFilter {
  readonly types?: readonly EventType[] | undefined;
  readonly id?: string | undefined;
  readonly clientId?: string | undefined;
}

/** Changes in their order, and how far the log was read for them. */
export interface ChangePage {
  readonly changes: readonly LoggedChange[];
  /** All changes up to here that pass the filter were returned, in this page or before. Read on from here. */
  readonly upTo: number;
}

/**
 * The changes of each project, each written in the commit of its change. Companion projects (`~`) have no log: of what is
 * stored there, the log of their project has the writes that `Change.documentWrites` names. A reader that has seen a
 * change never meets one with a smaller sequence later. Reads throw `DataCorruption` for a record whose
 * checksum does not match, and otherwise what reads of `ResourceStore` throw.
 */
export interface ChangeLog {
  bounds(projectKey: string): Eventually<LogBounds>;
  /**
   * The changes with a sequence greater than `after`, ascending, at most `limit` (1–500). Fewer, even none, may come
   * although there are more, to bound memory and time: the log ends where `upTo` is the last sequence.
   */
  changesAfter(projectKey: string, after: number, limit: number, filter?: ChangeFilter): Promise<ChangePage>;
  /**
   * The changes of a resource, of all its incarnations, newest first, at most `limit` (1–500) with a sequence smaller than
   * `below` (undefined: from the newest). Fewer than `limit` are the end of what is kept.
   */
  changesOf(projectKey: string, id: string, below: number | undefined, limit: number): Promise<readonly LoggedChange[]>;
  /**
   * The deletions of resources that do not exist now and were not forgotten, newest first; as `changesOf`. Of a resource
   * that was deleted several times only the last one.
   */
  deletions(projectKey: string, below: number | undefined, limit: number): Promise<readonly LoggedChange[]>;
  /**
   * The last deletion of a resource that had this key then; undefined if none is kept, or if it was forgotten. A resource
   * of the same id may exist.
   */
  deletionByKey(projectKey: string, key: string): Promise<LoggedChange | undefined>;
  /**
   * Calls the listener soon after changes of the project became visible, whichever process made them: within about
   * 50 ms. It may be called without a change. Returns the function that ends it.
   */
  follow(projectKey: string, listener: () => void): () => void;
  /**
   * Deletes the oldest changes: those decided before `olderThanMs` (since the epoch), and of each project those beyond its
   * last `maxBytes`. In portions that hold up no write. The last change of a project stays. Resolves to their number.
   */
  prune(olderThanMs: number, maxBytes: number): Promise<number>;
  /**
   * Deletes what all changes of a resource replaced, its keys and its user ids, and appends a `forgotten` change unless
   * that is the last one already. The resource itself must not exist (else `ServiceError` `InvalidOperation`); its
   * deletion can no longer be undone. False if the log has nothing of it.
   */
  forget(projectKey: string, id: string, origin: Origin): Promise<boolean>;
}
