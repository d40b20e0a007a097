import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { ServiceError } from '../../contract/errors.ts';
import { clientGone } from '../connection/connections.ts';
import type { RouteBody } from '../route.ts';

export const noBytes: Uint8Array = new Uint8Array(0);

/** After a refusal, bodies up to this size are read to their end, to keep the connection. */
const readOnBytes = 65_536;

/** True if the request has a body, according to its framing (RFC 9112 §6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** The size of the body, as its head has it; the largest allowed where that does not tell, as with gzip. */
export function announcedBytes(request: Pick<IncomingMessage, 'headers'>, maxBytes: number): number {
  const length = Number(request.headers['content-length'] ?? maxBytes);
  return isCompressed(request) ? maxBytes : Math.min(length, maxBytes);
}

/** True if the rest of a refused request is too long, or of unknown length, to be read just to keep the connection. */
export function isNotWorthReading(request: IncomingMessage): boolean {
  const { headers } = request;
  if (request.complete) return false;
  return (
    headers['transfer-encoding'] !== undefined ||
    headers.expect !== undefined ||
    Number(headers['content-length'] ?? 0) > readOnBytes
  );
}

/** Checks the headers of a body before any of it is read. Throws 415 or 413. */
export function checkBodyHeaders({ headers }: IncomingMessage, body: RouteBody, maxBytes: number): void {
  const { 'content-encoding': encoding, 'content-type': type } = headers;
  if (encoding !== undefined) checkEncoding(encoding, body);
  // Most clients send a media type without parameters.
  if (type === undefined || !body.contentTypes.includes(type)) checkType(type, body);
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

/** gzip is taken, but not for images: they are compressed already (RFC 9110 §15.5.16). */
function checkEncoding(encoding: string, { kind, isBulk }: RouteBody): void {
  const known = kind === 'stream' && !isBulk ? ['identity'] : ['gzip', 'identity'];
  if (known.includes(encoding.trim().toLowerCase())) return;
  const message = `Content-Encoding ${encoding} is not supported: expected ${known.join(' or ')}.`;
  throw new ServiceError('UnsupportedMediaType', message, {}, { 'accept-encoding': known.join(', ') });
}

const inflate = promisify(gunzip);

/** The body as it was before it was compressed, which is bounded by the same limit. Throws 413, or 400 if it is no gzip. */
export async function inflateBody(bytes: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  try {
    return await inflate(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes);
    throw new ServiceError('InvalidInput', 'Content-Encoding: the body is not valid gzip.');
  }
}

/** True if the body of the request is compressed; `checkBodyHeaders` has seen it. */
export function isCompressed({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const encoding = headers['content-encoding'];
  return encoding !== undefined && encoding.trim().toLowerCase() === 'gzip';
}

/** RFC 9110 §8.3.1: one media type, with parameters. */
const typeForm =
  /^([\w!#$&^.+-]+\/[\w!#$&^.+-]+)[ \t]*((?:;[ \t]*(?:[\w!#$&^.+-]+=(?:[\w!#$&^.+-]+|"[^"\\]*"))?[ \t]*)*)$/;

/** The charset that a Content-Type, or the parameters of one, names. */
export function charsetParameter(contentType: string): string | undefined {
  return /;[ \t]*charset="?([^";]*)/i.exec(contentType)?.[1]?.trim();
}

function checkType(contentType: string | undefined, { contentTypes, toleratedTypes = [], kind }: RouteBody): void {
  const [, type = '', parameters = ''] = typeForm.exec(contentType?.trim() ?? '') ?? [];
  const charset = charsetParameter(parameters) ?? 'utf-8';
  const isSupported = contentTypes.includes(type.toLowerCase()) || toleratedTypes.includes(type.toLowerCase());
  const isText = kind === 'json' || kind === 'form';
  if (isSupported && (!isText || /^(?:utf-?8|us-ascii)[ \t]*$/i.test(charset))) return;
  const shown =
    contentType === undefined ? 'The Content-Type is missing' : `Content-Type ${contentType} is not supported`;
  const charsetHint = isText ? ' in UTF-8' : '';
  throw new ServiceError('UnsupportedMediaType', `${shown}: expected ${contentTypes.join(', ')}${charsetHint}.`);
}

function tooLarge(maxBytes: number): ServiceError {
  const message = `The body is larger than ${maxBytes} bytes.`;
  return new ServiceError('ContentTooLarge', message, {}, { connection: 'close' });
}

/**
 * Reads the body. A client that waits for 100 Continue gets it here, after all checks of the headers. Rejects with
 * `ContentTooLarge` or `clientGone`.
 */
export function readBody(request: IncomingMessage, response: ServerResponse, maxBytes: number): Promise<Uint8Array> {
  askForBody(request, response);
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
  if (request.destroyed) reject(clientGone);
  request.on('data', take);
  request.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, length)));
  request.once('error', () => reject(clientGone));
  // A request that closes before its end was cut off. After its end the promise is settled already.
  request.once('close', () => reject(clientGone));
  return promise;
}

const continued = new WeakSet<ServerResponse>();

/** Sends 100 Continue to a client that waits for it, once. To be called before the head of the response is sent. */
export function askForBody(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers.expect === undefined || request.httpVersion !== '1.1' || continued.has(response)) return;
  continued.add(response);
  response.writeContinue();
}

/**
 * The body as it arrives, to be read once. 100 Continue is sent with the first read, and no more is received than is
 * read. Throws like `readBody`.
 */
export async function* streamBody(
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
): AsyncIterable<Uint8Array> {
  askForBody(request, response);
  let length = 0;
  try {
    // The request must outlive the iteration: a refusal still needs its response.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      length += chunk.length;
      if (length > maxBytes) break;
      yield chunk;
    }
  } catch {
    throw clientGone;
  }
  if (length > maxBytes) throw tooLarge(maxBytes);
  // Undefined in the stand-in for a request that `inject` makes.
  if (request.complete === false) throw clientGone;
}
