import type { Server } from 'node:http';
import net, { type Socket } from 'node:net';
import { isIdle } from './connections.ts';

/** How often idle connections are looked for. One that is idle twice in a row is closed. */
const sweepMs = 100;

/** Connections that the kernel queues until they are accepted (Node's backlog). */
const backlog = 511;

/**
 * Closes a server without losing a response. Queued connections are accepted first, then no more. Every response says
 * `Connection: close` (the caller's task), idle connections are closed repeatedly, and what is left at the deadline is
 * cut off. So it always ends, while Node's own close waits as long as clients send requests.
 */
export async function drainServer(server: Server, connections: ReadonlySet<Socket>, deadlineMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  // Not the close of node:http, which destroys connections at once, even with a response in progress.
  const close = () => net.Server.prototype.close.call(server, () => resolve());
  const closing = setTimeout(close, deadlineMs);
  setTimeout(
    () =>
      whenQueueIsEmpty(server, () => {
        clearTimeout(closing);
        close();
      }),
    Math.min(sweepMs, deadlineMs),
  );
  const sweeper = setInterval(createSweep(connections), sweepMs);
  const deadline = setTimeout(destroyAll, deadlineMs, connections);
  await promise;
  clearInterval(sweeper);
  clearTimeout(deadline);
}

/**
 * Calls back when all queued connections have been accepted: closing the listener would reset them, and the requests
 * they have sent. Each turn of the event loop accepts one connection, so after a turn without any the queue is empty.
 * New clients cannot delay this by more than the length of the queue.
 */
function whenQueueIsEmpty(server: Server, done: () => void): void {
  let accepted = 0;
  const count = () => {
    accepted += 1;
  };
  server.on('connection', count);
  const look = (before: number) => {
    if (accepted > before && accepted < backlog) {
      setImmediate(look, accepted);
      return;
    }
    server.off('connection', count);
    done();
  };
  // The first turn only starts the count.
  setImmediate(() => setImmediate(look, accepted));
}

/** Closes what is idle now and was idle before. A connection that was just accepted may have a request on its way. */
function createSweep(connections: ReadonlySet<Socket>): () => void {
  let idle: ReadonlySet<Socket> = new Set();
  return () => {
    // After the poll phase everything that arrived was read: an idle connection has no request in the kernel's buffer.
    setImmediate(() => {
      const now = [...connections].filter(isIdle);
      for (const socket of now) if (idle.has(socket)) socket.destroy();
      idle = new Set(now);
    });
  };
}

function destroyAll(connections: ReadonlySet<Socket>): void {
  for (const socket of connections) socket.destroy();
}
