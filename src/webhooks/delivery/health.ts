import type { SendResult } from '../message/send.ts';
import { throttleMs } from './schedule.ts';

export const maxConcurrency = 8;
/** Failures in a row after which a receiver counts as down. */
export const failuresToBeDown = 5;

/** The health of a receiver, judged by the last attempts. Times are ms since the epoch. */
export class Health {
  #concurrency = 1;
  #failures: number;
  #throttles = 0;
  /** Nothing may be sent before; 0: anything may. */
  waitsUntilMs = 0;
  /** The first of the last failures in a row; 0 after a success. */
  failingSinceMs: number;

  /** `downSinceMs` is 0 for a receiver that was not down. */
  constructor(downSinceMs: number) {
    this.failingSinceMs = downSinceMs;
    this.#failures = downSinceMs > 0 ? failuresToBeDown : 0;
  }

  /** Only failed changes are tried while a receiver is down, one at a time. */
  get isDown(): boolean {
    return this.#failures >= failuresToBeDown;
  }

  /** Attempts at the same time, 1–8: one more after each success, half after a failure. */
  get concurrency(): number {
    return this.isDown ? 1 : this.#concurrency;
  }

  settled(result: SendResult, nowMs: number): void {
    if (result.ok) {
      this.#failures = 0;
      this.#throttles = 0;
      this.failingSinceMs = 0;
      this.#concurrency = Math.min(maxConcurrency, this.#concurrency + 1);
      return;
    }
    if (this.#failures === 0) this.failingSinceMs = nowMs;
    this.#failures += 1;
    this.#concurrency = Math.max(1, this.#concurrency >> 1);
    const pauseMs = throttleMs(result.status ?? 0, result.retryAfterMs, this.#throttles);
    if (pauseMs === undefined) return;
    this.#throttles += 1;
    this.waitsUntilMs = Math.max(this.waitsUntilMs, nowMs + pauseMs);
  }
}
