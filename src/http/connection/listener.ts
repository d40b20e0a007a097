import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Config } from '../../config/settings.ts';
import { ServiceError } from '../../contract/errors.ts';
import { correlationIdOf } from '../exchange.ts';
import { errorResponse } from '../response/errors.ts';
import { jsonType } from '../response/send.ts';
import { handleParserError, type ParserError, writeRaw } from './wire-errors.ts';

// An import would read every export of the module, and with them load Node's WebSocket client: 7 MB for nothing.
const { createServer } = process.getBuiltinModule('node:http');

/** Longest head of a request: request line and header fields. */
export const maxHeaderBytes = 16_384;

/**
 * Node's HTTP server with every limit set, and with our own responses wherever Node would make one by itself
 * (decision 1). HTTP/1.1 only; TLS is for a proxy in front.
 */
export function createListener(config: Config, newId: () => string, handle: RequestListener): Server {
  const server = createServer({
    maxHeaderSize: maxHeaderBytes,
    // Node takes none that is longer than the time for all of a request.
    headersTimeout: Math.min(config.headersTimeoutMs, config.requestTimeoutMs),
    requestTimeout: config.requestTimeoutMs,
    keepAliveTimeout: config.keepAliveTimeoutMs,
    connectionsCheckingInterval: 1000,
    // We respond to a missing Host ourselves, with a body.
    requireHostHeader: false,
  });
  // All of them are bounded by maxHeaderSize; counting would cut off late ones silently, Authorization among them.
  server.maxHeadersCount = 0;
  server.maxConnections = config.maxConnections;
  // Where one process hands connections out to several: a full one would hand them back, again and again.
  (server as Server & { dropMaxConnection: boolean }).dropMaxConnection = true;
  server.on('request', handle);
  // The handler says when to go on, after all that can refuse the request by its head.
  server.on('checkContinue', handle);
  server.on('checkExpectation', (request, response) => refuseExpectation(request, response, newId));
  server.on('clientError', (error: ParserError, socket) => handleParserError(error, socket as Socket, newId()));
  server.on('connect', (_request, socket) => {
    const refusal = new ServiceError('MethodNotAllowed', 'CONNECT: this service is no proxy.', {}, { allow: '' });
    writeRaw(socket as Socket, refusal, newId());
  });
  return server;
}

function refuseExpectation(request: IncomingMessage, response: ServerResponse, newId: () => string): void {
  const refusal = new ServiceError('ExpectationFailed', 'Expect: only 100-continue is known.');
  const correlationId = correlationIdOf(request.headers['x-correlation-id'], newId);
  const { status, body } = errorResponse(refusal, correlationId);
  response.writeHead(status, {
    'content-type': jsonType,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-correlation-id': correlationId,
    connection: 'close',
  });
  response.end(body);
}
