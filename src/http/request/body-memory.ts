import { ServiceError } from '../../contract/errors.ts';

/** Peak memory of a write as a multiple of its body size: the body is parsed, compared, indexed and stored. */
const timesItsSize = 40;

/** A request that waits longer gets 503, before proxies give up. */
const longestWaitMs = 10_000;

interface Waiting {
  readonly size: number;
  readonly begin: () => void;
}

/**
 * Bounds the memory that large bodies take together: a request has its part from before its body is read until its response
 * is made. Those for which there is no room wait in the order in which they came; one alone always has room.
 */
export class BodyMemory {
  readonly #limit: number;
  #used = 0;
  #waiting: Waiting[] = [];

  /** `limitBytes`: of memory, not of bodies. */
  constructor(limitBytes: number) {
    this.#limit = limitBytes / timesItsSize;
  }

  /** Waits for room. The function that it resolves to gives it back. Throws 503 `OverCapacity` after ten seconds. */
  async take(size: number): Promise<() => void> {
    if (this.#waiting.length > 0 || !this.#hasRoom(size)) await this.#wait(size);
    else this.#used += size;
    return () => {
      this.#used -= size;
      this.#beginNext();
    };
  }

  #hasRoom(size: number): boolean {
    return this.#used === 0 || this.#used + size <= this.#limit;
  }

  #wait(size: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      this.#waiting = this.#waiting.filter((each) => each !== waiting);
      this.#beginNext();
      const message = 'Too many large requests at the same time; try again.';
      reject(new ServiceError('OverCapacity', message, {}, { 'retry-after': '2' }));
    }, longestWaitMs);
    const begin = () => {
      clearTimeout(timer);
      resolve();
    };
    const waiting = { size, begin };
    this.#waiting.push(waiting);
    return promise;
  }

  #beginNext(): void {
    for (let next = this.#waiting[0]; next && this.#hasRoom(next.size); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#used += next.size;
      next.begin();
    }
  }
}
