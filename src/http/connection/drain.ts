import type { Server } from 'node:http';
import net, { type Socket } from 'node:net';
import { isIdle } from './connections.ts';

/** Idle connections are looked for so often; one that was idle twice in a row is closed. */
const sweepMs = 100;

/** Connections that the kernel keeps for a listener until they are accepted (Node's backlog). */
const backlog = 511;

/**
 * Ends a server without losing an answer: it soon accepts no connection any more, every answer from now on says
 * `Connection: close` (the caller sees to that), idle connections are closed again and again, and whatever is left at
 * the deadline is cut off. It always ends; Node's and Fastify's own close wait for as long as clients keep asking.
 */
export async function drainServer(server: Server, connections: ReadonlySet<Socket>, deadlineMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  // Not the close of http: that one destroys connections at once, even where an answer is still on its way out.
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
 * Calls back when everything that waited to be accepted has been: closing the listener would reset it, requests sent
 * and all. A turn of the event loop accepts one connection, so a turn without one has found the queue empty; clients
 * that keep coming do not put it off for longer than the queue was long.
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
  // The first turn only begins to look.
  setImmediate(() => setImmediate(look, accepted));
}

/** Closes what is idle now and was at the last look; a connection accepted just now may have a request behind it. */
function createSweep(connections: ReadonlySet<Socket>): () => void {
  let idle: ReadonlySet<Socket> = new Set();
  return () => {
    // After the poll phase all that has arrived was read: what is idle then has no request waiting in the kernel.
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
