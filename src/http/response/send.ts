import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { clientGone, disconnectSignal } from '../connection/connections.ts';
import { closeExchange, type Exchange } from '../exchange.ts';
import { askForBody, isNotWorthReading } from '../request/body.ts';
import type { HttpResponse, ResponseStream } from '../route.ts';
import { compress, minCompressed, tagOfCopy } from './compress.ts';

export const jsonType = 'application/json; charset=utf-8';

/** How long the rest of a refused request is read, so that the client receives the response before the connection ends. */
const lingerMs = 1000;

/** A client that reads nothing of its response for this long is disconnected. */
const slowReaderMs = 30_000;

/**
 * Sends a response: all headers at once, and the body in the same packet. This keeps a read close to the speed of bare
 * node:http. A promise only for a long body, which is compressed first.
 */
export async function sendResponse(exchange: Exchange, plain: HttpResponse): Promise<void> {
  const { request, response, context, endpoint } = exchange;
  const { status } = plain;
  const accepted = request.headers['accept-encoding'];
  // Credentials and tokens are never compressed together with other data.
  const isPlain = accepted === undefined || endpoint.route.access === 'client' || request.method === 'HEAD';
  const isSentPlain = isPlain || plain.body.length < minCompressed || !isCompressible(plain);
  const result = isSentPlain ? plain : await compress(accepted, plain);
  const headers = headerFields(exchange, result);
  const endsEarly = status >= 400 || endpoint.body?.isBulk === true;
  const isClosing = context.draining.aborted || (endsEarly && isNotWorthReading(request));
  if (isClosing && result.headers?.connection === undefined) headers.push('connection', 'close');
  // The body is read while the response is sent, and 100 Continue comes before its head.
  if (result.stream && endpoint.body?.isBulk) askForBody(request, response);
  response.writeHead(status, headers);
  if (result.stream && request.method !== 'HEAD') {
    context.waiting.add(exchange);
    sendStream(exchange, status, result.stream);
    return;
  }
  // A request without a body has ended before it is complete (listener.ts).
  const isArriving = request.complete === false && !request.readableEnded;
  if (isArriving && headers.at(-1) === 'close' && request.method !== 'HEAD') {
    response.write(result.body);
    endLingering(exchange);
  } else {
    // An unread short body would precede the next request on the connection.
    if (isArriving) discard(request);
    response.end(result.body);
  }
  // Only now: a timer that each read and write resets would cost a read 6 % of its speed.
  // The stand-in for a socket that `inject` makes has no timer.
  if (response.socket && response.socket.writableLength > 0) response.socket.setTimeout?.(slowReaderMs);
  else context.waiting.delete(exchange);
  closeExchange(exchange, status);
}

/** True for responses that may be compressed: which have a body of text and no secrets, which are never stored. */
function isCompressible({ stream, headers }: HttpResponse): boolean {
  if (stream !== undefined) return false;
  if (headers === undefined) return true;
  const type = headers['content-type'];
  if (type !== undefined && !/^(?:text\/(?!event-stream)|application\/(?:json|javascript)|image\/svg)/.test(type))
    return false;
  return headers['cache-control'] !== 'no-store' && headers['content-encoding'] === undefined;
}

/** The client has disconnected: before the first byte was sent, or later. */
const goneCodes: ReadonlySet<string | undefined> = new Set(['ERR_STREAM_UNABLE_TO_PIPE', 'ERR_STREAM_PREMATURE_CLOSE']);

/** Sends a body no faster than the client reads it. If it fails midway it is cut off: the status has been sent. */
function sendStream(exchange: Exchange, status: number, stream: ResponseStream): void {
  const { open, trailers, slowReaderMs: waitMs = slowReaderMs, isLive = false } = stream;
  const { request, response, context, correlationId, endpoint } = exchange;
  response.socket?.setTimeout?.(waitMs);
  // A client that is sent nothing for a while, as where few of many resources match, has nothing to read.
  response.on('timeout', (socket: Socket) => {
    if (socket.writableLength > 0) socket.destroy();
    else socket.setTimeout(waitMs);
  });
  // A client that sends a long body waits for the head of the response.
  if (isLive || endpoint.body?.isBulk) response.flushHeaders();
  if (isLive) closeExchange(exchange, status);
  const source = open(AbortSignal.any([disconnectSignal(request.socket), context.draining]));
  pipeline(source, response, { end: false }).then(
    () => {
      if (trailers) response.addTrailers(trailers.values());
      if (endpoint.body?.isBulk) endLingering(exchange);
      else response.end();
      closeExchange(exchange, status);
    },
    (error: NodeJS.ErrnoException) => {
      if (!goneCodes.has(error.code) && (error as unknown) !== clientGone) {
        const { operationId } = endpoint.route;
        const [level, event] = isLive
          ? (['warn', 'a live response ended early'] as const)
          : (['error', 'request failed'] as const);
        context.log.write(level, event, { correlationId, operationId, status, error });
      }
      // A pipeline that could not begin leaves it open.
      if (source instanceof Readable) source.destroy();
      response.destroy();
      closeExchange(exchange, 499);
    },
  );
}

function headerFields({ endpoint, correlationId, context, request, caller }: Exchange, result: HttpResponse): string[] {
  const { status, body, stream, headers } = result;
  const fields = ['x-correlation-id', correlationId, 'x-content-type-options', 'nosniff'];
  if (status !== 204 && status !== 304) {
    if (headers?.['content-type'] === undefined) fields.push('content-type', jsonType);
    // A response to HEAD that was made without its body says nothing about the length that a GET would have.
    const isUnknown = request.method === 'HEAD' && body === '' && stream === undefined;
    if (stream && stream.sizeBytes === undefined) {
      // Only a chunked body has trailers: neither HEAD has one, nor HTTP/1.0.
      const isChunked = request.method !== 'HEAD' && request.httpVersion !== '1.0';
      if (stream.trailers && isChunked) fields.push('trailer', stream.trailers.names.join(', '));
    } else if (!isUnknown) fields.push('content-length', String(stream?.sizeBytes ?? Buffer.byteLength(body)));
  }
  if (headers?.['cache-control'] === undefined) {
    // A shared cache must not store what required a token.
    const caching = endpoint.needsToken ? 'private, no-cache' : 'no-cache';
    fields.push('cache-control', status >= 400 ? 'no-store' : caching);
  }
  // The request headers that a cache must compare before it reuses the response.
  let varies = endpoint.needsToken ? ', authorization' : '';
  if (headers?.['content-encoding'] !== undefined || isCompressible(result)) varies += ', accept-encoding';
  const isForPages = context.cors.isConfigured || caller?.origins !== undefined;
  if (isForPages) varies += ', origin';
  if (varies !== '') fields.push('vary', varies.slice(2));
  if (isForPages) fields.push(...context.cors.headersFor(request, caller?.origins));
  // `connection` comes last: sendResponse looks for it there.
  for (const name in headers) if (name !== 'connection') fields.push(name, headers[name]!);
  if (status === 304 && headers?.etag !== undefined) {
    fields[fields.lastIndexOf(headers.etag)] = tagOfCopy(headers.etag, request.headers['if-none-match'] ?? '');
  }
  if (headers?.connection !== undefined) fields.push('connection', headers.connection);
  return fields;
}

/**
 * Ends a response whose connection ends with it, while its request may still be arriving. Closing at once would reset the
 * connection, and the client might lose the response with it (RFC 9112 §9.6), so the rest of the request is read for a
 * while and discarded.
 */
function endLingering({ request, response }: Exchange): void {
  if (request.complete !== false || request.readableEnded) {
    response.end();
    return;
  }
  const end = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, lingerMs);
  request.once('close', end);
  request.once('end', end);
  discard(request);
}

/** Reads the rest of a request for nothing, also where a handler has stopped to iterate over it. */
function discard(request: IncomingMessage): void {
  request.removeAllListeners('readable');
  request.resume();
}
