/** Runs a limited number of tasks at a time, in their order. */
export class TaskQueue {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  running = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.running < this.#most) this.running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }
}
