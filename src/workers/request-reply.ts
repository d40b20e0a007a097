import { setTimeout as pause } from 'node:timers/promises';

/**
 * How long to wait for a reply: a process that hangs must not delay what the others report. A worker waits longer than
 * the primary, which asks all workers before it replies.
 */
export const replyTimeoutMs = { primary: 1000, worker: 2000 } as const;

/** Requests to other processes whose replies arrive as messages. */
export function createRequests(timeoutMs: number) {
  const open = new Map<number, (text: string) => void>();
  let last = 0;
  return {
    /** Sends a request with a number of its own. Resolves to the reply, or to undefined if none arrives in time. */
    async request(send: (id: number) => void): Promise<string | undefined> {
      last += 1;
      const id = last;
      const { promise, resolve } = Promise.withResolvers<string>();
      open.set(id, resolve);
      const over = new AbortController();
      const timeout = pause(timeoutMs, undefined, { ref: false, signal: over.signal }).catch(() => undefined);
      send(id);
      try {
        return await Promise.race([promise, timeout]);
      } finally {
        open.delete(id);
        over.abort();
      }
    },
    /** Passes on a reply that arrived. */
    reply: (id: number, text: string) => open.get(id)?.(text),
  };
}
