import { type Attempt, addAttempts } from '../records/attempts.ts';
import { type DeliveryState, type LeasedState, writeState } from '../records/delivery-state.ts';
import type { Subscription } from '../subscription/subscription.ts';
import type { DeliveryDeps } from './deps.ts';

/** What of a state changes while its lease is held. */
export type Progress = Pick<DeliveryState, 'position' | 'held' | 'missed' | 'downSinceMs'>;

/** The lease of a subscription, and the progress that is saved with it. */
export interface ProgressKeeper {
  /** Until when the lease is held (ms since the epoch). */
  untilMs(): number;
  /** When it was saved last. */
  savedMs(): number;
  /** Notes an attempt, which is saved with the progress. */
  note(attempt: Attempt): void;
  /** Saves the progress and holds the lease until a time, 0: gives it back. False: another process has it. */
  save(progress: Progress, untilMs: number): Promise<boolean>;
}

/** Unsaved attempts beyond these are dropped: it is the last ones that are kept. */
const maxUnsavedAttempts = 100;

/** Keeps the progress of a subscription whose lease was taken. */
export function keepProgress(
  { store, nowMs }: Pick<DeliveryDeps, 'store' | 'nowMs'>,
  { projectKey, id }: Subscription,
  leased: LeasedState,
): ProgressKeeper {
  const { epoch, owner } = leased.state;
  let { fence } = leased;
  let { untilMs } = leased.state;
  let savedMs = nowMs();
  const attempts: Attempt[] = [];
  return {
    untilMs: () => untilMs,
    savedMs: () => savedMs,
    note(attempt) {
      attempts.unshift(attempt);
      attempts.splice(maxUnsavedAttempts);
    },
    async save(progress, nextUntilMs) {
      const at = new Date(nowMs()).toISOString();
      const state: DeliveryState = { ...progress, epoch, owner, untilMs: nextUntilMs };
      const written = await writeState(store, projectKey, id, { state, fence }, at);
      // A subscription that was deleted needs no record of its attempts.
      if (attempts.length > 0 && written !== undefined) {
        await addAttempts(store, projectKey, id, attempts.splice(0), at);
      }
      if (written === undefined) return false;
      [fence, untilMs, savedMs] = [written, nextUntilMs, nowMs()];
      return true;
    },
  };
}
