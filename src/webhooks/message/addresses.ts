import { isIP } from 'node:net';
import { createAddressGuard } from '../../network/address-guard.ts';
import { portProblem } from '../../network/http-port.ts';

/**
 * The rules for backends (decision 68), for receivers: they may be at public addresses by `https:`, and by either scheme at those that the
 * operator allows. `allowed`: ranges.
 */
export function receiverAddresses(allowed: readonly string[]) {
  const secure = createAddressGuard(allowed, false);
  const plain = createAddressGuard(allowed, true);
  const guardOf = (protocol: string) => (protocol === 'https:' ? secure : plain);
  return {
    guardOf,
    /** What is wrong with the address of a receiver; undefined if nothing is. Its name is not looked up. */
    urlProblem(url: URL): string | undefined {
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
