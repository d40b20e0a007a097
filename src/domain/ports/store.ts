import type { ClientStore } from './client-store.ts';
import type { ResourceStore } from './resource-store.ts';

/** Facts for health and metrics. */
export interface StoreStatus {
  /** False, with the reason, where the store cannot write now. */
  readonly writable: boolean;
  readonly reason?: string;
  readonly sizeBytes: number;
  /** Bytes of the write-ahead log, where the engine has one. */
  readonly logBytes: number;
}

/** An opened store: the ports of one engine over one database. Must be closed. */
export interface Store {
  readonly resources: ResourceStore;
  /** The same data, maybe as it was before; absent where nothing is behind. `OverCapacity` where it cannot be asked. */
  readonly eventual?: Pick<ResourceStore, 'get' | 'getByKey' | 'list' | 'exists' | 'search'> | undefined;
  readonly clients: ClientStore;
  status(): Promise<StoreStatus>;
  close(): Promise<void>;
}
