import type { JsonObject } from '../../contract/json.ts';
import type { ResourceStore } from '../../domain/ports/resource-store.ts';
import { deleteKept, readKept, type SubscriptionRef, statesOf, writeKept } from './records.ts';

/** A resource of which a change could not be delivered yet. Its later changes wait for it. */
export interface HeldResource {
  readonly id: string;
  /** Its first change that is neither delivered nor a dead letter. */
  readonly sequence: number;
  /** Its last change that was read from the log. */
  readonly last: number;
  /** Attempts to deliver the first one that failed. */
  readonly attempts: number;
  /** ms since the epoch: when the next attempt may be made. */
  readonly dueMs: number;
  /** ms since the epoch: when the first one was made. */
  readonly atMs: number;
}

/**
 * How far the changes of a project were delivered to a subscription: all up to `position` are settled, apart from those
 * of the resources in `held`.
 */
export interface DeliveryState {
  /** Of the log that `position` is in. */
  readonly epoch: string;
  readonly position: number;
  readonly held: readonly HeldResource[];
  /** Changes that were pruned from the log before they were delivered. */
  readonly missed: number;
  /** ms since the epoch: since when the receiver is down; 0: it is not. Then only held resources are tried. */
  readonly downSinceMs: number;
  /** The process that delivers, and until when (ms since the epoch); 0: none does. */
  readonly owner: string;
  readonly untilMs: number;
}

/** A state, and the version of its record: who writes the next one holds the lease until the record is written again. */
export interface LeasedState {
  readonly state: DeliveryState;
  readonly fence: number;
}

/** Begins the deliveries of a new subscription. */
export async function initState(
  store: ResourceStore,
  of: SubscriptionRef,
  { epoch, position }: Pick<DeliveryState, 'epoch' | 'position'>,
  nowIso: string,
): Promise<void> {
  const state: DeliveryState = { epoch, position, held: [], missed: 0, downSinceMs: 0, owner: '', untilMs: 0 };
  await writeState(store, of, { state, fence: 0 }, nowIso);
}

/** Reads a state; undefined where the subscription was deleted. */
export async function readState(store: ResourceStore, of: SubscriptionRef): Promise<LeasedState | undefined> {
  const kept = await readKept(store, statesOf(of.projectKey), of.id);
  if (kept === undefined) return undefined;
  const { held, ...rest } = kept.value as unknown as Stored;
  const resources = held.map(([resource, sequence, last, attempts, dueMs, atMs]) => {
    return { id: resource, sequence, last, attempts, dueMs, atMs };
  });
  return { fence: kept.version, state: { ...rest, held: resources } };
}

/** Writes a state if its record still has the version `fence`. Returns the next fence, or undefined: another was first. */
export function writeState(
  store: ResourceStore,
  { projectKey, id }: SubscriptionRef,
  { state, fence }: LeasedState,
  nowIso: string,
): Promise<number | undefined> {
  const held = state.held.map((one) => [one.id, one.sequence, one.last, one.attempts, one.dueMs, one.atMs]);
  const value = { ...state, held } as unknown as JsonObject;
  return writeKept(store, statesOf(projectKey), { id, version: fence, value }, nowIso);
}

/** Deletes a state: the holder of the lease notices with its next write. */
export function forgetState(store: ResourceStore, { projectKey, id }: SubscriptionRef): Promise<void> {
  return deleteKept(store, statesOf(projectKey), id);
}

type Stored = Omit<DeliveryState, 'held'> & {
  readonly held: readonly (readonly [string, number, number, number, number, number])[];
};
