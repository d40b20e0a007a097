import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { type AddressGuard, createAddressGuard, type ResolveAll, sharedLookups } from '../../network/address-guard.ts';
import { portProblem } from '../../network/http-port.ts';

/** Where receivers may be: by `https:` at public addresses, and by either scheme at those that the operator allows. */
export interface ReceiverAddresses {
  guardOf(protocol: string): AddressGuard;
  /** What is wrong with the address of a receiver; undefined if nothing is. Its name is not looked up. */
  urlProblem(url: URL): string | undefined;
}

const resolveBySystem = sharedLookups((hostname) => lookup(hostname, { all: true }));

/** The rules for backends (decision 68), for receivers. `allowed`: ranges. */
export function receiverAddresses(
  allowed: readonly string[],
  resolve: ResolveAll = resolveBySystem,
): ReceiverAddresses {
  const secure = createAddressGuard(allowed, false, resolve);
  const plain = createAddressGuard(allowed, true, resolve);
  const guardOf = (protocol: string) => (protocol === 'https:' ? secure : plain);
  return {
    guardOf,
    urlProblem(url) {
      const { protocol, hostname, username, password, hash } = url;
      const host = hostname.replace(/^\[|\]$/g, '');
      if (protocol !== 'https:' && (protocol !== 'http:' || allowed.length === 0)) {
        return `expected https:, not ${protocol}`;
      }
      if (username !== '' || password !== '') return 'expected no user and password';
      if (hash !== '') return 'expected no fragment';
      if (isIP(host) !== 0 && !guardOf(protocol).allows(host)) {
        return `${host} is neither a public address nor one that the operator allows (WEBHOOK_ADDRESSES)`;
      }
      return portProblem(url);
    },
  };
}
