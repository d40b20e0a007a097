import { setTimeout as pause } from 'node:timers/promises';
import { ServiceError } from '../../contract/errors.ts';

/** Peak memory of a write as a multiple of its body size: the body is parsed, compared, indexed and stored. */
const timesItsSize = 40;

/** A request that waits longer gets 503, before proxies give up. */
const longestWaitMs = 10_000;
/** How often the first of those that wait looks for room. */
const lookMs = 10;

/**
 * Bounds the memory that large bodies take together: a request has its part from before its body is read until its response
 * is made. Those for which there is no room wait in the order in which they came; one alone always has room.
 */
export class BodyMemory {
  readonly #limit: number;
  #used = 0;
  /** Ends when the last one that came has its part, or is refused. */
  #last: Promise<unknown> = Promise.resolve();

  /** `limitBytes`: of memory, not of bodies. */
  constructor(limitBytes: number) {
    this.#limit = limitBytes / timesItsSize;
  }

  /** Waits for room. The function that it resolves to gives it back. Throws 503 `OverCapacity` after ten seconds. */
  take(size: number): Promise<() => void> {
    const untilMs = performance.now() + longestWaitMs;
    const taken = this.#last.then(() => this.#find(size, untilMs));
    this.#last = taken.catch(() => {});
    return taken;
  }

  async #find(size: number, untilMs: number): Promise<() => void> {
    while (this.#used > 0 && this.#used + size > this.#limit) {
      if (performance.now() > untilMs) {
        const message = 'Too many large requests at the same time; try again.';
        throw new ServiceError('OverCapacity', message, {}, { 'retry-after': '2' });
      }
      await pause(lookMs);
    }
    this.#used += size;
    return () => {
      this.#used -= size;
    };
  }
}
