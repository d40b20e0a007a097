import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP } from 'node:net';
import { servicePath } from '../../config/base-path.ts';
import type { Config } from '../../config/settings.ts';
import { addressesOf } from '../../network/address-range.ts';

/** The prefix of links: the public address, or else the path of the service. */
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
