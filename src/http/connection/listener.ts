import type { RequestListener, Server, ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import type { Config } from '../../config/settings.ts';
import { ServiceError } from '../../contract/errors.ts';
import { handleParserError, type ParserError, writeRaw } from './wire-errors.ts';

// An import would read every export of the module, which loads Node's WebSocket client: 7 MB for nothing.
const { createServer } = process.getBuiltinModule('node:http');

/** The time for the header fields to arrive. */
const headersTimeoutMs = 10_000;

/** Longest head of a request: request line and headers. */
export const maxHeaderBytes = 16_384;

/**
 * Requests without a body come with a stream that has ended and never emits anything: to end one costs several
 * microseconds. Node 22 does not know the option, and ends them.
 */
const withoutBodies: ServerOptions = { optimizeEmptyRequests: true };

/**
 * Makes Node's HTTP server with every limit set, and with our own responses wherever Node would make one (decision 1).
 * HTTP/1.1 only; TLS is left to a proxy.
 */
export function createListener(config: Config, newId: () => string, handle: RequestListener): Server {
  const server = createServer({
    ...withoutBodies,
    maxHeaderSize: maxHeaderBytes,
    // Node rejects one that is longer than the time-out of the whole request.
    headersTimeout: Math.min(headersTimeoutMs, config.requestTimeoutMs),
    requestTimeout: config.requestTimeoutMs,
    keepAliveTimeout: config.keepAliveTimeoutMs,
    connectionsCheckingInterval: 1000,
    // We refuse a request without Host ourselves, with a body.
    requireHostHeader: false,
  });
  // maxHeaderSize bounds them. Node would silently drop those beyond a maximum number, maybe Authorization.
  server.maxHeadersCount = 0;
  server.maxConnections = config.maxConnections;
  // If one process hands out connections to several, a full one would hand them back again and again.
  (server as Server & { dropMaxConnection: boolean }).dropMaxConnection = true;
  server.on('request', handle);
  // The handler checks the head of the request before it lets the client continue.
  server.on('checkContinue', handle);
  server.on('checkExpectation', handle);
  server.on('clientError', (error: ParserError, socket) => handleParserError(error, socket as Socket, newId()));
  server.on('connect', (_request, socket) => {
    const refusal = new ServiceError('MethodNotAllowed', 'CONNECT: this service is not a proxy.', {}, { allow: '' });
    writeRaw(socket as Socket, refusal, newId());
  });
  return server;
}
