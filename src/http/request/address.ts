import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP } from 'node:net';
import type { Config } from '../../config/settings.ts';
import { ServiceError } from '../../contract/errors.ts';
import { addressesOf } from '../../network/address-range.ts';

/**
 * The address that links are made under, from the settings alone: a Host header never shows up in an answer.
 * Undefined where region, provider and domain are not set (decision 31).
 */
export function publicAddress(config: Config): string | undefined {
  const { region, cloudProvider, domain } = config;
  return domain === undefined ? undefined : `https://api.${region}.${cloudProvider}.${domain}`;
}

/** RFC 3986 §3.2.2, and a port. */
const hostForm = /^(?:[A-Za-z0-9._~%!$&'()*+,;=-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{0,5})?$/;

const malformedHost = () => new ServiceError('InvalidInput', 'Host: a host name, with a port or without, expected.');

/**
 * Makes the check of the Host header (RFC 9112 §3.2): present in HTTP/1.1, well-formed, and not of another node of the
 * same domain (421, decision 31). Throws the refusal.
 */
export function createHostCheck(config: Config): (request: IncomingMessage) => void {
  const misdirected = createMisdirection(config);
  let lastGood: string | undefined;
  return (request) => {
    const host = request.url?.startsWith('/') ? request.headers.host : authority(request);
    if (host === lastGood && host !== undefined) return;
    if (host === undefined) {
      if (request.httpVersion === '1.0') return;
      throw new ServiceError('InvalidInput', 'Host: the header is required.', {}, { connection: 'close' });
    }
    if (!hostForm.test(host)) throw malformedHost();
    if (misdirected(host.toLowerCase())) {
      throw new ServiceError(
        'MisdirectedRequest',
        'The Host names a region or a provider that this node does not serve.',
      );
    }
    lastGood = host;
  };
}

/** In absolute form the target names the host, and the Host header is ignored (RFC 9112 §3.2.2). */
function authority(request: IncomingMessage): string | undefined {
  const url = request.url ?? '/';
  const header = request.headers.host;
  if (url === '*') return header;
  if (header !== undefined && !hostForm.test(header)) throw malformedHost();
  return /^https?:\/\/([^/?#]*)/i.exec(url)?.[1];
}

function createMisdirection({ region, cloudProvider, domain }: Config): (host: string) => boolean {
  if (domain === undefined) return () => false;
  const mine = `api.${region}.${cloudProvider}.${domain}`;
  return (host) => {
    const name = host.replace(/:\d*$/, '').replace(/\.$/, '');
    const labels = name.endsWith(`.${domain}`) ? name.slice(0, -domain.length - 1).split('.') : [];
    return labels.length === 3 && labels[0] === 'api' && name !== mine;
  };
}

/**
 * Makes the function that tells the address a request comes from. X-Forwarded-For is believed only from the proxies
 * of the setting, and from right to left: the first address that is no trusted proxy is the client's.
 */
export function createRemoteAddress(trustProxy: readonly string[]): (request: IncomingMessage) => string {
  if (trustProxy.length === 0) return (request) => request.socket.remoteAddress ?? '';
  const trusted = addressesOf(trustProxy);
  return (request) => {
    const peer = request.socket.remoteAddress ?? '';
    const forwarded = request.headers['x-forwarded-for'] ?? [];
    const hops = String(forwarded)
      .split(',')
      .map((hop) => hop.trim());
    let address = peer;
    while (isTrusted(trusted, address)) {
      const hop = hops.pop();
      if (hop === undefined || isIP(hop) === 0) break;
      address = hop;
    }
    return address;
  };
}

function isTrusted(list: BlockList, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** What failed logins are counted by: the client and its address, so that nobody can lock out a client from elsewhere. */
export function loginKey({ headers }: IncomingMessage, remoteAddress: string): string {
  const [, basic = ''] = /^basic +([\w+/=-]{1,1024})$/i.exec(headers.authorization ?? '') ?? [];
  const [clientId] = Buffer.from(basic, 'base64').toString().split(':', 1);
  return `${clientId}\n${addressGroup(remoteAddress)}`;
}

/** What rate limits count by: one customer usually holds a whole IPv6 /64, so its addresses count as one. */
export function addressGroup(address: string): string {
  if (isIP(address) !== 6 || address.startsWith('::ffff:')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  if (tail !== undefined) while (groups.length < 4) groups.push('0');
  return `${groups.slice(0, 4).join(':')}::/64`;
}
