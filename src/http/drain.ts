import type { Server } from 'node:http';
import net, { type Socket } from 'node:net';
import { isIdle } from './connections.ts';

/**
 * Requests that were on their way when draining began get this long to arrive, those on new connections too: the kernel
 * resets what it has accepted and the process has not, when the listening socket closes. Then idle connections are closed.
 */
const sweepMs = 100;

/**
 * Ends a server without losing an answer: it soon accepts no connection any more, every answer from now on says
 * `Connection: close` (the caller sees to that), idle connections are closed again and again, and whatever is left at
 * the deadline is cut off. It always ends; Node's and Fastify's own close wait for as long as clients keep asking.
 */
export async function drainServer(server: Server, connections: ReadonlySet<Socket>, deadlineMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  // Not the close of http: that one destroys connections at once, even where an answer is still on its way out.
  const close = () => net.Server.prototype.close.call(server, () => resolve());
  setTimeout(close, Math.min(sweepMs, deadlineMs));
  const sweeper = setInterval(sweepIdle, sweepMs, connections);
  const deadline = setTimeout(destroyAll, deadlineMs, connections);
  await promise;
  clearInterval(sweeper);
  clearTimeout(deadline);
}

function sweepIdle(connections: ReadonlySet<Socket>): void {
  // After the poll phase all that has arrived was read: what is idle then has no request waiting in the kernel.
  setImmediate(() => {
    for (const socket of connections) if (isIdle(socket)) socket.destroy();
  });
}

function destroyAll(connections: ReadonlySet<Socket>): void {
  for (const socket of connections) socket.destroy();
}
