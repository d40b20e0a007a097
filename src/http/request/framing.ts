import type { IncomingMessage } from 'node:http';
import type { Config } from '../../config/settings.ts';
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

/** The form that Node recognises. Any other expectation is refused. */
const expectsContinue = /(?:^|\W)100-continue(?:$|\W)/i;

/** The connection is closed: if the framing was misread, the next bytes may be anything. */
function malformed(message: string): ServiceError {
  return new ServiceError('InvalidInput', message, {}, { connection: 'close' });
}

function checkTransferEncoding(httpVersion: string, encoding: string): void {
  if (httpVersion === '1.0') throw malformed('Transfer-Encoding: not defined in HTTP/1.0.');
  if (encoding.trim().toLowerCase() === 'chunked') return;
  const message = `Transfer-Encoding ${encoding}: only chunked is supported.`;
  throw new ServiceError('NotImplemented', message, {}, { connection: 'close' });
}

/** RFC 3986 §3.2.2, and a port. */
const hostForm = /^(?:[A-Za-z0-9._~%!$&'()*+,;=-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{0,5})?$/;

const malformedHost = () =>
  new ServiceError('InvalidInput', 'Invalid Host header: expected a host name, optionally with a port.');

/**
 * Makes the check of the head of a request: its framing, and its Host (RFC 9112 §3.2), which is present in HTTP/1.1,
 * well-formed, and not that of another node of the same domain. The check throws 400, 414, 417, 421 or 501 (decision 31).
 * It runs for every request, and does no more work than necessary.
 */
export function createHeadCheck(config: Config): (request: IncomingMessage) => void {
  const isMisdirected = createMisdirectionCheck(config);
  let lastValid: string | undefined;
  return (request) => {
    // What Node's parser accepts although a proxy on the way might read it differently (RFC 9112 §§2.3, 3.2, 6.1).
    const { httpVersion, url: target = '', headers, rawHeaders } = request;
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
      throw new ServiceError(
        'ExpectationFailed',
        'Expect: only 100-continue is supported.',
        {},
        { connection: 'close' },
      );
    }
    const host = target.startsWith('/') ? headers.host : authority(request);
    if (host === undefined) {
      if (httpVersion === '1.0') return;
      throw new ServiceError('InvalidInput', 'Host: the header is required.', {}, { connection: 'close' });
    }
    if (host === lastValid) return;
    if (!hostForm.test(host)) throw malformedHost();
    if (isMisdirected(host.toLowerCase())) {
      const message = 'The Host names a region or provider that this node does not serve.';
      throw new ServiceError('MisdirectedRequest', message);
    }
    lastValid = host;
  };
}

/** A target in absolute form names the host; the Host header is ignored then (RFC 9112 §3.2.2). */
function authority(request: IncomingMessage): string | undefined {
  const url = request.url ?? '/';
  const header = request.headers.host;
  if (url === '*') return header;
  if (header !== undefined && !hostForm.test(header)) throw malformedHost();
  return /^https?:\/\/([^/?#]*)/i.exec(url)?.[1];
}

function createMisdirectionCheck({ region, cloudProvider, domain }: Config): (host: string) => boolean {
  if (domain === undefined) return () => false;
  const own = `api.${region}.${cloudProvider}.${domain}`;
  return (host) => {
    const name = host.replace(/:\d*$/, '').replace(/\.$/, '');
    const labels = name.endsWith(`.${domain}`) ? name.slice(0, -domain.length - 1).split('.') : [];
    return labels.length === 3 && labels[0] === 'api' && name !== own;
  };
}
