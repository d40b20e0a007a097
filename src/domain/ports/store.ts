import type { ChangeLog } from './change-log.ts';
import type { ClientStore } from './client-store.ts';
import type { ResourceStore } from './resource-store.ts';
import type { RuleStore } from './rule-store.ts';

/** Facts for health and metrics. */
export interface StoreStatus {
  /** False, with the reason, if the store cannot write now. */
  readonly writable: boolean;
  readonly reason?: string;
  /** True when what `warm` starts has started. */
  readonly isWarm: boolean;
  /** Why nothing can be listed or searched; absent where it can, as far as is known. */
  readonly queryProblem?: string | undefined;
  /** What cannot be listed or searched yet, or only late, and how far that is: the indexes are built again, projects are copied. */
  readonly rebuilding?: string | undefined;
  readonly sizeBytes: number;
  /** Bytes of the write-ahead log, where the engine has one. */
  readonly logBytes: number;
  /** Bytes of the log of changes, about; absent where the engine cannot tell at little cost. */
  readonly historyBytes?: number;
  /** Damaged rows of clients, keys, revocations and responses that were found since the store was opened. */
  readonly damagedRows: number;
  /** The result of the last scheduled check, for people; absent before the first one. */
  readonly check?: string | undefined;
  /** Resources that were found damaged: how many, and the first of them. */
  readonly damagedResources?: { readonly count: number; readonly first: readonly DamagedResource[] } | undefined;
}

/**
 * A resource that cannot be read or indexed. Until it is written again, lists and searches leave it out, unless they have an intact
 * copy of it.
 */
export interface DamagedResource {
  readonly projectKey: string;
  readonly id: string;
  readonly reason: string;
}

/** A row, other than a resource, whose checksum does not match: nothing in it may be relied on. */
export interface DamagedRow {
  readonly table: string;
  /** The key as it is stored now, for people. */
  readonly key: string;
  /** The consequences, and what an operator can do. */
  readonly consequence: string;
}

/** The reads of requests. */
export type ResourceReads = Pick<ResourceStore, 'get' | 'getByKey' | 'list' | 'exists' | 'search' | 'generation'>;

/** An opened store: the ports of one engine over one database. Must be closed. */
export interface Store {
  readonly resources: ResourceStore;
  /** Reads that do not wait for the database and may be behind; absent where no read waits for another machine. */
  readonly eventual?: ResourceReads | undefined;
  readonly clients: ClientStore;
  readonly changes: ChangeLog;
  readonly rules: RuleStore;
  /**
   * The keys of the projects that have a resource, an API client or types, or whose changes are logged, ascending by bytes, at most
   * `limit` (1–500), each greater than `afterKey`. Companion projects are not listed. Throws what lists throw.
   */
  projects(limit: number, afterKey?: string): Promise<readonly string[]>;
  /** Starts what the first queries would otherwise wait for. Never rejects. */
  warm(): Promise<void>;
  status(): Promise<StoreStatus>;
  close(): Promise<void>;
}
