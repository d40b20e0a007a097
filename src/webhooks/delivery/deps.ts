import type { HistorySource } from '../../domain/history/walk.ts';
import type { ResourceStore } from '../../domain/ports/resource-store.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Send } from '../message/send.ts';
import type { Subscription } from '../subscription/subscription.ts';
import type { DeliveryMetrics } from './metrics.ts';
import { retryDelaysMs } from './schedule.ts';
import type { Slots } from './slots.ts';

/** What deliveries need. */
export interface DeliveryDeps {
  readonly store: ResourceStore;
  readonly source: HistorySource;
  readonly send: Send;
  readonly slots: Slots;
  readonly metrics: DeliveryMetrics;
  readonly log: Log;
  readonly nowMs: () => number;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly timing: DeliveryTiming;
  /** What no other process has: the owner of the leases. */
  readonly processId: string;
  /** Called when a receiver answers 410. */
  readonly onGone: (subscription: Subscription) => Promise<void>;
}

/** The times of deliveries, in ms. Tests have shorter ones. */
export interface DeliveryTiming {
  /** Before each attempt, after the one before. */
  readonly retryDelaysMs: readonly number[];
  /** How long a process holds a lease without renewing it. */
  readonly leaseMs: number;
  /** The longest time between two saved positions while there are deliveries. */
  readonly saveMs: number;
  /** How often a process looks for subscriptions that others changed. */
  readonly pollMs: number;
  /** How long deliveries in flight are waited for when the service ends. */
  readonly drainMs: number;
  /** A delivery without a response is given up after this. */
  readonly timeoutMs: number;
}

export const usualTiming: DeliveryTiming = {
  retryDelaysMs,
  leaseMs: 5000,
  saveMs: 1000,
  pollMs: 2000,
  drainMs: 2000,
  timeoutMs: 15_000,
};
