import { setTimeout as pause } from 'node:timers/promises';

/** Questions to other processes whose answers come as messages. */
export interface Questions {
  /** Asks with a number of its own, and resolves to the answer; to undefined where none comes in time. */
  ask(send: (ask: number) => void): Promise<string | undefined>;
  answered(ask: number, text: string): void;
}

/** A process that is stuck must not hold up an answer that the others can give. */
const longestMs = 1000;

/** Makes an empty list of questions. */
export function createQuestions(): Questions {
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
