import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The property of a connection with its current or last response; undefined before its first request. */
export const latestResponse = Symbol('latest response');

export type TrackedSocket = Socket & { [latestResponse]?: ServerResponse };

/** The open connections of a server, as a live set. */
export function trackConnections(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

/**
 * True if no response is in progress. To Node itself a connection is idle once its response has ended, sent or not, so
 * that it would cut off a client that reads slowly.
 */
export function isIdle(socket: TrackedSocket): boolean {
  const response = socket[latestResponse];
  return (response === undefined || response.writableFinished) && socket.writableLength === 0;
}
