import type { Server } from 'node:http';
import net, { type Socket } from 'node:net';
import { isIdle } from './connections.ts';

/** How often idle connections are looked for. One that is idle twice in a row is closed. */
const sweepMs = 100;

/** Connections that the kernel queues until they are accepted (Node's backlog). */
const backlog = 511;

/**
 * Closes a server without losing a response. It first stops accepting: connections that the kernel has queued are taken,
 * but not read from until the listener is closed, so that no client gets a response and connects again meanwhile. From
 * then on every response says `Connection: close` (the caller's task), idle connections are closed repeatedly, and what
 * is left at the deadline is cut off. So it always ends, while Node's own close waits as long as clients send requests.
 */
export async function drainServer(server: Server, connections: ReadonlySet<Socket>, deadlineMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const endMs = performance.now() + deadlineMs;
  const queued = await acceptQueued(server, endMs);
  // Not the close of node:http, which destroys connections at once, even with a response in progress.
  net.Server.prototype.close.call(server, () => resolve());
  for (const socket of queued) socket.resume();
  const deadline = setTimeout(destroyAll, endMs - performance.now(), connections);
  const sweeper = setInterval(createSweep(connections), sweepMs);
  await promise;
  clearInterval(sweeper);
  clearTimeout(deadline);
}

/**
 * Accepts the connections that the kernel has queued, and returns them paused: closing the listener would reset them, and
 * the requests they have sent. Each turn of the event loop accepts at least one, so the queue is empty after two turns
 * without any; one turn may have begun before a client connected. It ends at the length of the queue and at the deadline,
 * whoever connects.
 */
function acceptQueued(server: Server, endMs: number): Promise<readonly Socket[]> {
  const { promise, resolve } = Promise.withResolvers<readonly Socket[]>();
  const queued: Socket[] = [];
  const take = (socket: Socket) => queued.push(socket);
  const paused = server as Server & { pauseOnConnect: boolean };
  paused.pauseOnConnect = true;
  server.on('connection', take);
  const look = (before: number, quietTurns: number) => {
    const quiet = queued.length > before ? 0 : quietTurns + 1;
    if (quiet < 2 && queued.length < backlog && performance.now() < endMs) {
      setImmediate(look, queued.length, quiet);
      return;
    }
    server.off('connection', take);
    resolve(queued);
  };
  // The first turn only starts the count.
  setImmediate(() => setImmediate(look, 0, 0));
  return promise;
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
