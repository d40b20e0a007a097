import { ServiceError } from '../../contract/errors.ts';

/** Runs a few jobs at a time, so that work on images does not hold up other requests. */
export interface JobQueue {
  /** Runs a job in its turn. Throws 503 where too many wait already. */
  run<T>(job: () => Promise<T>): Promise<T>;
  readonly running: number;
  readonly waiting: number;
}

/** Further requests would time out before their turn. */
const maxWaiting = 100;

/** Makes a queue that runs `slots` jobs at a time. */
export function createJobQueue(slots: number): JobQueue {
  const waiting: (() => void)[] = [];
  let running = 0;

  function next(): void {
    const job = waiting.shift();
    if (job === undefined) return;
    running += 1;
    job();
  }

  return {
    get running() {
      return running;
    },
    get waiting() {
      return waiting.length;
    },
    async run(job) {
      if (waiting.length >= maxWaiting) {
        const message = 'Too many images are waiting to be processed; try again.';
        throw new ServiceError('OverCapacity', message, {}, { 'retry-after': '5' });
      }
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (running < slots) next();
      });
      try {
        return await job();
      } finally {
        running -= 1;
        next();
      }
    },
  };
}
