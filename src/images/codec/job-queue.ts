import { ServiceError } from '../../contract/errors.ts';

/** A client waits for a `request` job; `background` jobs run when no request job is waiting. */
export type Urgency = 'request' | 'background';

/** Runs a few jobs at a time, so that work on images does not hold up other requests. */
export interface JobQueue {
  /** Runs a job in its turn. Throws 503 for a request where too many wait already. */
  run<T>(urgency: Urgency, job: () => Promise<T>): Promise<T>;
  readonly running: number;
  readonly waiting: number;
}

/** Further requests would time out before their turn. */
const maxWaiting = 100;

/** Makes a queue that runs `slots` jobs at a time. */
export function createJobQueue(slots: number): JobQueue {
  const waiting: Record<Urgency, (() => void)[]> = { request: [], background: [] };
  let running = 0;

  function next(): void {
    const job = waiting.request.shift() ?? waiting.background.shift();
    if (job === undefined) return;
    running += 1;
    job();
  }

  return {
    get running() {
      return running;
    },
    get waiting() {
      return waiting.request.length + waiting.background.length;
    },
    async run(urgency, job) {
      if (urgency === 'request' && waiting.request.length >= maxWaiting) {
        const message = 'Too many images are waiting to be processed; try again.';
        throw new ServiceError('OverCapacity', message, {}, { 'retry-after': '5' });
      }
      await new Promise<void>((resolve) => {
        waiting[urgency].push(resolve);
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
