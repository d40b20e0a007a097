import type { LookupAddress } from 'node:dns';
import { lookup as lookUp } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { addressesOf } from './address-range.ts';

/** Resolves a host name to all its addresses; an argument, so that tests need no name server. */
export type ResolveAll = (hostname: string) => Promise<readonly LookupAddress[]>;

/**
 * Concurrent connections share one lookup of a name. Each lookup of the system occupies a thread, of which the process has
 * few: a slow name server must not use them all up.
 */
export function sharedLookups(resolve: ResolveAll): ResolveAll {
  const running = new Map<string, ReturnType<ResolveAll>>();
  return (hostname) => {
    const found = running.get(hostname) ?? resolve(hostname).finally(() => running.delete(hostname));
    running.set(hostname, found);
    return found;
  };
}

const resolveBySystem = sharedLookups((hostname) => lookUp(hostname, { all: true }));

/** IPv4 outside the public internet (RFC 6890): this host, private, shared, link-local with cloud metadata, and others. */
const reservedIpv4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
];
/** Of IPv6 only global unicast is public, without documentation addresses and tunnels of IPv4 (Teredo, 6to4). */
const publicIpv6 = ['2000::/3'];
const reservedIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

export type AddressGuard = ReturnType<typeof createAddressGuard>;

/** A host has an address that is not allowed. */
export class AddressDenied extends Error {
  constructor(host: string, address: string) {
    super(`${host} has the address ${address}, which is neither public nor allowed by the configuration`);
    this.name = 'AddressDenied';
  }
}

const reserved = addressesOf([...reservedIpv4, ...reservedIpv6]);
const globalUnicast = addressesOf(publicIpv6);

function isPublic(address: string, family: 4 | 6): boolean {
  if (family === 4) return !reserved.check(address, 'ipv4');
  // IPv4-mapped IPv6 addresses are not global unicast, so they are not public here.
  return globalUnicast.check(address, 'ipv6') && !reserved.check(address, 'ipv6');
}

/**
 * A guard of the addresses that a server may have which others named. It allows the given ranges and, unless `onlyAllowed`, every public address. Addresses are compared as
 * numbers, whatever form they are written in.
 */
export function createAddressGuard(ranges: readonly string[], onlyAllowed: boolean, resolve = resolveBySystem) {
  const allowed = addressesOf(ranges);
  const allows = (address: string): boolean => {
    const family = isIP(address);
    if (family === 0 || address.includes('%')) return false;
    if (allowed.check(address, family === 4 ? 'ipv4' : 'ipv6')) return true;
    return !onlyAllowed && isPublic(address, family as 4 | 6);
  };
  /** The lookup of connections: fails unless all addresses of the name are allowed. */
  const lookup: LookupFunction = (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const denied = addresses.find(({ address }) => !allows(address));
        const [first] = addresses;
        if (denied || !first) callback(new AddressDenied(hostname, denied?.address ?? 'none'), '', 0);
        else if (options.all) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };
  return { allows, lookup };
}
