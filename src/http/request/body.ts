import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { ServiceError } from '../../contract/errors.ts';
import { clientGone } from '../connection/connections.ts';
import type { RouteBody } from '../route.ts';

export const noBytes: Uint8Array = new Uint8Array(0);

/** After a refusal, bodies up to this size are read to their end, to keep the connection. */
const readOnBytes = 65_536;

/**
 * The size of a body by its head, before any of it is read; 0 without a body (RFC 9112 §6.3), the largest allowed where
 * the head does not tell, as with gzip. Throws 415 or 413.
 */
export function announcedBytes({ headers }: IncomingMessage, body: RouteBody, maxBytes: number): number {
  const { 'content-encoding': encoding, 'content-type': type } = headers;
  const isChunked = headers['transfer-encoding'] !== undefined;
  const length = Number(headers['content-length'] ?? 0);
  if (!isChunked && length === 0 && body.kind !== 'stream') return 0;
  if (encoding !== undefined) checkEncoding(encoding, body);
  // Most clients send a media type without parameters.
  if (type === undefined || !body.contentTypes.includes(type)) checkType(type, body);
  if (length > maxBytes) throw tooLarge(maxBytes);
  return isChunked || (encoding !== undefined && isGzip(encoding)) ? maxBytes : length;
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

/** True for the Content-Encoding of a compressed body; `announcedBytes` has refused all others but `identity`. */
export function isGzip(encoding: string): boolean {
  return encoding.trim().toLowerCase() === 'gzip';
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

/** Reads the body, as `streamBody` does. */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
): Promise<Uint8Array> {
  const chunks = await Array.fromAsync(streamBody(request, response, maxBytes));
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

const continued = new WeakSet<ServerResponse>();

/** Sends 100 Continue to a client that waits for it, once. To be called before the head of the response is sent. */
export function askForBody(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers.expect === undefined || request.httpVersion !== '1.1' || continued.has(response)) return;
  continued.add(response);
  response.writeContinue();
}

/**
 * The body as it arrives, to be read once. A client that waits for 100 Continue gets it with the first read, after all
 * checks of the headers, and no more is received than is read. Throws `ContentTooLarge` or `clientGone`.
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
