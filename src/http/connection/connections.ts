import { setMaxListeners } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The property of a connection with its current or last response; undefined before its first request. */
export const latestResponse = Symbol('latest response');

/** The property of a connection whose present request may take longer to arrive than others. */
export const isUnhurried = Symbol('unhurried');

const disconnected = Symbol('disconnected');

export type TrackedSocket = Socket & {
  [latestResponse]?: ServerResponse;
  [isUnhurried]?: boolean;
  [disconnected]?: AbortSignal;
};

/** Thrown where the client has disconnected and cannot receive a response. */
export const clientGone = Symbol('client gone');

/** Aborted with `clientGone` when the connection closes: one signal for all requests on it. */
export function disconnectSignal(socket: TrackedSocket): AbortSignal {
  const known = socket[disconnected];
  if (known) return known;
  const controller = new AbortController();
  const { signal } = controller;
  // As many as the client has requests in the pipeline.
  setMaxListeners(0, signal);
  const abort = () => controller.abort(clientGone);
  if (socket.destroyed) abort();
  else socket.once('close', abort);
  socket[disconnected] = signal;
  return signal;
}

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

/** Lets the request of a connection take as long as it likes to arrive, until its response has ended. */
export function letArrive(socket: TrackedSocket, response: ServerResponse): void {
  socket[isUnhurried] = true;
  response.once('close', () => {
    socket[isUnhurried] = false;
  });
}
