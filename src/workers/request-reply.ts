import { setTimeout as pause } from 'node:timers/promises';

/** Questions to other processes whose answers come as messages. */
interface Questions {
  /** Asks with a number of its own, and resolves to the answer; to undefined where none comes in time. */
  ask(send: (ask: number) => void): Promise<string | undefined>;
  answered(ask: number, text: string): void;
}

/**
 * How long an answer is waited for: a process that is stuck must not hold up what the others can say. A worker asks the
 * primary, which asks all workers before it answers, so that it must have more patience than the primary.
 */
export const patienceMs = { primary: 1000, worker: 2000 } as const;

/** Makes an empty list of questions. */
export function createQuestions(longestMs: number): Questions {
  const open = new Map<number, (text: string) => void>();
  let last = 0;
  return {
    async ask(send) {
      last += 1;
      const ask = last;
      const { promise, resolve } = Promise.withResolvers<string>();
      open.set(ask, resolve);
      const over = new AbortController();
      const late = pause(longestMs, undefined, { ref: false, signal: over.signal }).catch(() => undefined);
      send(ask);
      try {
        return await Promise.race([promise, late]);
      } finally {
        open.delete(ask);
        over.abort();
      }
    },
    answered: (ask, text) => open.get(ask)?.(text),
  };
}
