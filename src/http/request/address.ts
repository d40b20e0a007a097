import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP } from 'node:net';
import { servicePath } from '../../config/base-path.ts';
import type { Config } from '../../config/settings.ts';
import { ServiceError } from '../../contract/errors.ts';
import { addressesOf } from '../../network/address-range.ts';

/** What links begin with: the public address, or else the path of the service, so that they are paths. */
export const linkBase = (config: Config): string => publicAddress(config) ?? servicePath(config);

/**
 * The address that clients reach the service at. It is made from the settings alone: a Host header never appears in a
 * response. Undefined if region, provider and domain are not set (decision 31).
 */
export function publicAddress(config: Config): string | undefined {
  const { region, cloudProvider, domain } = config;
  return domain === undefined ? undefined : `https://api.${region}.${cloudProvider}.${domain}${servicePath(config)}`;
}

/** The address as HOST and PORT make it. Of a host that stands for all interfaces, the address on this machine. */
export function localAddress({ host, port }: Pick<Config, 'host' | 'port'>): string {
  if (isUnspecified.test(host)) return `http://localhost:${port}`;
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

/** `::` in any way of writing it. `0.0.0.0` stays as it is, since tokens that name it are out. */
const isUnspecified = /^[0:]*:[0:]*$/;

/** RFC 3986 §3.2.2, and a port. */
const hostForm = /^(?:[A-Za-z0-9._~%!$&'()*+,;=-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::\d{0,5})?$/;

const malformedHost = () =>
  new ServiceError('InvalidInput', 'Invalid Host header: expected a host name, optionally with a port.');

/**
 * Makes the check of the Host header (RFC 9112 §3.2): present in HTTP/1.1, well-formed, and not that of another node of
 * the same domain. The check throws 400 or 421 (decision 31).
 */
export function createHostCheck(config: Config): (request: IncomingMessage) => void {
  const isMisdirected = createMisdirectionCheck(config);
  let lastValid: string | undefined;
  return (request) => {
    const host = request.url?.startsWith('/') ? request.headers.host : authority(request);
    if (host === lastValid && host !== undefined) return;
    if (host === undefined) {
      if (request.httpVersion === '1.0') return;
      throw new ServiceError('InvalidInput', 'Host: the header is required.', {}, { connection: 'close' });
    }
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

/**
 * Makes the function that returns the address of the client. X-Forwarded-For is trusted only from the configured
 * proxies, and read from right to left: the first address that is not a trusted proxy is that of the client.
 */
export function createRemoteAddress(trustProxy: readonly string[]): (request: IncomingMessage) => string {
  if (trustProxy.length === 0) return (request) => request.socket.remoteAddress ?? '';
  const proxies = addressesOf(trustProxy);
  return (request) => {
    const hops = String(request.headers['x-forwarded-for'] ?? '').split(',');
    let address = request.socket.remoteAddress ?? '';
    while (includes(proxies, address)) {
      const hop = addressOf(hops.pop());
      if (hop === undefined) break;
      address = hop;
    }
    return address;
  };
}

/** The address of an entry of X-Forwarded-For: IPv6 may have brackets, and some proxies add a port. */
function addressOf(entry = ''): string | undefined {
  const text = entry.trim().replace(/^"(.*)"$/, '$1');
  const [, bracketed, plain] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(text) ?? [];
  const address = bracketed ?? plain ?? text;
  return isIP(address) === 0 ? undefined : address;
}

function includes(list: BlockList, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** The key that logins are counted by: client and address, so that a client cannot be locked out from elsewhere. */
export function loginKey({ headers }: IncomingMessage, remoteAddress: string): string {
  const [, basic = ''] = /^basic +([\w+/=-]{1,1024})$/i.exec(headers.authorization ?? '') ?? [];
  const [clientId] = Buffer.from(basic, 'base64').toString().split(':', 1);
  return `${clientId}\n${addressGroup(remoteAddress)}`;
}

/** Groups addresses for rate limits: one customer usually has a whole IPv6 /64, so its addresses count as one. */
export function addressGroup(address: string): string {
  if (isIP(address) !== 6 || address.startsWith('::ffff:')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':').filter((group) => group !== '');
  if (tail !== undefined) while (groups.length < 4) groups.push('0');
  return `${groups.slice(0, 4).join(':')}::/64`;
}
