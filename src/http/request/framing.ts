import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../contract/errors.ts';

/** Longest request target, in bytes; longer ones are 414. */
export const maxTargetBytes = 8192;

/** Headers of which a second one would make two parties read one request differently; each has a bit. */
const single: ReadonlyMap<string, number> = new Map(
  ['host', 'authorization', 'content-type', 'if-match', 'idempotency-key', 'content-length'].map((name, at) => [
    name,
    1 << at,
  ]),
);
/** By length, whether a name can be one of them: most headers of a request are passed over by it. */
const canBeSingle = Array.from({ length: 64 }, (_, length) =>
  [...single.keys()].some((name) => name.length === length),
);

/** What may not stand in a request target: anything but visible ASCII, `#` anywhere, `\` in the path. */
const strangeCharacter = /[^!"$-~]/;
const backslashInPath = /^[^?]*\\/;

/** The connection is not used further: where one party misread the framing, the next bytes may be anything. */
function misframed(message: string): ServiceError {
  return new ServiceError('InvalidInput', message, {}, { connection: 'close' });
}

/**
 * Refuses what Node's parser lets through, although parties on the way could read it differently (RFC 9112 §§2.3, 3.2,
 * 6.1). Throws the refusal. It runs for every request: it looks only where something may be wrong.
 */
export function checkFraming(request: IncomingMessage): void {
  if (request.httpVersion !== '1.1' && request.httpVersion !== '1.0') {
    throw misframed(`HTTP/${request.httpVersion}: HTTP/1.1 or HTTP/1.0 expected.`);
  }
  const target = request.url ?? '';
  if (target.length > maxTargetBytes) {
    const message = `The request target is longer than ${maxTargetBytes} bytes. Long queries can be sent as a form body.`;
    throw new ServiceError('UriTooLong', message);
  }
  if (strangeCharacter.test(target) || (target.includes('\\') && backslashInPath.test(target))) {
    throw misframed('The request target has a character that must be percent-encoded.');
  }
  checkDuplicates(request.rawHeaders);
  const encoding = request.headers['transfer-encoding'];
  if (encoding !== undefined) checkTransferEncoding(request.httpVersion, encoding);
}

function checkDuplicates(rawHeaders: readonly string[]): void {
  let seen = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const raw = rawHeaders[at]!;
    if (canBeSingle[raw.length] !== true) continue;
    const bit = single.get(raw.toLowerCase()) ?? 0;
    if ((seen & bit) !== 0) throw misframed(`${raw}: the header is given more than once.`);
    seen |= bit;
  }
}

function checkTransferEncoding(httpVersion: string, encoding: string): void {
  if (httpVersion === '1.0') throw misframed('Transfer-Encoding: not known in HTTP/1.0.');
  if (encoding.trim().toLowerCase() === 'chunked') return;
  const message = `Transfer-Encoding ${encoding}: only chunked is supported.`;
  throw new ServiceError('NotImplemented', message, {}, { connection: 'close' });
}
