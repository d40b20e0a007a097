import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const latest = Symbol('latest response');

type Tracked = Socket & { [latest]?: ServerResponse };

/** Notes which answer a connection carries, or carried last. */
export function noteResponse({ socket }: { readonly socket: Socket }, response: ServerResponse): void {
  (socket as Tracked)[latest] = response;
}

/** The answer that a connection carries or carried last; undefined before its first request. */
export function latestResponse(socket: Socket): ServerResponse | undefined {
  return (socket as Tracked)[latest];
}

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
 * True where no request is being answered. Node's own notion of idle takes an answer that has been handed over for one
 * that has been sent, and would cut off a client that reads slowly.
 */
export function isIdle(socket: Socket): boolean {
  const response = latestResponse(socket);
  return (response === undefined || response.writableFinished) && socket.writableLength === 0;
}
