import type { Socket } from 'node:net';
import { ServiceError } from '../../contract/errors.ts';
import { maxTargetBytes, targetTooLong } from '../request/framing.ts';
import { errorResponse } from '../response/errors.ts';
import { jsonType } from '../response/send.ts';
import { isUnhurried, latestResponse, type TrackedSocket } from './connections.ts';

// Not imported, for the reason in listener.ts.
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** An error that Node's parser reports with `clientError`. */
export type ParserError = Error & {
  readonly code?: string | undefined;
  readonly rawPacket?: Buffer | undefined;
  readonly bytesParsed?: number | undefined;
};

/** How long a refused connection stays open, so that the client receives the response. */
const lingerMs = 1000;

/** Responds to bytes that are not a request, in the shape of every other error, and ends the connection. */
export function handleParserError(error: ParserError, socket: Socket, correlationId: string): void {
  const response = (socket as TrackedSocket)[latestResponse];
  // Its handler ends it when nothing arrives any more.
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && (socket as TrackedSocket)[isUnhurried]) return;
  const reply = () => writeRaw(socket, refusalOf(error), correlationId);
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy();
  else if (!response || response.writableFinished) reply();
  // A valid request is still being handled. The error is in what follows it.
  else if (response.req.complete) response.once('finish', reply);
  // The body of a running request is malformed, or did not arrive in time.
  else if (!response.headersSent) reply();
  else {
    // The request was refused already. What follows is irrelevant.
    response.end();
    endSoon(socket);
  }
}

/** Writes a response to a connection without a request, and ends the connection. */
export function writeRaw(socket: Socket, refusal: ServiceError, correlationId: string): void {
  if (!socket.writable) return;
  const { status, body, headers } = errorResponse(refusal, correlationId);
  const fields = {
    'content-type': jsonType,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-correlation-id': correlationId,
    ...headers,
    connection: 'close',
  };
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${body}`);
  endSoon(socket);
}

function endSoon(socket: Socket): void {
  socket.end();
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

function refusalOf(error: ParserError): ServiceError {
  const line = requestLine(error);
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return line.length > maxTargetBytes
        ? targetTooLong()
        : new ServiceError('HeadersTooLarge', 'The headers are larger than 16 KiB.');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ServiceError('ContentTooLarge', 'The chunk extensions are larger than 16 KiB.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ServiceError('RequestTimeout', 'The request did not arrive in time.');
    case 'HPE_INVALID_METHOD':
      if (/^[A-Za-z]+ \S+ HTTP\/1\.[01]$/.test(line)) {
        return new ServiceError('NotImplemented', 'The HTTP method is unknown. Methods are in upper case.');
      }
      return malformed(error);
    default:
      return malformed(error);
  }
}

/** The messages of the parser are fixed texts. They contain nothing of the request. */
function malformed({ message }: ParserError): ServiceError {
  return new ServiceError('InvalidInput', `The request is not HTTP/1.1: ${message}.`);
}

/** The request line of the request in which the parser failed: the last one in the packet that it began. */
function requestLine({ rawPacket, bytesParsed = 0 }: ParserError): string {
  const packet = rawPacket?.toString('latin1') ?? '';
  const before = packet.lastIndexOf('\r\n\r\n', bytesParsed);
  return packet.slice(before < 0 ? 0 : before + 4).split(/\r?\n/, 1)[0] ?? '';
}
