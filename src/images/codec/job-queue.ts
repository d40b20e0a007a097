import { ServiceError } from '../../contract/errors.ts';

export type JobQueue = ReturnType<typeof createJobQueue>;

/** Further requests would time out before their turn. */
const maxWaiting = 100;

/** Runs one job at a time, so that work on images leaves the other cores to requests. */
export function createJobQueue() {
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
    /** Runs a job in its turn. Throws 503 where too many wait already. */
    async run<T>(job: () => Promise<T>): Promise<T> {
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
