import type { SendResult } from '../message/send.ts';
import { throttleMs } from './schedule.ts';

/** What the last attempts tell of a receiver, and so how it is treated. */
export interface Health {
  /** Takes the result of an attempt into account. */
  settled(result: SendResult, nowMs: number): void;
  /** Attempts at the same time, 1–8: more after each success, half after a failure. */
  concurrency(): number;
  /** Nothing may be sent before (ms since the epoch); 0: anything may. */
  waitsUntilMs(): number;
  /** True after several failures without a success: only what failed is tried again, one at a time. */
  isDown(): boolean;
  /** When the first of the last failures in a row was (ms since the epoch); 0 after a success. */
  failingSinceMs(): number;
}

export const maxConcurrency = 8;
/** Failures in a row after which a receiver is taken to be down. */
export const failuresToBeDown = 5;

/** The health of a receiver that is down since a time (ms since the epoch); 0: of which nothing is known. */
export function createHealth(downSinceMs: number): Health {
  let concurrency = 1;
  let failures = downSinceMs > 0 ? failuresToBeDown : 0;
  let throttles = 0;
  let waitsUntilMs = 0;
  let sinceMs = downSinceMs;
  return {
    settled(result, nowMs) {
      if (result.ok) {
        [failures, throttles, sinceMs] = [0, 0, 0];
        concurrency = Math.min(maxConcurrency, concurrency + 1);
        return;
      }
      if (failures === 0) sinceMs = nowMs;
      failures += 1;
      concurrency = Math.max(1, concurrency >> 1);
      const pauseMs = throttleMs(result.status ?? 0, result.retryAfterMs, throttles);
      if (pauseMs === undefined) return;
      throttles += 1;
      waitsUntilMs = Math.max(waitsUntilMs, nowMs + pauseMs);
    },
    concurrency: () => (failures >= failuresToBeDown ? 1 : concurrency),
    waitsUntilMs: () => waitsUntilMs,
    isDown: () => failures >= failuresToBeDown,
    failingSinceMs: () => sinceMs,
  };
}
