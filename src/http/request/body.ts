import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServiceError } from '../../contract/errors.ts';
import type { RouteBody } from '../route.ts';

export const noBytes: Uint8Array = new Uint8Array(0);

/** Bodies up to this size are worth reading to their end after a refusal, to keep the connection. */
const readOnBytes = 65_536;

/** Thrown by `readBody` where the client has gone: there is nobody to answer. */
export const clientGone = Symbol('client gone');

/** True where the request has a body, as its framing says (RFC 9112 §6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** True where what follows a refused request is too much, or too uncertain, to be read just to keep the connection. */
export function isNotWorthReading(request: IncomingMessage): boolean {
  const { headers } = request;
  if (request.complete) return false;
  return (
    headers['transfer-encoding'] !== undefined ||
    headers.expect !== undefined ||
    Number(headers['content-length'] ?? 0) > readOnBytes
  );
}

/** Looks at what the headers say of a body, before a byte of it is read. Throws 415 or 413. */
export function checkBodyHeaders({ headers }: IncomingMessage, body: RouteBody, maxBytes: number): void {
  const { 'content-encoding': encoding, 'content-type': type } = headers;
  if (encoding !== undefined) checkEncoding(encoding);
  // Most clients send just the name.
  if (type === undefined || !body.contentTypes.includes(type)) checkType(type, body);
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

/** Compressed bodies are refused: what they inflate to is not bounded by what was sent (RFC 9110 §15.5.16). */
function checkEncoding(encoding: string): void {
  if (encoding.trim().toLowerCase() === 'identity') return;
  const message = `Content-Encoding ${encoding}: bodies are accepted only as they are.`;
  throw new ServiceError('UnsupportedMediaType', message, {}, { 'accept-encoding': 'identity' });
}

/** RFC 9110 §8.3.1: one media type, with parameters. */
const typeForm =
  /^([\w!#$&^.+-]+\/[\w!#$&^.+-]+)[ \t]*((?:;[ \t]*(?:[\w!#$&^.+-]+=(?:[\w!#$&^.+-]+|"[^"\\]*"))?[ \t]*)*)$/;

function checkType(contentType: string | undefined, { contentTypes, kind }: RouteBody): void {
  const [, type = '', parameters = ''] = typeForm.exec(contentType?.trim() ?? '') ?? [];
  const charset = /;[ \t]*charset="?([^";]*)/i.exec(parameters)?.[1] ?? 'utf-8';
  const isKnown = contentTypes.includes(type.toLowerCase());
  const isText = kind === 'json' || kind === 'form';
  if (isKnown && (!isText || /^(?:utf-?8|us-ascii)[ \t]*$/i.test(charset))) return;
  const shown =
    contentType === undefined ? 'The Content-Type is missing' : `Content-Type ${contentType} is not supported`;
  const charsetHint = isText ? ' in UTF-8' : '';
  throw new ServiceError('UnsupportedMediaType', `${shown}: ${contentTypes.join(', ')}${charsetHint} expected.`);
}

function tooLarge(maxBytes: number): ServiceError {
  const message = `The body is larger than ${maxBytes} bytes.`;
  return new ServiceError('ContentTooLarge', message, {}, { connection: 'close' });
}

/**
 * Reads the body. A client that waits for 100 Continue gets it here, after everything that could refuse the request by
 * its headers. Throws `ContentTooLarge`, or `clientGone`.
 */
export function readBody(request: IncomingMessage, response: ServerResponse, maxBytes: number): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const chunks: Buffer[] = [];
  let length = 0;
  const take = (chunk: Buffer) => {
    length += chunk.length;
    if (length <= maxBytes) chunks.push(chunk);
    else {
      request.off('data', take);
      reject(tooLarge(maxBytes));
    }
  };
  request.on('data', take);
  request.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length)));
  request.once('error', () => reject(clientGone));
  // A request that closes before its end was cut off; after it, the promise is settled already.
  request.once('close', () => reject(clientGone));
  if (request.headers.expect !== undefined && request.httpVersion === '1.1') response.writeContinue();
  return promise;
}

/**
 * The body as it arrives, to be read once. It asks for 100 Continue when the first of it is wanted, and for more only
 * when what came was taken. Throws as `readBody` does.
 */
export async function* streamBody(
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
): AsyncIterable<Uint8Array> {
  if (request.headers.expect !== undefined && request.httpVersion === '1.1') response.writeContinue();
  let length = 0;
  // The request is not destroyed with the iteration: a refusal is still to be answered.
  for await (const chunk of received(request)) {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
  // Not of the stand-in for a request that `inject` makes.
  if (request.complete === false) throw clientGone;
}

async function* received(request: IncomingMessage): AsyncIterable<Buffer> {
  try {
    yield* request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch {
    throw clientGone;
  }
}
