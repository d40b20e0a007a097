import { ServiceError } from '../../contract/errors.ts';

/** Runs one job at a time, so that work on images leaves the other cores to requests. */
export interface JobQueue {
  /** Runs a job in its turn. Throws 503 where too many wait already. */
  run<T>(job: () => Promise<T>): Promise<T>;
  readonly running: number;
  readonly waiting: number;
}

/** Further requests would time out before their turn. */
const maxWaiting = 100;

/** Makes a queue. */
export function createJobQueue(): JobQueue {
  let last: Promise<unknown> = Promise.resolve();
  /** The one that runs, and those that wait. */
  let size = 0;
  return {
    get running() {
      return Math.min(size, 1);
    },
    get waiting() {
      return Math.max(0, size - 1);
    },
    async run(job) {
      if (size > maxWaiting) {
        const message = 'Too many images are waiting to be processed; try again.';
        throw new ServiceError('OverCapacity', message, {}, { 'retry-after': '5' });
      }
      size += 1;
      const done = last.then(job).finally(() => {
        size -= 1;
      });
      last = done.catch(() => {});
      return done;
    },
  };
}
