import { type Attempt, addAttempts } from '../records/attempts.ts';
import { type DeliveryState, type LeasedState, writeState } from '../records/delivery-state.ts';
import type { SubscriptionRef } from '../records/records.ts';
import type { DeliveryDeps } from './deps.ts';

/** Unsaved attempts beyond these are dropped, the oldest first. */
const maxUnsavedAttempts = 100;

/** The lease of a subscription, and the progress that is saved with it. Times are ms since the epoch. */
export class Progress {
  readonly #deps: Pick<DeliveryDeps, 'store' | 'nowMs'>;
  readonly #subscription: SubscriptionRef;
  readonly #constant: Pick<DeliveryState, 'epoch' | 'owner'>;
  readonly #attempts: Attempt[] = [];
  #fence: number;
  /** The end of the lease. */
  untilMs: number;
  /** The time of the last save. */
  savedMs: number;

  constructor(
    deps: Pick<DeliveryDeps, 'store' | 'nowMs'>,
    subscription: SubscriptionRef,
    { state: { epoch, owner, untilMs }, fence }: LeasedState,
  ) {
    this.#deps = deps;
    this.#subscription = subscription;
    this.#constant = { epoch, owner };
    this.#fence = fence;
    this.untilMs = untilMs;
    this.savedMs = deps.nowMs();
  }

  /** Notes an attempt, which is saved with the progress. */
  note(attempt: Attempt): void {
    this.#attempts.unshift(attempt);
    this.#attempts.splice(maxUnsavedAttempts);
  }

  /** Saves the progress and holds the lease until a time; 0 gives it back. False: another process has it. */
  async save(
    progress: Pick<DeliveryState, 'position' | 'held' | 'missed' | 'downSinceMs'>,
    untilMs: number,
  ): Promise<boolean> {
    const { store, nowMs } = this.#deps;
    const at = new Date(nowMs()).toISOString();
    const state: DeliveryState = { ...progress, ...this.#constant, untilMs };
    const fence = await writeState(store, this.#subscription, { state, fence: this.#fence }, at);
    // Attempts of a deleted subscription are dropped.
    if (fence === undefined) return false;
    this.#fence = fence;
    this.untilMs = untilMs;
    this.savedMs = nowMs();
    if (this.#attempts.length > 0) await addAttempts(store, this.#subscription, this.#attempts.splice(0), at);
    return true;
  }
}
