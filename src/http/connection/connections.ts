import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Where a connection keeps the response that it carries, or carried last; undefined before its first request. */
export const latestResponse = Symbol('latest response');

export type TrackedSocket = Socket & { [latestResponse]?: ServerResponse };

/** All open connections of a server, as a set that keeps itself up to date. */
export function trackConnections(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

/**
 * True where no response is on its way. Node's own notion of idle takes a response that has been handed over for one
 * that has been sent, and would cut off a client that reads slowly.
 */
export function isIdle(socket: TrackedSocket): boolean {
  const response = socket[latestResponse];
  return (response === undefined || response.writableFinished) && socket.writableLength === 0;
}
