import { pipeline } from 'node:stream';
import { isNotWorthReading } from '../request/body.ts';
import { closeExchange, type Exchange } from '../request/exchange.ts';
import type { Answer, AnswerStream } from '../route.ts';

export const jsonType = 'application/json; charset=utf-8';

/** How long what a refused client still sends is read, so that it gets to see the answer before the connection ends. */
const lingerMs = 1000;

/** A client that takes nothing of its answer for this long is given up. */
const slowReaderMs = 30_000;

/**
 * Writes the answer: all header fields in one go, the ready text behind them in the same packet. Fastify's reply is not
 * used for it, nor for anything else after routing: that is what keeps a read near the speed of bare node:http.
 */
export function send(exchange: Exchange, answer: Answer): void {
  const { request, response, gate } = exchange;
  const { status, body } = answer;
  const headers = headerFields(exchange, answer);
  const isClosing = gate.state.draining || (status >= 400 && isNotWorthReading(request));
  if (isClosing && answer.headers?.connection === undefined) headers.push('connection', 'close');
  response.writeHead(status, headers);
  if (answer.stream && request.method !== 'HEAD') {
    sendStream(exchange, status, answer.stream);
    return;
  }
  if (headers.at(-1) === 'close' && !request.complete && request.method !== 'HEAD') linger(exchange, body);
  else response.end(body);
  // Not for every connection from its start: a timer that each read and write pushes back costs a read 6 % of its speed.
  // The stand-in for a connection that `inject` makes has no timer.
  if (response.socket && response.socket.writableLength > 0) response.socket.setTimeout?.(slowReaderMs);
  closeExchange(exchange, status);
}

/** Sends a body no faster than the client takes it. A fault on the way cuts it off: the status has been sent. */
function sendStream(exchange: Exchange, status: number, { open }: AnswerStream): void {
  const { response, gate, correlationId, endpoint } = exchange;
  response.socket?.setTimeout?.(slowReaderMs);
  pipeline(open(), response, (error) => {
    const isGone = error?.code === 'ERR_STREAM_PREMATURE_CLOSE';
    if (error && !isGone) {
      const { operationId } = endpoint.route;
      gate.log.write('error', 'request failed', { correlationId, operationId, status, error });
    }
    closeExchange(exchange, error ? 499 : status);
  });
}

function headerFields({ endpoint, correlationId, gate, request }: Exchange, answer: Answer): string[] {
  const { status, body, stream, headers } = answer;
  const fields = ['x-correlation-id', correlationId, 'x-content-type-options', 'nosniff'];
  if (status !== 204 && status !== 304) {
    fields.push(
      'content-type',
      answer.contentType ?? jsonType,
      'content-length',
      String(stream?.sizeBytes ?? Buffer.byteLength(body)),
    );
  }
  if (headers?.['cache-control'] === undefined) {
    fields.push('cache-control', status >= 400 ? 'no-store' : defaultCaching(endpoint.needsToken));
  }
  if (endpoint.needsToken) fields.push('vary', gate.cors ? 'authorization, origin' : 'authorization');
  else if (gate.cors) fields.push('vary', 'origin');
  if (gate.cors) fields.push(...gate.cors.headersFor(request));
  // `connection` last: send looks there.
  for (const name in headers) if (name !== 'connection') fields.push(name, headers[name]!);
  if (headers?.connection !== undefined) fields.push('connection', headers.connection);
  return fields;
}

/** No shared cache keeps what a token was needed for. */
const defaultCaching = (isPrivate: boolean) => (isPrivate ? 'private, no-cache' : 'no-cache');

/**
 * Answers while the request is still arriving. Closing at once would reset the connection, and the client might lose
 * the answer with it (RFC 9112 §9.6): so the rest is read for a while and thrown away.
 */
function linger({ request, response }: Exchange, body: string | Uint8Array): void {
  response.write(body);
  const end = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, lingerMs);
  request.once('close', end);
  request.once('end', end);
  request.resume();
}
