import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../contract/errors.ts';

/** Longest request target, in bytes. Longer ones are 414. */
export const maxTargetBytes = 8192;

/** The refusal of a longer one, which names the way for long queries. */
export function targetTooLong(): ServiceError {
  const message = `The request target is longer than ${maxTargetBytes} bytes. Lists and searches take their parameters as a form, too: POST to the same path with Content-Type application/x-www-form-urlencoded.`;
  return new ServiceError('UriTooLong', message);
}

/** Headers that must not be repeated: two parties could read such a request differently. Each has a bit. */
const single: ReadonlyMap<string, number> = new Map(
  ['host', 'authorization', 'content-type', 'if-match', 'idempotency-key', 'content-length'].map((name, index) => [
    name,
    1 << index,
  ]),
);
/** By the length of a name, whether it can be one of them: this rules out most headers. */
const canBeSingle = Array.from({ length: 64 }, (_, length) =>
  [...single.keys()].some((name) => name.length === length),
);

/** Characters that are invalid in a request target: all but visible ASCII, `#` anywhere, `\` in the path. */
const invalidCharacter = /[^!"$-~]/;
const backslashInPath = /^[^?]*\\/;

/** As Node recognises it. Any other expectation is refused. */
const expectsContinue = /(?:^|\W)100-continue(?:$|\W)/i;

/** The connection is closed: if the framing was misread, the next bytes may be anything. */
function malformed(message: string): ServiceError {
  return new ServiceError('InvalidInput', message, {}, { connection: 'close' });
}

/**
 * Refuses what Node's parser accepts although a proxy on the way might read it differently (RFC 9112 §§2.3, 3.2, 6.1).
 * It runs for every request, and does no more work than necessary.
 */
export function checkFraming({ httpVersion, url: target = '', headers, rawHeaders }: IncomingMessage): void {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    throw malformed(`HTTP/${httpVersion}: expected HTTP/1.1 or HTTP/1.0.`);
  }
  if (target.length > maxTargetBytes) {
    throw targetTooLong();
  }
  if (invalidCharacter.test(target) || (target.includes('\\') && backslashInPath.test(target))) {
    throw malformed('The request target contains a character that must be percent-encoded.');
  }
  let seen = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (canBeSingle[name.length] !== true) continue;
    const bit = single.get(name.toLowerCase()) ?? 0;
    if ((seen & bit) !== 0) throw malformed(`${name}: the header was sent more than once.`);
    seen |= bit;
  }
  const { 'transfer-encoding': encoding, expect } = headers;
  if (encoding !== undefined) checkTransferEncoding(httpVersion, encoding);
  if (expect !== undefined && httpVersion === '1.1' && !expectsContinue.test(expect)) {
    throw new ServiceError('ExpectationFailed', 'Expect: only 100-continue is supported.', {}, { connection: 'close' });
  }
}

function checkTransferEncoding(httpVersion: string, encoding: string): void {
  if (httpVersion === '1.0') throw malformed('Transfer-Encoding: not defined in HTTP/1.0.');
  if (encoding.trim().toLowerCase() === 'chunked') return;
  const message = `Transfer-Encoding ${encoding}: only chunked is supported.`;
  throw new ServiceError('NotImplemented', message, {}, { connection: 'close' });
}
